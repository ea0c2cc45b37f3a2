// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: cannot be generic lambdas
#include "amphi/execution/parallel_for.hpp"

void f(float* x) {
#ifdef FAIL
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(auto i) { x[i] = 1; });
#else
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = 1; });
#endif
}
