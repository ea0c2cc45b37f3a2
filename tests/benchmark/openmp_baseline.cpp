// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "baseline.hpp"

namespace baseline {

void empty_region() {
#pragma omp parallel
  asm volatile("");
}

void saxpy_loop(int n, float a, const float* x, float* y) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

}  // namespace baseline
