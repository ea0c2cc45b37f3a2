// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include "baseline.hpp"

namespace baseline {
namespace {

__global__ void nothing() {}

__global__ void grid_stride_restrict(std::int64_t n, float a, const float* __restrict__ x,
                                     float* __restrict__ y) {
  const std::int64_t stride = static_cast<std::int64_t>(blockDim.x) * gridDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

__global__ void monolithic(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void grid_stride(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t stride = static_cast<std::int64_t>(blockDim.x) * gridDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

}  // namespace

void empty_kernel() { nothing<<<1, 32>>>(); }

void empty_kernel_ex() {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1), config.blockDim = dim3(32);
  (void)cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&nothing), nullptr);
}

void saxpy_monolithic(cudaStream_t s, std::int64_t n, float a, const float* x, float* y, int block) {
  monolithic<<<static_cast<unsigned>((n + block - 1) / block), static_cast<unsigned>(block), 0, s>>>(n, a, x,
                                                                                                     y);
}

void saxpy_grid_stride(cudaStream_t s, std::int64_t n, float a, const float* x, float* y, int block,
                       int grid) {
  grid_stride<<<static_cast<unsigned>(grid), static_cast<unsigned>(block), 0, s>>>(n, a, x, y);
}

void saxpy_grid_stride_restrict(cudaStream_t s, std::int64_t n, float a, const float* x, float* y, int block,
                                int grid) {
  grid_stride_restrict<<<static_cast<unsigned>(grid), static_cast<unsigned>(block), 0, s>>>(n, a, x, y);
}

void device_copy(cudaStream_t s, void* to, const void* from, std::int64_t bytes) {
  cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, s);
}

}  // namespace baseline
