// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: cannot capture an element of a parameter pack
#include "amphi/execution/parallel_for.hpp"

template <class... A>
void f(float* x, A... a) {
#ifndef FAIL
  const auto sum = (0 + ... + a);
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = static_cast<float>(sum); });
#else
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = static_cast<float>((0 + ... + a)); });
#endif
}

void g(float* x) { f(x, 1, 2); }
