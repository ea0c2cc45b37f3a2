// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_device.hpp"
#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/core/bits.hpp"
#include "amphi/execution/atomic_ref.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/warp.hpp"

// Segmented reductions on a GPU. Warps take neighbouring segments, a lane each: a short one is reduced by its
// lane, a longer one by a quarter of the warp or the whole. Tiles of long segments go onto a list, which the
// blocks of a second kernel work off. The bodies are written for both sides, so that the tests can run them,
// block by block, on a CPU.

namespace amphi::detail {

// The most elements of a segment that a lane, eight lanes, a warp take.
template <class A>
inline constexpr int segment_of_lane = sizeof(A) <= 8 ? 16 : 4;
inline constexpr int segment_of_eight = 64;
inline constexpr int segment_of_warp = 1024;

// A tile of a long segment; of none if `segment` is negative.
struct listed_tile {
  std::int64_t segment, tile;
};

template <class A>
struct segment_tiles {
  std::int64_t capacity;
  listed_tile* list;  // the tiles of a segment stand together, in order
  A* results;         // of the list's tiles
  // Zero between calls.
  std::int64_t* count;  // of the list
  unsigned* done;       // blocks
  unsigned* arrived;    // of the tiles of one segment, where its first one stands

  // Enough for segments that do not overlap: a tile is full, or the last one of a long segment.
  static constexpr std::int64_t most(std::int64_t n) { return n / smallest_tile + n / (segment_of_warp + 1); }
};

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

// Count lanes of the tree over `length` elements: v[k] is lane first + k * step. v[0] gets the tree over
// them.
template <int Count, class A, class Op>
AMPHI_HOST_DEVICE void tree_in_thread(Op& op, A* v, int first, int step, int length) {
  if constexpr (Count > 1) {
    constexpr int half = Count / 2;
    for (int k = 0; k < half; ++k)
      if (first + (k + half) * step < length) v[k] = combine<A>(op, v[k], v[k + half]);
    tree_in_thread<half, A>(op, v, first, step, length);
  }
}

// The same from the elements; of none, A().
template <class A, int Count, class Data, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_thread(const Data& d, F& f, Op& op, const segment& s, int first, int step) {
  const int length = static_cast<int>(s.length);
  A v[Count];
  for (int k = 0; k < Count; ++k) {
    const int lane = first + k * step;
    if (lane < length) {
      v[k] = static_cast<A>(d.source.at(s.first + lane, f));
    } else {
      v[k] = A();
    }
  }
  tree_in_thread<Count, A>(op, v, first, step, length);
  return v[0];
}

// The rest of the tree, over `Lanes` neighbours of a warp; the lowest gets it. `lane`: the caller's number
// among them.
template <int Lanes, class A, class Op>
AMPHI_HOST_DEVICE A tree_over_lanes(Op& op, A sum, int lane, int length) {
  const warp<> w = this_warp();
  for (int d = Lanes / 2; d > 0; d /= 2) {
    const A other = w.shuffle_down(sum, d);
    if (lane < d && lane + d < length) sum = combine<A>(op, sum, other);
  }
  return sum;
}

// A segment of up to 1024 elements by a warp, a few of whose lanes are in flight together.
template <class A, class Data, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_warp(const Data& d, F& f, Op& op, const segment& s, int lane) {
  constexpr int beside = 8;
  const int length = static_cast<int>(s.length);
  const int batches = length <= 32 * beside ? 1 : length <= 64 * beside ? 2 : 4;
  const auto batch = [&](int b) {
    return reduce_in_thread<A, beside>(d, f, op, s, lane + 32 * b, 32 * batches);
  };
  // Distances 64 and 32, where all lanes hold a value.
  A sum = batch(0);
  if (batches == 4) sum = combine<A>(op, sum, batch(2));
  if (batches > 1) {
    A right = batch(1);
    if (batches == 4) right = combine<A>(op, right, batch(3));
    sum = combine<A>(op, sum, right);
  }
  return tree_over_lanes<32, A>(op, sum, lane, length);
}

// Each warp of a launch takes `per_warp` segments, at most 32.
template <class Data>
struct segments_by_warps {
  static constexpr const char* name = segmented_name;
  using A = typename Data::accumulator;
  Data d;
  segment_tiles<A> tiles;
  int per_warp;

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
    of_eights(f, op, w, lane, mine, sum);
    of_warp(f, op, w, lane, mine, sum);
    if (mine.length == 0) {
      d.put_empty(base + lane);
    } else if (mine.length > 0 && mine.length <= segment_of_warp) {
      d.put(base + lane, sum);
    }
    list_tiles(w, lane, base, mine);
  }

