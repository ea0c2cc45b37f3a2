// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

// What amphi's algorithms are measured against on the CPU. T is float, double or std::int32_t.

namespace baseline {

// cpu_openmp.cpp: plain C++ with OpenMP.
template <class T>
T omp_sum(const T* x, std::int64_t n);
template <class T>
void serial_scan(const T* x, T* y, std::int64_t n);  // std::inclusive_scan
void omp_saxpy(std::int64_t n, float a, const float* x, float* y);

// cpu_tbb.cpp: the parallel algorithms of the standard library over TBB (std::execution::par_unseq).
template <class T>
T tbb_sum(const T* x, std::int64_t n);
template <class T>
void tbb_scan(const T* x, T* y, std::int64_t n);
void tbb_sort(float* x, std::int64_t n);

// cpu_thrust.cpp: Thrust over OpenMP.
template <class T>
T thrust_sum(const T* x, std::int64_t n);
template <class T>
void thrust_scan(const T* x, T* y, std::int64_t n);
void thrust_sort_on_cpu(float* x, std::int64_t n);

}  // namespace baseline
