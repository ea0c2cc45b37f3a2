// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: cannot be directly read in a device function
// fail-flags: -Werror all-warnings
#include "amphi/execution/parallel_for.hpp"

float factor = 2;

void f(float* x) {
#ifndef FAIL
  const float a = factor;
#endif
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) {
#ifdef FAIL
    x[i] = factor * x[i];
#else
    x[i] = a * x[i];
#endif
  });
}
