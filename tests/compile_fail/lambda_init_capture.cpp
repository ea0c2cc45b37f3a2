// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: init-captures are not allowed
#include "amphi/execution/parallel_for.hpp"

void f(float* x) {
#ifdef FAIL
  amphi::parallel_for(0, 10, [y = x + 5] AMPHI_LAMBDA(int i) { y[i] = 1; });
#else
  float* const y = x + 5;
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { y[i] = 1; });
#endif
}
