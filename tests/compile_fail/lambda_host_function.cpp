// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: calling a __host__ function
#include "amphi/execution/parallel_for.hpp"

#ifdef FAIL
inline float twice(float a) { return 2 * a; }
#else
AMPHI_LAUNCHABLE float twice(float a) { return 2 * a; }
#endif

void f(float* x) {
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = twice(x[i]); });
}
