// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: inside a generic lambda
#include "amphi/execution/parallel_for.hpp"

void f(float* x) {
#ifdef FAIL
  const auto run = [&](auto n) {
#else
  const auto run = [&](int n) {
#endif
    amphi::parallel_for(0, n, [=] AMPHI_LAMBDA(int i) { x[i] = 1; });
  };
  run(10);
}
