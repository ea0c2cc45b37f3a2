// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/runtime/policy.hpp"

namespace hemi {

// How a launch is spread; amphi::policy has more to say. A size of 0 means automatic. A negative size or one
// that the device can't do is an amphi::launch_error at the launch. Shared memory that was never set is 0
// bytes, where Hemi took all that was left.
class ExecutionPolicy {
 public:
  enum ConfigurationState {
    Automatic = 0,
    SharedMem = 1,
    BlockSize = 2,
    GridSize = 4,
    FullManual = GridSize | BlockSize | SharedMem
  };

  ExecutionPolicy() = default;
  ExecutionPolicy(int gridSize, int blockSize, std::size_t sharedMemBytes, hemiStream_t stream = nullptr)
      : grid_(gridSize), block_(blockSize), shared_(sharedMemBytes), shared_set_(true), stream_(stream) {}

  // Which of the sizes were set, as a sum of ConfigurationState.
  int getConfigState() const {
    return (grid_ > 0 ? GridSize : 0) | (block_ > 0 ? BlockSize : 0) | (shared_set_ ? SharedMem : 0);
  }
  int getGridSize() const { return grid_; }
  int getBlockSize() const { return block_; }
  int getMaxBlockSize() const { return max_block_; }
  std::size_t getSharedMemBytes() const { return shared_; }
  hemiStream_t getStream() const { return stream_; }

  void setGridSize(int blocks) { grid_ = blocks; }
  void setBlockSize(int threads) { block_ = threads; }
  // Upper bound of an automatic block size.
  void setMaxBlockSize(int threads) { max_block_ = threads; }
  void setSharedMemBytes(std::size_t bytes) {
    shared_ = bytes;
    shared_set_ = true;
  }
  void setStream(hemiStream_t stream) { stream_ = stream; }

  // The same as a policy of amphi.
  operator amphi::policy() const {
    amphi::policy p;
    if (grid_ != 0) p.grid = grid_;
    if (block_ != 0) p.block = block_;
    if (max_block_ != 0) p.max_block = max_block_;
    if (shared_set_) p.shared_bytes = shared_;
    p.stream = stream_;
    return p;
  }

 private:
  int grid_ = 0;
  int block_ = 0;
  int max_block_ = 0;
  std::size_t shared_ = 0;
  bool shared_set_ = false;
  hemiStream_t stream_ = nullptr;
};

}  // namespace hemi
