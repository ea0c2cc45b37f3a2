// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: private or protected class member
#include "amphi/execution/parallel_for.hpp"

class solver {
#ifndef FAIL
 public:
#endif
  struct parameters {
    float a;
  };

 public:
  void run(float* x) {
    const parameters p{1};
    amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = p.a; });
  }
};

void f(float* x) { solver().run(x); }
