// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: amphi: a warp has
#include "amphi/execution/warp.hpp"

#ifdef FAIL
constexpr int width = 12;
#else
constexpr int width = 16;
#endif
AMPHI_LAUNCHABLE int neighbour(int v) { return amphi::this_warp<width>().shuffle_down(v, 1); }
int call() { return neighbour(3); }
