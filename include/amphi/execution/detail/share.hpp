// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/execution/thread_index.hpp"

namespace amphi::detail {

// The part of `count` items, numbered from 0, that one participant visits: offset, offset + stride, …
// `visits` times. stride is 1 where the part is a contiguous chunk.
struct share {
  std::uint64_t offset, visits, stride;
};

// One of `parts` contiguous chunks whose sizes differ by at most one; larger ones first.
AMPHI_LAUNCHABLE share chunk_share(std::uint64_t count, std::uint64_t part, std::uint64_t parts) {
  const std::uint64_t quotient = count / parts, rest = count % parts;
  return {quotient * part + (part < rest ? part : rest), quotient + (part < rest ? 1u : 0u), 1};
}

// Every parts-th item.
AMPHI_LAUNCHABLE share strided_share(std::uint64_t count, std::uint64_t part, std::uint64_t parts) {
  if (part >= count) return {0, 0, 1};
  const std::uint64_t rest = count - part;
  if (rest <= parts) return {part, 1, 1};  // one visit, as in a monolithic launch: no division
  if ((rest >> 32) == 0) {
    const auto r = static_cast<std::uint32_t>(rest), p = static_cast<std::uint32_t>(parts);
    return {part, r / p + (r % p != 0 ? 1u : 0u), parts};
  }
  return {part, rest / parts + (rest % parts != 0 ? 1u : 0u), parts};
}

// What the calling thread visits of a grid-stride loop: on a GPU, and in an exact geometry on the CPU, every
// n-th item; in an automatic launch on the CPU one contiguous chunk, so that loops vectorise.
AMPHI_LAUNCHABLE share grid_share(std::uint64_t count) {
  const auto part = static_cast<std::uint64_t>(global_thread_index());
  const auto parts = static_cast<std::uint64_t>(global_thread_count());
#if !AMPHI_DEVICE_CODE
  if (current_context.chunked) return chunk_share(count, part, parts);
#endif
  return strided_share(count, part, parts);
}

// The same within the block.
AMPHI_LAUNCHABLE share block_share(std::uint64_t count) {
  return strided_share(count, linear(thread_index(), block_extent()),
                       static_cast<std::uint64_t>(size64(block_extent())));
}

}  // namespace amphi::detail
