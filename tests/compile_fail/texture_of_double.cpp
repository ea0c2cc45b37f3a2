// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: constraint
#include "amphi/memory/texture.hpp"

#ifdef FAIL
using texel_type = double;
#else
using texel_type = float;
#endif
auto view(const amphi::texture<texel_type, 2>& t) { return t.view(); }
