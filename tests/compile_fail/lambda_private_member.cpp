// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: private or protected access within its class
#include "amphi/execution/parallel_for.hpp"

class solver {
#ifndef FAIL
 public:
#endif
  void step(float* x) {
    amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = 1; });
  }

 public:
  void run(float* x) { step(x); }
};

void f(float* x) { solver().run(x); }
