// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: takes this parameter by reference.*take it by value
#include "amphi/execution/launch.hpp"

// A reference names host memory that a GPU cannot reach.
#ifdef FAIL
AMPHI_LAUNCHABLE void scale(int n, const float& a, float* x) {
#else
AMPHI_LAUNCHABLE void scale(int n, float a, float* x) {
#endif
  for (auto i : amphi::grid_stride_range(0, n)) x[i] *= a;
}

void run(int n, float a, float* x) { amphi::launch<scale>(n, a, x); }
