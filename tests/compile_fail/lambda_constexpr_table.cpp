// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: is undefined in device code
#include "amphi/execution/parallel_for.hpp"

#ifdef FAIL
constexpr float table[] = {1, 2, 3};
#endif

void f(float* x) {
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) {
#ifndef FAIL
    constexpr float table[] = {1, 2, 3};
#endif
    x[i] = table[i % 3];
  });
}
