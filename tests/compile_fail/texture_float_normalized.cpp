// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: 8- and 16-bit integers can be read as normalised floats
#include "amphi/memory/texture.hpp"

#ifdef FAIL
using texel_type = float;
#else
using texel_type = unsigned char;
#endif
auto view(const amphi::texture<texel_type, 1, amphi::read_mode::normalized>& t) { return t.view(); }
