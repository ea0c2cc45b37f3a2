// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

struct CUstream_st;

// Hand-written code that the library is measured against, compiled with the same flags.

namespace baseline {

// OpenMP, in a unit of its own with -fopenmp (openmp_baseline.cpp).
void empty_region();
void saxpy_loop(int n, float a, const float* x, float* y);

// CUDA (cuda_baseline.cpp, compiled as CUDA in a CUDA build). Blocks of `block` threads.
void empty_kernel();
void empty_kernel_ex();  // the same through cudaLaunchKernelExC
void saxpy_monolithic(CUstream_st* s, std::int64_t n, float a, const float* x, float* y, int block);
void saxpy_grid_stride(CUstream_st* s, std::int64_t n, float a, const float* x, float* y, int block,
                       int grid);
void saxpy_grid_stride_restrict(CUstream_st* s, std::int64_t n, float a, const float* x, float* y, int block,
                                int grid);
void device_copy(CUstream_st* s, void* to, const void* from, std::int64_t bytes);

}  // namespace baseline
