// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>

#include "cpu_baseline.hpp"

namespace baseline {

template <class T>
T thrust_sum(const T* x, std::int64_t n) {
  return thrust::reduce(thrust::omp::par, x, x + n, T(0));
}
template <class T>
void thrust_scan(const T* x, T* y, std::int64_t n) {
  thrust::inclusive_scan(thrust::omp::par, x, x + n, y);
}
void thrust_sort_on_cpu(float* x, std::int64_t n) { thrust::sort(thrust::omp::par, x, x + n); }

#define BASELINE_OF(T)                              \
  template T thrust_sum<T>(const T*, std::int64_t); \
  template void thrust_scan<T>(const T*, T*, std::int64_t);
BASELINE_OF(float)
BASELINE_OF(double)
BASELINE_OF(std::int32_t)

}  // namespace baseline
