// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: first-capture variable in constexpr-if
#include "amphi/execution/parallel_for.hpp"

template <bool Set>
void f(float* x) {
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) {
#ifndef FAIL
    float* const y = x;
    if constexpr (Set) y[i] = 1;
#else
    if constexpr (Set) x[i] = 1;
#endif
  });
}

void g(float* x) { f<true>(x); }
