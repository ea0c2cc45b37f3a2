// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <execution>
#include <numeric>

#include "cpu_baseline.hpp"

namespace baseline {

template <class T>
T tbb_sum(const T* x, std::int64_t n) {
  return std::reduce(std::execution::par_unseq, x, x + n, T(0));
}
template <class T>
void tbb_scan(const T* x, T* y, std::int64_t n) {
  std::inclusive_scan(std::execution::par_unseq, x, x + n, y);
}
void tbb_sort(float* x, std::int64_t n) { std::sort(std::execution::par_unseq, x, x + n); }

#define BASELINE_OF(T)                           \
  template T tbb_sum<T>(const T*, std::int64_t); \
  template void tbb_scan<T>(const T*, T*, std::int64_t);
BASELINE_OF(float)
BASELINE_OF(double)
BASELINE_OF(std::int32_t)

}  // namespace baseline
