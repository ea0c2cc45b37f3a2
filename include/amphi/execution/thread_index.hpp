// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/execution/detail/context.hpp"

// Where the calling thread stands in its launch, as in CUDA. Outside a launch there is one block of one
// thread.

namespace amphi {

#if AMPHI_CHECKED
namespace detail {
[[noreturn]] void throw_block_form(const char* call, const char* file, int line);
}
// Checked builds say where a kernel in block form asks for its thread, which it has not on the CPU.
AMPHI_LAUNCHABLE AMPHI_DETAIL_NO_TSAN launch_index thread_index(
    [[maybe_unused]] const char* file = __builtin_FILE(), [[maybe_unused]] int line = __builtin_LINE()) {
#  if AMPHI_DEVICE_CODE
  return {threadIdx.x, threadIdx.y, threadIdx.z};
#  else
  if (detail::current_context.block_form) detail::throw_block_form("thread_index()", file, line);
  return detail::running_thread();
#  endif
}
#else
AMPHI_LAUNCHABLE AMPHI_DETAIL_NO_TSAN launch_index thread_index() {
#  if AMPHI_DEVICE_CODE
  return {threadIdx.x, threadIdx.y, threadIdx.z};
#  else
  return detail::running_thread();
#  endif
}
#endif

AMPHI_LAUNCHABLE AMPHI_DETAIL_NO_TSAN launch_index block_index() {
#if AMPHI_DEVICE_CODE
  return {blockIdx.x, blockIdx.y, blockIdx.z};
#else
  return detail::current_context.block;
#endif
}

// Threads of a block.
AMPHI_LAUNCHABLE AMPHI_DETAIL_NO_TSAN launch_index block_extent() {
#if AMPHI_DEVICE_CODE
  return {blockDim.x, blockDim.y, blockDim.z};
#else
  return detail::current_context.block_extent;
#endif
}

// Blocks of the grid.
AMPHI_LAUNCHABLE AMPHI_DETAIL_NO_TSAN launch_index grid_extent() {
#if AMPHI_DEVICE_CODE
  return {gridDim.x, gridDim.y, gridDim.z};
#else
  return detail::current_context.grid_extent;
#endif
}

namespace detail {

AMPHI_LAUNCHABLE std::uint32_t linear(const launch_index& i, const launch_index& extent) {
  return (i.z * extent.y + i.y) * extent.x + i.x;
}

AMPHI_LAUNCHABLE std::int64_t linear64(const launch_index& i, const launch_index& extent) {
  return (static_cast<std::int64_t>(i.z) * extent.y + i.y) * extent.x + i.x;
}

AMPHI_LAUNCHABLE std::int64_t size64(const launch_index& extent) {
  return static_cast<std::int64_t>(extent.x) * extent.y * extent.z;
}

// Whether grid and block are lines of blocks and threads, as in every launch whose geometry is automatic.
// Their numbers take three instructions there, and thirty with y and z, which a kernel of a few microseconds
// feels.
AMPHI_LAUNCHABLE bool launch_is_line() {
#if AMPHI_DEVICE_CODE
  return (gridDim.y | gridDim.z | blockDim.y | blockDim.z) == 1;
#else
  return false;
#endif
}

}  // namespace detail

// Rank of the calling thread among all threads of the launch: blocks in order, x fastest, then y, then z.
AMPHI_LAUNCHABLE std::int64_t global_thread_index() {
  if (detail::launch_is_line())
    return static_cast<std::int64_t>(block_index().x) * block_extent().x + thread_index().x;
  const std::int64_t before = detail::linear64(block_index(), grid_extent()) * detail::size64(block_extent());
#if AMPHI_DEVICE_CODE
  return before + detail::linear(thread_index(), block_extent());
#else
  return before + detail::linear64(thread_index(), block_extent());  // 64 bits don't wrap: a loop vectorises
#endif
}

// Number of threads of the launch.
AMPHI_LAUNCHABLE std::int64_t global_thread_count() {
  if (detail::launch_is_line()) return static_cast<std::int64_t>(grid_extent().x) * block_extent().x;
  return detail::size64(grid_extent()) * detail::size64(block_extent());
}

}  // namespace amphi
