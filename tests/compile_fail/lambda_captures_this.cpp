// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: capture of "this"
// fail-flags: -Werror all-warnings
#include "amphi/execution/parallel_for.hpp"

struct solver {
  float factor;
  void run(float* x) {
#ifdef FAIL
    amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = factor * x[i]; });
#else
    const float a = factor;
    amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = a * x[i]; });
#endif
  }
};

void f(float* x) { solver{2}.run(x); }