 private:
  template <class F, class Op>
  AMPHI_HOST_DEVICE void of_lanes(F& f, Op& op, const warp<>& w, const segment& mine, A& sum) const {
    constexpr int most = segment_of_lane<A>;
    const bool is_short = mine.length > 0 && mine.length <= most;
    const segment s{mine.first, is_short ? mine.length : 0};
    if (w.any(s.length > most / 2)) {
      if (is_short) sum = reduce_in_thread<A, most>(d, f, op, s, 0, 1);
    } else {
      if (is_short) sum = reduce_in_thread<A, most / 2>(d, f, op, s, 0, 1);
    }
  }

  // Four segments at once, by eight lanes each.
  template <class F, class Op>
  AMPHI_HOST_DEVICE void of_eights(F& f, Op& op, const warp<>& w, int lane, const segment& mine,
                                   A& sum) const {
    std::uint32_t waiting = w.ballot(mine.length > segment_of_lane<A> && mine.length <= segment_of_eight);
    const std::uint32_t bit = std::uint32_t{1} << lane;
    while (waiting != 0) {
      std::uint32_t rest = waiting;
      for (int before = lane / 8; before > 0; --before) rest &= rest - 1;
      const int from = rest != 0 ? countr_zero(rest) : lane;
      const auto length = w.shuffle(static_cast<int>(mine.length), from);
      const segment s{w.shuffle(mine.first, from), rest != 0 ? length : 0};
      A node = reduce_in_thread<A, 8>(d, f, op, s, lane % 8, 8);
      node = tree_over_lanes<8, A>(op, node, lane % 8, static_cast<int>(s.length));
      // To the segment's own lane.
      const int turn = popcount(waiting & (bit - 1));
      const bool is_mine = (waiting & bit) != 0 && turn < 4;
      const A result = w.shuffle(node, is_mine ? 8 * turn : lane);
      if (is_mine) sum = result;
      for (int done = 0; done < 4; ++done) waiting &= waiting - 1;
    }
  }

  template <class F, class Op>
  AMPHI_HOST_DEVICE void of_warp(F& f, Op& op, const warp<>& w, int lane, const segment& mine, A& sum) const {
    std::uint32_t waiting = w.ballot(mine.length > segment_of_eight && mine.length <= segment_of_warp);
    for (; waiting != 0; waiting &= waiting - 1) {
      const int from = countr_zero(waiting);
      const segment s{w.shuffle(mine.first, from), w.shuffle(static_cast<int>(mine.length), from)};
      const A result = w.shuffle(reduce_in_warp<A>(d, f, op, s, lane), 0);
      if (lane == from) sum = result;
    }
  }

