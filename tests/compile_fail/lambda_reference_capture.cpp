// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: cannot capture variables by reference
#include "amphi/execution/parallel_for.hpp"

void f(float* x, float a) {
#ifdef FAIL
  amphi::parallel_for(0, 10, [&] AMPHI_LAMBDA(int i) { x[i] = a; });
#else
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = a; });
#endif
}
