// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "cpu_baseline.hpp"

namespace baseline {

template <class T>
T omp_sum(const T* x, std::int64_t n) {
  T sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

template <class T>
void serial_scan(const T* x, T* y, std::int64_t n) {
  std::inclusive_scan(x, x + n, y);
}

void omp_saxpy(std::int64_t n, float a, const float* x, float* y) {
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

#define BASELINE_OF(T)                           \
  template T omp_sum<T>(const T*, std::int64_t); \
  template void serial_scan<T>(const T*, T*, std::int64_t);
BASELINE_OF(float)
BASELINE_OF(double)
BASELINE_OF(std::int32_t)

}  // namespace baseline