  AMPHI_HOST_DEVICE void list_tiles(const warp<>& w, int lane, std::int64_t base, const segment& mine) const {
    const bool is_long = mine.length > segment_of_warp;
    std::uint32_t waiting = w.ballot(is_long);
    if (waiting == 0) return;
    const std::int64_t own = is_long ? tiles_of(mine).count : 0;
    std::int64_t until = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::int64_t before = w.shuffle_up(until, distance);
      if (lane >= distance) until += before;
    }
    std::int64_t start = 0;
    if (lane == 31) start = atomic_ref<std::int64_t>(*tiles.count).fetch_add(until);
    start = w.shuffle(start, 31) + until - own;
    for (; waiting != 0; waiting &= waiting - 1) {
      const int from = countr_zero(waiting);
      const std::int64_t first = w.shuffle(start, from), count = w.shuffle(own, from);
      // Segments that overlap need more room. Then offsets decrease somewhere, which is reported there.
      const bool fits = first + count <= tiles.capacity;
      for (std::int64_t t = lane; t < count && first + t < tiles.capacity; t += 32)
        tiles.list[first + t] = {fits ? base + from : -1, t};
    }
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

// Works off the list. The block that ends a segment's last tile puts the tiles together.
template <class Data>
struct segments_by_blocks {
  static constexpr const char* name = segmented_name;
  using A = typename Data::accumulator;
  Data d;
  segment_tiles<A> tiles;
  bool aligned;  // the input's first element is, for packs of four

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(ends_segment, bool);
    const block b = this_block();
    const bool leads = thread_index().x == 0;
    const std::int64_t listed = *tiles.count, count = listed < tiles.capacity ? listed : tiles.capacity;
    auto f = d.f;
    auto op = d.op;
    for (std::int64_t i = block_index().x; i < count; i += grid_extent().x) {
      b.sync();
      const listed_tile mine = tiles.list[i];
      if (mine.segment < 0) continue;
      const segment s = d.segments.at(mine.segment);
      const reduce_tiles all = tiles_of(s);
      const reduce_tile tile = tile_of(s, all, mine.tile);
      const A sum = reduce_in_this_block<A>(d.source, f, op, tile, aligned && tile.base % 4 == 0);
      if (all.count == 1) {
        if (leads) d.put(mine.segment, sum);
        continue;
      }
      const std::int64_t first = i - mine.tile;
      if (leads) {
        tiles.results[i] = sum;
        ends_segment = last_to_arrive(&tiles.arrived[first], static_cast<unsigned>(all.count));
      }
      b.sync();
      if (!ends_segment) continue;
      const zip<const A*> results{{{tiles.results + first}}};
      identity same;
      const A tree = reduce_in_this_block<A>(results, same, op, reduce_tile{0, all.count}, false);
      if (leads) d.put(mine.segment, tree);
    }
    b.sync();  // all have read the count
    if (leads && last_to_arrive(tiles.done, grid_extent().x)) *tiles.count = 0;
  }
};

// Any geometry of a GPU: a thread for each segment.
template <class Data>
struct segment_by_thread {
  static constexpr const char* name = segmented_name;
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

template <class Data>
void reduce_segments_on_gpu(const algorithm_plan& plan, const Data& d) {
  using A = typename Data::accumulator;
  constexpr int warp_kernels = sizeof(A) <= 8 ? 4 : 1, block_kernels = sizeof(A) <= 4   ? 3
                                                                       : sizeof(A) <= 8 ? 2
                                                                                        : 1;
  const std::int64_t n = d.segments.n, capacity = segment_tiles<A>::most(n);
  const auto room = static_cast<std::size_t>(capacity);
  scratch_pieces pieces;
  const std::size_t list = pieces.add<listed_tile>(room), results = pieces.add<A>(room);
  constexpr std::size_t counters = 16;
  const scratch s(segmented_name, plan, pieces.bytes(), counters + room * sizeof(unsigned));
  char* const zeroed = static_cast<char*>(s.zeroed());
  const segment_tiles<A> tiles{capacity,
                               scratch_pieces::at<listed_tile>(s, list),
                               scratch_pieces::at<A>(s, results),
                               reinterpret_cast<std::int64_t*>(zeroed),
                               reinterpret_cast<unsigned*>(zeroed + 8),
                               reinterpret_cast<unsigned*>(zeroed + counters)};
  constexpr int warps = reduce_threads / 32;
  const int per_warp = segments_of_warp(d.segments.count, std::int64_t{64} * plan.multiprocessors);
  const std::int64_t blocks = ceil_div(d.segments.count, std::int64_t{warps} * per_warp);
  using by_warps = segments_by_warps<Data>;
  launch_algorithm<gpu_kernel<by_warps, reduce_threads, warp_kernels>>(
      with_geometry(plan.launch, blocks, reduce_threads), blocks, by_warps{d, tiles, per_warp});
  if (n <= segment_of_warp) return;
  using by_blocks = segments_by_blocks<Data>;
  const std::int64_t most_blocks = std::int64_t{8} * plan.multiprocessors;
  const policy p =
      with_geometry(plan.launch, capacity < most_blocks ? capacity : most_blocks, reduce_threads);
  launch_algorithm<gpu_kernel<by_blocks, reduce_threads, block_kernels>>(
      p, capacity, by_blocks{d, tiles, d.source.template aligned<4>()});
}

}  // namespace amphi::detail
