// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (no viable conversion|conversion from .*bool.* to non-scalar type|no suitable constructor)
#include "amphi/core/extent.hpp"

#ifdef FAIL
constexpr amphi::extent3 size = true;
#else
constexpr amphi::extent3 size = 1;
#endif
static_assert(size.x == 1);
