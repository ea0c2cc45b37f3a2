// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (could not convert|cannot convert|no viable conversion|no suitable)
#include "amphi/runtime/policy.hpp"

#ifdef FAIL
constexpr amphi::policy p{.workers = 2.0};
#else
constexpr amphi::policy p{.workers = 2};
#endif
static_assert(p.workers.value == 2);
