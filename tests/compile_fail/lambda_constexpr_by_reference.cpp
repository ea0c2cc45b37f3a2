// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: is undefined in device code
#include <algorithm>

#include "amphi/execution/parallel_for.hpp"

constexpr float least = 3;

void f(float* x) {
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) {
#ifndef FAIL
    constexpr float l = least;
    x[i] = std::max(l, x[i]);
#else
    x[i] = std::max(least, x[i]);
#endif
  });
}
