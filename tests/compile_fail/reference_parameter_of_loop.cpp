// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: takes this parameter by reference.*take it by value
#include "amphi/execution/parallel_for.hpp"

#ifdef FAIL
AMPHI_LAUNCHABLE void add_to(int i, const float& a, float* x) { x[i] += a; }
#else
AMPHI_LAUNCHABLE void add_to(int i, float a, float* x) { x[i] += a; }
#endif

void run(int n, float a, float* x) { amphi::parallel_for<add_to>(0, n, a, x); }
