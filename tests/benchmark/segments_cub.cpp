// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime.h>

#include <cstdlib>
#include <cub/device/device_segmented_reduce.cuh>

#include "segments_baseline.hpp"

namespace baseline {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) std::abort();
}

}  // namespace

void cub_segment_sums(const float* x, const std::int64_t* offsets, std::int64_t segments, float* out) {
  static void* memory = nullptr;
  static std::size_t have = 0;
  std::size_t bytes = 0;
  check(cub::DeviceSegmentedReduce::Sum(nullptr, bytes, x, out, segments, offsets, offsets + 1));
  if (bytes > have || memory == nullptr) {
    check(cudaFree(memory));
    check(cudaMalloc(&memory, bytes + 1));
    have = bytes;
  }
  check(cub::DeviceSegmentedReduce::Sum(memory, bytes, x, out, segments, offsets, offsets + 1));
}

}  // namespace baseline
