// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: layers of textures have one or two dimensions
#include "amphi/memory/layered_texture.hpp"

#ifdef FAIL
constexpr int dimensions = 3;
#else
constexpr int dimensions = 2;
#endif
auto view(const amphi::layered_texture<float, dimensions>& t) { return t.view(); }
