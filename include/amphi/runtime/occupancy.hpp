// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/runtime/limits.hpp"

namespace amphi {

// What keeps more blocks from living on a multiprocessor at once. When several do, the first in this order.
// `impossible`: not even one block fits.
enum class occupancy_limit { threads, registers, shared_memory, blocks, impossible };

// "threads", "registers", …
const char* name(occupancy_limit limit);

// How many blocks live on one multiprocessor at the same time.
struct occupancy_result {
  int blocks = 0;
  int warps = 0;
  int threads = 0;        // of the blocks, without the idle lanes of a block that is no multiple of a warp
  double fraction = 0;    // warps, of those that the multiprocessor can hold
  double idle_lanes = 0;  // share of the warps' lanes that have no thread
  occupancy_limit limited_by = occupancy_limit::impossible;
};

// The occupancy of a kernel that uses `registers` per thread and `shared_bytes` (static and dynamic) per
// block of `block` threads. Needs no GPU. Throws launch_error for numbers that no kernel can have: negative
// ones, or no thread.
occupancy_result occupancy(const device_limits& limits, int registers, std::int64_t shared_bytes, int block);

// The block size, a multiple of a warp up to `max_block`, with the most warps per multiprocessor; of several
// the largest. 0 when no block fits. `shared_bytes_per_thread` is added for each thread of the block.
int max_occupancy_block(const device_limits& limits, int registers, std::int64_t shared_bytes,
                        int max_block = 1024, std::int64_t shared_bytes_per_thread = 0);

}  // namespace amphi
