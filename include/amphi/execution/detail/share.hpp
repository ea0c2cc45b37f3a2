// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/execution/thread_index.hpp"

namespace amphi::detail {

// The part of some items, numbered from 0, that one participant visits: offset, offset + stride, … below end.
// stride is 1 where the part is a contiguous chunk.
struct share {
  std::uint64_t offset, end, stride;

  AMPHI_HOST_DEVICE constexpr std::uint64_t visits() const {
    if (offset >= end) return 0;
    return stride == 1 ? end - offset : (end - offset - 1) / stride + 1;
  }
};

// One of `parts` contiguous chunks whose sizes differ by at most one; larger ones first.
AMPHI_LAUNCHABLE share chunk_share(std::uint64_t count, std::uint64_t part, std::uint64_t parts) {
  const std::uint64_t quotient = count / parts, rest = count % parts;
  const std::uint64_t offset = quotient * part + (part < rest ? part : rest);
  return {offset, offset + quotient + (part < rest ? 1u : 0u), 1};
}

// What the calling thread visits of a grid-stride loop: on a GPU, and in an exact geometry on the CPU, every
// n-th item; in an automatic launch on the CPU one contiguous chunk, so that loops vectorise.
AMPHI_LAUNCHABLE share grid_share(std::uint64_t count) {
  const auto part = static_cast<std::uint64_t>(global_thread_index());
  const auto parts = static_cast<std::uint64_t>(global_thread_count());
#if !AMPHI_DEVICE_CODE
  if (current_context.chunked) return chunk_share(count, part, parts);
#endif
  return {part, count, parts};
}

// What grid_share gives on a GPU, by one question for both numbers and with the long answer out of the way:
// what a kernel of a few microseconds runs through first is to be short. A compiler can't count the visits of
// a loop over it, and so does not unroll the loop.
AMPHI_LAUNCHABLE share device_share(std::uint64_t count) {
  if (__builtin_expect(launch_is_line(), 1))
    return {static_cast<std::uint64_t>(block_index().x) * block_extent().x + thread_index().x, count,
            static_cast<std::uint64_t>(grid_extent().x) * block_extent().x};
  return grid_share(count);
}

// What grid_share gives, within the block.
AMPHI_LAUNCHABLE share block_share(std::uint64_t count) {
  return {linear(thread_index(), block_extent()), count, static_cast<std::uint64_t>(size64(block_extent()))};
}

}  // namespace amphi::detail
