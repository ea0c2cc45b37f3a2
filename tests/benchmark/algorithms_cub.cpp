// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include <cstdlib>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "algorithms_baseline.hpp"

namespace baseline {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) std::abort();
}

struct axpy {
  float a;
  __device__ float operator()(float x, float y) const { return a * x + y; }
};

}  // namespace

cub_storage::~cub_storage() { cudaFree(memory_); }

void* cub_storage::reserve(std::size_t bytes) {
  if (bytes > bytes_) {
    cudaFree(memory_);
    check(cudaMalloc(&memory_, bytes));
    bytes_ = bytes;
  }
  return memory_;
}

template <class T>
void cub_storage::sum(const T* x, T* out, std::int64_t n, CUstream_st* s) {
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, x, out, n, s));
  check(cub::DeviceReduce::Sum(reserve(bytes), bytes, x, out, n, s));
}

template <class T>
void cub_storage::scan(const T* x, T* y, std::int64_t n, CUstream_st* s) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, x, y, n, s));
  check(cub::DeviceScan::InclusiveSum(reserve(bytes), bytes, x, y, n, s));
}

void cub_saxpy(std::int64_t n, float a, const float* x, float* y) {
  check(cub::DeviceTransform::Transform(::cuda::std::tuple{x, static_cast<const float*>(y)}, y, n, axpy{a}));
}

void cuda_copy(void* to, const void* from, std::int64_t bytes) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice));
}

#define BASELINE_OF(T)                                                         \
  template void cub_storage::sum<T>(const T*, T*, std::int64_t, CUstream_st*); \
  template void cub_storage::scan<T>(const T*, T*, std::int64_t, CUstream_st*);
BASELINE_OF(float)
BASELINE_OF(double)
BASELINE_OF(std::int32_t)
BASELINE_OF(std::int64_t)

}  // namespace baseline
