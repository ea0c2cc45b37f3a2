// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdlib>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "order_baseline.hpp"

namespace baseline {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) std::abort();
}

// Calls f twice: for the bytes that it needs, and with them.
template <class F>
void with_storage(F f) {
  static void* memory = nullptr;
  static std::size_t have = 0;
  std::size_t bytes = 0;
  check(f(nullptr, bytes));
  if (bytes > have) {
    check(cudaFree(memory));
    check(cudaMalloc(&memory, bytes));
    have = bytes;
  }
  check(f(memory, bytes));
}

struct is_even {
  __device__ bool operator()(std::int32_t v) const { return v % 2 == 0; }
};

struct in_order {
  template <class K>
  __device__ bool operator()(const K& a, const K& b) const {
    return a < b;
  }
  __device__ bool operator()(const record& a, const record& b) const { return a.key < b.key; }
  __device__ bool operator()(const wide_record& a, const wide_record& b) const { return a.key < b.key; }
};
struct downwards {
  template <class K>
  __device__ bool operator()(const K& a, const K& b) const {
    return in_order()(b, a);
  }
};

__global__ void add_atomically(const std::int32_t* bins, const double* values, double* sums, std::int64_t n) {
  const std::int64_t stride = std::int64_t{blockDim.x} * gridDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&sums[bins[i]], values[i]);
}

}  // namespace

template <class K>
void cub_sort(K* keys, K* room, std::int64_t n) {
  cub::DoubleBuffer<K> buffers(keys, room);
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, buffers, n);
  });
}
template <class K>
void thrust_sort(K* keys, std::int64_t n) {
  thrust::sort(thrust::cuda::par_nosync, keys, keys + n);
}
#define SORTS_OF(K)                                \
  template void cub_sort<K>(K*, K*, std::int64_t); \
  template void thrust_sort<K>(K*, std::int64_t);
SORTS_OF(float)
SORTS_OF(std::int32_t)
SORTS_OF(std::int64_t)

void cub_sort_pairs(float* keys, float* key_room, std::int32_t* values, std::int32_t* value_room,
                    std::int64_t n) {
  cub::DoubleBuffer<float> k(keys, key_room);
  cub::DoubleBuffer<std::int32_t> v(values, value_room);
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, n);
  });
}

void cub_select(const std::int32_t* in, std::int32_t* out, std::int64_t* count, std::int64_t n) {
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, in, out, count, n, is_even());
  });
}

void cub_histogram(const std::int32_t* bins, std::uint32_t* counts, int bin_count, std::int64_t n) {
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, bins, counts, bin_count + 1, 0, bin_count, n);
  });
}

template <class K>
void cub_merge(const K* a, const K* b, K* out, std::int64_t n) {
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(memory, bytes, a, n, b, n, out, in_order());
  });
}
template <class K>
void cub_sort_by_comparisons(K* keys, std::int64_t n) {
  with_storage([&](void* memory, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(memory, bytes, keys, n, downwards());
  });
}
template void cub_merge<float>(const float*, const float*, float*, std::int64_t);
template void cub_merge<std::int64_t>(const std::int64_t*, const std::int64_t*, std::int64_t*, std::int64_t);
template void cub_merge<record>(const record*, const record*, record*, std::int64_t);
template void cub_sort_by_comparisons<std::int32_t>(std::int32_t*, std::int64_t);
template void cub_sort_by_comparisons<record>(record*, std::int64_t);
template void cub_sort_by_comparisons<wide_record>(wide_record*, std::int64_t);

void atomic_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count,
                 std::int64_t n) {
  check(cudaMemsetAsync(sums, 0, sizeof(double) * static_cast<std::size_t>(bin_count)));
  add_atomically<<<132 * 8, 256>>>(bins, values, sums, n);
  check(cudaGetLastError());
}

void device_copy(void* to, const void* from, std::int64_t bytes) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice));
}

}  // namespace baseline
