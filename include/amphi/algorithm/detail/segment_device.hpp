// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "amphi/algorithm/detail/segment_long.hpp"
#include "amphi/algorithm/detail/segment_short.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Segmented reductions on a GPU: a kernel looks at all segments and reduces them, but lists the tiles of
// those that would take it long; two more reduce these and put them together. Their bodies are written for
// both sides, so that the tests can run them, block by block, on a CPU.

namespace amphi::detail {

// Any geometry of a GPU: a thread for each segment.
template <class Data>
struct segment_by_thread {
  static constexpr const char* name = Data::name;
  Data d;
  AMPHI_HOST_DEVICE void operator()(std::int64_t s) const {
    const segment mine = d.segments[s];
    if (mine.length < 0) return;
    if (mine.length == 0) return d.put_empty(s);
    auto f = d.f;
    auto op = d.op;
    d.put(s, reduce_segment<typename Data::accumulator>(d.source, f, op, mine));
  }
};

// The most elements of a warp, if its segments are not longer; by the type that they come from.
template <class Source>
inline constexpr std::int64_t share_of_warp = 8192;

// Who looks at the segments, found from their mean length.
struct segment_shape {
  bool by_blocks;        // else by warps
  int each;              // how many one takes
  int threads;           // of a block
  int most_of_warp = 0;  // elements of a segment that a warp takes
  std::int64_t blocks;

  segment_shape(std::int64_t n, std::int64_t segments, int multiprocessors, std::int64_t share) {
    constexpr std::int64_t warps_at_a_time = 64, few = 16;
    constexpr std::int64_t long_mean = 1500, very_long_mean = 10000, most_tiles_of_warp = 32;
    const std::int64_t mean = n / segments;
    by_blocks = mean >= very_long_mean && segments >= few * multiprocessors;
    threads = reduce_threads;
    if (by_blocks) {
      each = static_cast<int>(ceil_div(segments, std::int64_t{INT32_MAX}));
      if (mean < 16384) each = (std::max)(each, 2);
      blocks = ceil_div(segments, std::int64_t{each});
      return;
    }
    // As few as there are, so that all warps work, and of long ones fewer, that end at about the same time.
    std::int64_t even = ceil_div(segments, warps_at_a_time * multiprocessors);
    even = (std::min)((std::min)(even, std::int64_t{32}), share / (mean + 1));
    each = static_cast<int>((std::max)(even, std::int64_t{1}));
    most_of_warp = each * mean >= smallest_tile ? static_cast<int>(smallest_tile) : segment_of_warp;
    if (mean >= long_mean && segments >= few * multiprocessors) {
      // Warps that don't wait for others with longer segments.
      threads = 32, each = static_cast<int>(ceil_div(segments, std::int64_t{INT32_MAX}));
      most_of_warp = static_cast<int>((std::min)(4 * mean, most_tiles_of_warp * smallest_tile));
    }
    blocks = ceil_div(segments, std::int64_t{threads / 32} * each);
  }
};

// Where the list lies in a call's scratch.
template <class A>
struct segment_room {
  std::int64_t capacity;
  std::size_t tiles, results;
  static constexpr std::size_t zeroed_bytes = 2 * sizeof(std::int64_t);

  segment_room(std::int64_t n, scratch_pieces& pieces)
      : capacity(tile_list<A>::most(n)),
        tiles(pieces.add<listed_tile>(static_cast<std::size_t>(capacity))),
        results(pieces.add<A>(static_cast<std::size_t>(capacity))) {}

  tile_list<A> list(const scratch& s) const {
    auto* const count = static_cast<std::int64_t*>(s.zeroed());
    return {capacity, scratch_pieces::at<listed_tile>(s, tiles), scratch_pieces::at<A>(s, results), count,
            reinterpret_cast<unsigned*>(count + 1)};
  }
};

template <class Data, class A>
void reduce_segments_on_gpu(const algorithm_plan& plan, const Data& d, const segment_room<A>& room,
                            const scratch& s) {
  constexpr bool small = sizeof(A) <= 4, fits = sizeof(A) <= 8;
  constexpr int by_blocks = small ? 4 : fits ? 2 : 1;  // as many as leave room for a thread's values
  const segment_shape shape(d.segments.n, d.segments.count, plan.multiprocessors,
                            share_of_warp<std::remove_const_t<decltype(d.source)>>);
  const tile_list<A> list = room.list(s);
  const auto start = [&]<int Resident, class Body>(const Body& body, std::int64_t blocks,
                                                   int threads = reduce_threads) {
    launch_algorithm<gpu_kernel<Body, reduce_threads, Resident>>(with_geometry(plan.launch, blocks, threads),
                                                                 blocks, body);
  };
  const auto start_warps = [&]<int Resident, bool Long>() {
    const segments_by_warps<Data, Long> body{d, list, shape.each, shape.most_of_warp};
    start.template operator()<Resident>(body, shape.blocks, shape.threads);
  };
  if (shape.by_blocks) {
    start.template operator()<by_blocks>(segments_by_blocks<Data>{d, list, shape.each}, shape.blocks);
  } else if constexpr (fits) {
    // More registers for long segments; fewer threads then have more values in flight.
    constexpr bool any_length = small;  // in few registers
    const std::int64_t mean = d.segments.n / d.segments.count;
    if (any_length ? shape.threads > 32 : shape.most_of_warp <= segment_of_warp && mean < 64) {
      start_warps.template operator()<4, any_length>();
    } else {
      start_warps.template operator()<(small ? 3 : 2), true>();
    }
  } else {
    start_warps.template operator()<1, true>();
  }
  if (room.capacity == 0) return;
  start.template operator()<by_blocks>(
      listed_tiles<Data>{d, list, d.source.template aligned<4>()},
      (std::min)(room.capacity, std::int64_t{fits ? by_blocks : 2} * plan.multiprocessors));
  start.template operator()<by_blocks>(
      listed_segments<Data>{d, list},
      (std::min)(ceil_div(room.capacity, std::int64_t{reduce_threads}), std::int64_t{plan.multiprocessors}));
}

}  // namespace amphi::detail
