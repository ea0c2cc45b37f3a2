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

// The kernels of long segments, which work off the lists of tiles. Who ends a segment's last tile puts the
// tiles together.

namespace amphi::detail {

// Each warp reads its next tile's place while it reduces one.
template <class Data>
struct tiles_by_warps {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  tile_list<A> list;

  AMPHI_HOST_DEVICE void operator()() const {
    auto f = d.f;
    auto op = d.op;
    const warp<> w = this_warp();
    const int lane = w.lane();
    const std::int64_t count = list.listed(), warps = global_thread_count() / 32;
    std::int64_t i = global_thread_index() / 32;
    listed_tile next{-1, 0, 0, 0, 0};
    if (i < count) next = list.tiles[i];
    for (; i < count; i += warps) {
      const listed_tile mine = next;
      if (i + warps < count) next = list.tiles[i + warps];
      if (mine.segment < 0) continue;
      A sum = reduce_rows_in_warp<A>(d.source, f, op, mine.place(), lane);
      if (mine.tiles > 1) {
        const std::int64_t first = i - mine.tile;
        bool ends_segment = false;
        if (lane == 0) {
          list.results[i] = sum;
          ends_segment = last_to_arrive(&list.arrived[first], mine.tiles);
        }
        if (!w.any(ends_segment)) continue;
        w.sync();  // all see what lane 0 has waited for
        const zip<const A*> results{{{list.results + first}}};
        identity same;
        sum = reduce_in_warp<A, 8, 0, true>(results, same, op, reduce_tile{0, mine.tiles}, lane);
      }
      if (lane == 0) d.put(mine.segment, sum);
    }
    list.leave();
  }
};

// A tile by the calling block; thread 0 gets the result.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_this_block(const Source& source, F& f, Op& op, const reduce_tile& tile,
                                         [[maybe_unused]] bool aligned) {
#if AMPHI_DEVICE_CODE
  __shared__ reduce_stage<A> stage;
  return reduce_in_block<A>(source, f, op, tile, aligned, stage);
#else
  return thread_index().x == 0 ? reduce_on_core<A>(source, f, op, tile) : A();
#endif
}

template <class Data>
struct tiles_by_blocks {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  tile_list<A> list;
  bool aligned;  // the input's first element is, for packs of four

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(ends_segment, bool);
    const block b = this_block();
    const bool leads = thread_index().x == 0;
    const std::int64_t count = list.listed();
    auto f = d.f;
    auto op = d.op;
    for (std::int64_t i = block_index().x; i < count; i += grid_extent().x) {
      b.sync();
      const listed_tile mine = list.tiles[i];
      if (mine.segment < 0) continue;
      const A sum = reduce_in_this_block<A>(d.source, f, op, mine.place(), aligned && mine.base % 4 == 0);
      const std::int64_t first = i - mine.tile;
      if (leads) {
        list.results[i] = sum;
        ends_segment = last_to_arrive(&list.arrived[first], mine.tiles);
      }
      b.sync();
      if (!ends_segment) continue;
      const zip<const A*> results{{{list.results + first}}};
      identity same;
      const A tree = reduce_in_this_block<A>(results, same, op, reduce_tile{0, mine.tiles}, false);
      if (leads) d.put(mine.segment, tree);
    }
    list.leave();
  }
};

}  // namespace amphi::detail
