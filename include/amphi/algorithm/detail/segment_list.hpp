// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/core/bits.hpp"
#include "amphi/execution/atomic_ref.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/execution/warp.hpp"

// The tiles of long segments wait on a list that blocks work off.

namespace amphi::detail {

// Segments of up to as many elements are not listed.
inline constexpr int segment_of_warp = 1024;

// Says that a part is done, in one thread; true for the last of `count`, which puts the counter back.
AMPHI_LAUNCHABLE bool last_to_arrive(unsigned* counter, unsigned count) {
#if AMPHI_DEVICE_CODE
  return arrive_last(counter, count);
#else
  if (__atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL) != count - 1) return false;
  __atomic_store_n(counter, 0u, __ATOMIC_RELAXED);
  return true;
#endif
}

// A tile of a long segment, `tile` of `tiles`; of none if `segment` is negative.
struct listed_tile {
  std::int64_t segment;
  std::int64_t base;  // its first element in the input
  std::uint32_t tile, tiles;
  std::int32_t length;

  AMPHI_HOST_DEVICE reduce_tile place() const { return {base, length}; }
};

template <class A>
struct tile_list {
  std::int64_t capacity;
  listed_tile* tiles;  // those of a segment stand together, in order
  A* results;          // of the tiles
  // Zero between calls.
  std::int64_t* count;  // of the tiles; with those that did not fit
  unsigned* done;       // blocks that need the list no more

  // Enough for the segments of n elements, unless they overlap: a tile is full, or the last one of a segment.
  static constexpr std::int64_t most(std::int64_t n) { return n / smallest_tile + n / (segment_of_warp + 1); }

  AMPHI_HOST_DEVICE std::int64_t listed() const { return *count < capacity ? *count : capacity; }

  // By all threads of a block that have read the list: the last block clears it.
  AMPHI_HOST_DEVICE void leave() const {
    this_block().sync();
    if (thread_index().x == 0 && last_to_arrive(done, grid_extent().x)) *count = 0;
  }

  // Lists the segments of a warp's lanes that have a length; lane l's is number base + l.
  AMPHI_HOST_DEVICE void add(const warp<>& w, int lane, std::int64_t base, const segment& mine) const {
    std::uint32_t waiting = w.ballot(mine.length > 0);
    if (waiting == 0) return;
    const std::int64_t own = mine.length > 0 ? tiles_of(mine).count : 0;
    std::int64_t until = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::int64_t before = w.shuffle_up(until, distance);
      if (lane >= distance) until += before;
    }
    std::int64_t start = 0;
    if (lane == 31) start = atomic_ref<std::int64_t>(*count).fetch_add(until);
    start = w.shuffle(start, 31) + until - own;
    for (; waiting != 0; waiting &= waiting - 1) {
      const int from = countr_zero(waiting);
      const segment s{w.shuffle(mine.first, from), w.shuffle(mine.length, from)};
      const std::int64_t first = w.shuffle(start, from);
      const reduce_tiles all = tiles_of(s);
      // Segments that overlap need more room. Then offsets decrease somewhere, which is reported there.
      const bool fits = first + all.count <= capacity;
      for (std::int64_t t = lane; t < all.count && first + t < capacity; t += 32) {
        const reduce_tile place = tile_of(s, all, t);
        tiles[first + t] = {fits ? base + from : -1, place.base, static_cast<std::uint32_t>(t),
                            static_cast<std::uint32_t>(all.count),
                            fits ? static_cast<std::int32_t>(place.length) : 1};
      }
    }
  }
};

}  // namespace amphi::detail
