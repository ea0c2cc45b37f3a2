// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: A type local to a function
#include "amphi/execution/parallel_for.hpp"

struct outside {
  float a;
};

void f(float* x) {
#ifdef FAIL
  struct local {
    float a;
  };
  const local p{1};
#else
  const outside p{1};
#endif
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = p.a; });
}
