// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/segment_list.hpp"
#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/algorithm/detail/segment_tree.hpp"
#include "amphi/core/bits.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/execution/warp.hpp"

// The kernel that looks at all segments. Warps take neighbouring ones, a lane each: a short segment is
// reduced by its lane, a longer one by a part of the warp or the whole. The tiles of long ones are listed.

namespace amphi::detail {

// The most elements of a segment that a lane, eight lanes, half a warp take.
template <class A>
inline constexpr int segment_of_lane = sizeof(A) <= 8 ? 16 : 4;
inline constexpr int segment_of_eight = 64;
inline constexpr int segment_of_half = 256;

// Each warp of a launch takes `per_warp` segments, at most 32.
// `Long`: they may be longer than segment_of_warp, for which a thread needs more registers.
template <class Data, bool Long = true>
struct segments_by_warps {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  tile_list<A> list;
  int per_warp;
  int most_of_warp;  // elements of a segment that is not listed; up to 32 tiles

  AMPHI_HOST_DEVICE void operator()() const {
    const std::int64_t base = global_thread_index() / 32 * per_warp, left = d.segments.count - base;
    if (left <= 0) return;
    const warp<> w = this_warp();
    const int lane = w.lane();
    segment mine{0, -1};
    if (lane < per_warp && lane < left) mine = d.segments[base + lane];
    auto f = d.f;
    auto op = d.op;
    A sum = A();
    of_lanes(f, op, w, mine, sum);
    of_parts<8, segment_of_lane<A>, segment_of_eight>(f, op, w, lane, mine, sum);
    of_parts<(sizeof(A) <= 8 ? 16 : 32), segment_of_eight, segment_of_half>(f, op, w, lane, mine, sum);
    of_warp(f, op, w, lane, mine, sum);
    if (mine.length == 0) {
      d.put_empty(base + lane);
    } else if (mine.length > 0 && mine.length <= most_of_warp) {
      d.put(base + lane, sum);
    }
    list.add(w, lane, base, {mine.first, mine.length > most_of_warp ? mine.length : 0});
  }

  template <class F, class Op>
  AMPHI_HOST_DEVICE void of_lanes(F& f, Op& op, const warp<>& w, const segment& mine, A& sum) const {
    constexpr int most = segment_of_lane<A>;
    const bool is_short = mine.length > 0 && mine.length <= most;
    const reduce_tile tile{mine.first, is_short ? mine.length : 0};
    if (w.any(tile.length > most / 2)) {
      if (is_short) sum = reduce_in_thread<A, most>(d.source, f, op, tile, 0, 1);
    } else {
      if (is_short) sum = reduce_in_thread<A, most / 2>(d.source, f, op, tile, 0, 1);
    }
  }

  // Several segments at once, by `Lanes` lanes each: those of more than Above and up to Most elements.
  template <int Lanes, int Above, int Most, class F, class Op>
  AMPHI_HOST_DEVICE void of_parts(F& f, Op& op, const warp<>& w, int lane, const segment& mine,
                                  A& sum) const {
    constexpr int parts = 32 / Lanes;
    std::uint32_t waiting = w.ballot(mine.length > Above && mine.length <= Most);
    const std::uint32_t bit = std::uint32_t{1} << lane;
    while (waiting != 0) {
      std::uint32_t rest = waiting;
      for (int before = lane / Lanes; before > 0; --before) rest &= rest - 1;
      const int from = rest != 0 ? countr_zero(rest) : lane;
      const auto length = w.shuffle(static_cast<int>(mine.length), from);
      const reduce_tile tile{w.shuffle(mine.first, from), rest != 0 ? length : 0};
      A node = reduce_in_thread<A, Most / Lanes>(d.source, f, op, tile, lane % Lanes, Lanes);
      node = tree_over_lanes<Lanes, A>(op, node, lane % Lanes, tile.lanes());
      // To the segment's own lane.
      const int turn = popcount(waiting & (bit - 1));
      const bool is_mine = (waiting & bit) != 0 && turn < parts;
      const A result = w.shuffle(node, is_mine ? Lanes * turn : lane);
      if (is_mine) sum = result;
      for (int done = 0; done < parts; ++done) waiting &= waiting - 1;
    }
  }

  template <class F, class Op>
  AMPHI_HOST_DEVICE void of_warp(F& f, Op& op, const warp<>& w, int lane, const segment& mine, A& sum) const {
    std::uint32_t waiting = w.ballot(mine.length > segment_of_half && mine.length <= most_of_warp);
    for (; waiting != 0; waiting &= waiting - 1) {
      const int from = countr_zero(waiting);
      const segment whole{w.shuffle(mine.first, from), w.shuffle(static_cast<int>(mine.length), from)};
      A tree;
      if constexpr (Long) {
        tree = of_tiles(f, op, w, lane, whole);
      } else {
        const reduce_tile tile{whole.first, whole.length};
        tree = tile.length <= 512 ? reduce_in_warp<A, 16, 0, true>(d.source, f, op, tile, lane)
                                  : reduce_in_warp<A, 32, 0, true>(d.source, f, op, tile, lane);
      }
      const A result = w.shuffle(tree, 0);
      if (lane == from) sum = result;
    }
  }

  // A segment of up to 32 tiles; lane 0 gets its result.
  template <class F, class Op>
  AMPHI_HOST_DEVICE A of_tiles(F& f, Op& op, const warp<>& w, int lane, const segment& s) const {
    const reduce_tiles tiles(s.length, reduce_rows(1));
    A part = reduce_rows_in_warp<A>(d.source, f, op, tile_of(s, tiles, 0), lane);
    if (tiles.count == 1) return part;
    for (int t = 1; t < tiles.count; ++t) {
      const A next = reduce_rows_in_warp<A>(d.source, f, op, tile_of(s, tiles, t), lane);
      const A other = w.shuffle(next, 0);
      if (lane == t) part = other;
    }
    return tree_over_lanes<32, A>(op, part, lane, static_cast<int>(tiles.count));
  }
};

}  // namespace amphi::detail
