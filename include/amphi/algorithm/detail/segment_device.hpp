// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/segment_long.hpp"
#include "amphi/algorithm/detail/segment_short.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Segmented reductions on a GPU: a kernel looks at all segments and reduces short ones; two others, which run
// where there can be such, reduce the long ones. Their bodies are written for both sides, so that the tests
// can run them, block by block, on a CPU.

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

// Segments that a warp takes when `warps` of them can be at work: as few as there are, so that all work.
inline int segments_of_warp(std::int64_t segments, std::int64_t warps) {
  const std::int64_t even = ceil_div(segments, warps);
  return static_cast<int>(even < 1 ? 1 : even > 32 ? 32 : even);
}

// Where both lists lie in a call's scratch.
template <class A>
struct segment_room {
  std::int64_t for_warps, for_blocks;
  std::size_t list, results;
  // Zeroed: counts of both lists, blocks that are done with each, and arrivals.
  static constexpr std::size_t counters = 24;

  segment_room(std::int64_t n, scratch_pieces& pieces)
      : for_warps(segment_tiles<A>::most_of_warps(n)),
        for_blocks(segment_tiles<A>::most_of_blocks(n)),
        list(pieces.add<listed_tile>(room())),
        results(pieces.add<A>(room())) {}
  std::size_t room() const { return static_cast<std::size_t>(for_warps + for_blocks); }
  std::size_t zeroed_bytes() const { return counters + room() * sizeof(unsigned); }

  segment_tiles<A> tiles(const scratch& s) const {
    char* const zeroed = static_cast<char*>(s.zeroed());
    auto* const counts = reinterpret_cast<std::int64_t*>(zeroed);
    auto* const done = reinterpret_cast<unsigned*>(counts + 2);
    auto* const arrived = reinterpret_cast<unsigned*>(zeroed + counters);
    listed_tile* const tiles = scratch_pieces::at<listed_tile>(s, list);
    A* const sums = scratch_pieces::at<A>(s, results);
    return {{for_warps, tiles, sums, counts, arrived, done},
            {for_blocks, tiles + for_warps, sums + for_warps, counts + 1, arrived + for_warps, done + 1}};
  }
};

template <class Data, class A>
void reduce_segments_on_gpu(const algorithm_plan& plan, const Data& d, const segment_room<A>& room,
                            const scratch& s) {
  constexpr bool small = sizeof(A) <= 4, fits = sizeof(A) <= 8;
  constexpr int short_blocks = fits ? 4 : 1, long_blocks = small ? 3 : fits ? 2 : 1;
  const std::int64_t n = d.segments.n;
  const segment_tiles<A> tiles = room.tiles(s);
  constexpr int warps = reduce_threads / 32;
  const int per_warp = segments_of_warp(d.segments.count, std::int64_t{64} * plan.multiprocessors);
  const std::int64_t blocks = ceil_div(d.segments.count, std::int64_t{warps} * per_warp);
  using by_warps = segments_by_warps<Data>;
  launch_algorithm<gpu_kernel<by_warps, reduce_threads, short_blocks>>(
      with_geometry(plan.launch, blocks, reduce_threads), blocks, by_warps{d, tiles, per_warp});
  if (n <= segment_of_warp) return;
  const auto launch_long = [&]<class Body>(const Body& body, std::int64_t all) {
    const std::int64_t most = std::int64_t{long_blocks} * plan.multiprocessors;
    launch_algorithm<gpu_kernel<Body, reduce_threads, long_blocks>>(
        with_geometry(plan.launch, all < most ? all : most, reduce_threads), all, body);
  };
  launch_long(tiles_by_warps<Data>{d, tiles.of_warps}, ceil_div(room.for_warps, std::int64_t{warps}));
  if (n < tall_segment) return;
  launch_long(tiles_by_blocks<Data>{d, tiles.of_blocks, d.source.template aligned<4>()}, room.for_blocks);
}

}  // namespace amphi::detail
