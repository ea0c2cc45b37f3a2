// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_device.hpp"
#include "amphi/algorithm/detail/segment_list.hpp"
#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/algorithm/detail/segment_tree.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/execution/warp.hpp"

// Long segments, tile by tile, by blocks.

namespace amphi::detail {

// The most tiles of a segment that a block reduces alone, and that a warp puts together.
inline constexpr int tiles_of_block = 64, tiles_of_warp = 256;

// A tile by the calling block; thread 0 gets the result. The first warp may still be at it when the others go
// on to the next tile, of another `turn`, 0 or 1.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_this_block(const Source& source, F& f, Op& op, const reduce_tile& tile,
                                         [[maybe_unused]] bool aligned, [[maybe_unused]] int turn) {
#if AMPHI_DEVICE_CODE
  static_assert(sizeof(A) <= 144,
                "amphi: accumulators of segments and bins have at most 144 bytes in a build for GPUs");
  constexpr int turns = reduce_stages<A>;
  __shared__ reduce_stage<A> stages[turns];
  if (turns == 1) __syncthreads();
  A* const stage = stages[turn % turns].data();
  if constexpr (Source::packable && packs<A> && sizeof(A) <= 8)
    if (aligned && tile.length % (4 * reduce_lanes) == 0)
      return reduce_tile_of_packs<A>(source, f, op, tile, stage);
  return reduce_lane_by_lane<A>(source, f, op, tile, stage);
#else
  return thread_index().x == 0 ? reduce_on_core<A>(source, f, op, tile) : A();
#endif
}

// The result of a segment from those of its tiles, by a warp, whose lane 0 gets it.
template <class A, int Most, class Op>
AMPHI_HOST_DEVICE A put_tiles_together(Op& op, const A* results, std::int64_t tiles, int lane) {
  const zip<const A*> source{{{results}}};
  identity same;
  return reduce_in_warp<A, Most / 32, 0, true>(source, same, op, reduce_tile{0, tiles}, lane);
}

// Blocks take `per_block` neighbouring segments each, where there are many long ones. The tiles of very long
// ones are listed. Where a segment lies is read while the one before is reduced.
template <class Data>
struct segments_by_blocks {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  struct results {
    alignas(A) unsigned char bytes[sizeof(A) * tiles_of_block];
  };
  Data d;
  tile_list<A> list;
  int per_block;

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(space, results);
    A* const parts = reinterpret_cast<A*>(space.bytes);
    const int me = static_cast<int>(thread_index().x);
    const std::int64_t first = std::int64_t{per_block} * block_index().x;
    const std::int64_t left = d.segments.count - first;
    const int count = left < per_block ? static_cast<int>(left) : per_block;
    auto f = d.f;
    auto op = d.op;
    segment next = count > 0 ? place(first, me) : segment{0, -1};
    for (int k = 0, turn = 0; k < count; ++k) {
      const segment mine = next;
      if (k + 1 < count) next = place(first + k + 1, me);
      if (mine.length <= 0) {
        if (me == 0 && mine.length == 0) d.put_empty(first + k);
      } else if (mine.length > tiles_of_block * smallest_tile) {
        if (me < 32) list.add(this_warp(), me, first + k, {mine.first, me == 0 ? mine.length : 0});
      } else {
        const reduce_tiles tiles(mine.length, reduce_rows(1));
        A sum = A();
        for (int t = 0; t < tiles.count; ++t, turn ^= 1) {
          sum = reduce_in_this_block<A>(d.source, f, op, tile_of(mine, tiles, t), false, turn);
          if (me == 0 && tiles.count > 1) parts[t] = sum;
        }
        if (me < 32) {
          if (tiles.count > 1) {
            this_warp().sync();
            sum = put_tiles_together<A, tiles_of_block>(op, parts, tiles.count, me);
            this_warp().sync();  // before the parts of the next segment
          }
          if (me == 0) d.put(first + k, sum);
        }
      }
    }
  }

 private:
  // One thread reports bad offsets.
  AMPHI_HOST_DEVICE segment place(std::int64_t s, int me) const {
    const segment mine = d.segments.checked(s);
    if (mine.length < 0 && me == 0) (void)d.segments[s];
    return mine;
  }
};

// Works off the list. Where a tile lies is read while the one before is reduced.
template <class Data>
struct listed_tiles {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  tile_list<A> list;
  bool aligned;  // the input's first element is, for packs of four

  AMPHI_HOST_DEVICE void operator()() const {
    const bool leads = thread_index().x == 0;
    const std::int64_t count = list.listed();
    auto f = d.f;
    auto op = d.op;
    std::int64_t i = block_index().x;
    reduce_tile next{0, 0};
    if (i < count) next = list.tiles[i].place();
    for (int turn = 0; i < count; turn ^= 1) {
      const reduce_tile mine = next;
      const std::int64_t here = i;
      i += grid_extent().x;
      if (i < count) next = list.tiles[i].place();
      const A sum = reduce_in_this_block<A>(d.source, f, op, mine, aligned && mine.base % 4 == 0, turn);
      if (leads) list.results[here] = sum;
    }
  }
};

// Puts the tiles of listed segments together, and clears the list. A warp looks at 32 tiles for those that a
// segment begins with.
template <class Data>
struct listed_segments {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  tile_list<A> list;

  AMPHI_HOST_DEVICE void operator()() const {
    const warp<> w = this_warp();
    const int lane = w.lane();
    const std::int64_t count = list.listed(), warps = global_thread_count() / 32;
    auto op = d.op;
    for (std::int64_t base = global_thread_index() / 32 * 32; base < count; base += 32 * warps) {
      std::int64_t segment = -1;
      std::uint32_t tiles = 0;
      if (base + lane < count) {
        const listed_tile& mine = list.tiles[base + lane];
        if (mine.tile == 0) segment = mine.segment, tiles = mine.tiles;
      }
      std::uint32_t waiting = w.ballot(segment >= 0);
      for (; waiting != 0; waiting &= waiting - 1) {
        const int from = countr_zero(waiting);
        const auto number = w.shuffle(segment, from);
        const std::int64_t all = w.shuffle(tiles, from);
        const A* const results = list.results + base + from;
        if (all <= tiles_of_warp) {
          const A sum = put_tiles_together<A, tiles_of_warp>(op, results, all, lane);
          if (lane == 0) d.put(number, sum);
        } else {
          const zip<const A*> source{{{results}}};
          identity same;
          const A sum = reduce_tall_in_warp<A>(source, same, op, all, lane);
          if (lane == 0) d.put(number, sum);
        }
      }
    }
    list.leave();
  }
};

}  // namespace amphi::detail
