// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/compat/hemi/execution_policy.h"
#include "amphi/compat/hemi/hemi.h"

#if defined(HEMI_CUDA_COMPILER)

#  include <map>
#  include <mutex>

namespace hemi {

// CUDA's properties of the current device, asked for once per device. Throws a cudaError_t when there is
// none.
class DevicePropertiesCache {
 public:
  static cudaDeviceProp& get() {
    static DevicePropertiesCache cache;
    int device = 0;
    throw_if(cudaGetDevice(&device));
    const std::lock_guard lock(cache.mutex_);
    const auto [entry, is_new] = cache.properties_.try_emplace(device);
    if (is_new) {
      if (const cudaError_t status = cudaGetDeviceProperties(&entry->second, device); status != cudaSuccess) {
        cache.properties_.erase(entry);
        throw_if(status);
      }
    }
    return entry->second;
  }

 private:
  static void throw_if(cudaError_t status) {
    if (status == cudaSuccess) return;
    (void)cudaGetLastError();
    throw status;
  }

  std::map<int, cudaDeviceProp> properties_;
  std::mutex mutex_;
};

// Fills in the block and grid size that a policy leaves open, for a __global__ function on the current
// device: the block with the best occupancy, and as many blocks as live on the device at once. Launches do
// this by themselves.
template <class Kernel>
cudaError_t configureGrid(ExecutionPolicy& p, Kernel kernel) {
  const int state = p.getConfigState();
  int block = p.getBlockSize();
  cudaError_t status = cudaSuccess;
  if ((state & ExecutionPolicy::BlockSize) == 0) {
    int grid = 0;
    status =
        cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, p.getSharedMemBytes(), p.getMaxBlockSize());
  }
  if (status == cudaSuccess && (state & ExecutionPolicy::GridSize) == 0) {
    int device = 0, multiprocessors = 0, blocks = 0;
    status = cudaGetDevice(&device);
    if (status == cudaSuccess)
      status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess)
      status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, p.getSharedMemBytes());
    if (status == cudaSuccess && blocks == 0) return cudaErrorInvalidConfiguration;
    if (status == cudaSuccess) p.setGridSize(blocks * multiprocessors);
  }
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    return status;
  }
  p.setBlockSize(block);
  if ((state & ExecutionPolicy::SharedMem) == 0) p.setSharedMemBytes(0);
  return cudaSuccess;
}

}  // namespace hemi

#endif
