// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_reduce.hpp"
#include "amphi/core/bits.hpp"
#include "amphi/execution/atomic_ref.hpp"
#include "amphi/execution/warp.hpp"

// More values than a GPU's second cache holds, by way of tiles: read and written straight, the values of a
// tile about in the order of their bins. Values of neighbouring bins then share cache lines, so that each
// line comes from memory once when values are read in the order of bins. Bodies for both sides.

namespace amphi::detail {

using bin_tile_index = std::uint16_t;
inline constexpr int bin_tile = 8192, bin_tile_threads = 1024, bin_tile_each = bin_tile / bin_tile_threads;

// Are n values better brought to their bins by way of tiles?
template <class A>
constexpr bool bins_pay_tiles(std::int64_t n) {
  constexpr std::int64_t cached = std::int64_t{40} << 20;  // bytes
  return sizeof(A) <= 8 && n > cached / static_cast<std::int64_t>(sizeof(A));
}
// For some type of values.
constexpr bool bins_may_pay_tiles(std::int64_t n) { return bins_pay_tiles<double>(n); }

inline std::int64_t bin_tiles(std::int64_t n) { return ceil_div(n, bin_tile); }

// The place of each element in its tile, and the element at each place; both counted from the tile's first.
// Elements are sorted by groups of bins, equal shares of all elements, in no order within a group.
template <class Name>
struct bin_tile_places {
  static constexpr const char* name = Name::name;
  static constexpr int most_groups = 4096;
  const bin_index* keys;
  const std::int64_t* offsets;  // of bins
  std::int64_t n;
  bin_tile_index *places, *elements;
  int group_bits = 0;

  bin_tile_places(const bin_index* k, const std::int64_t* o, std::int64_t count, bin_tile_index* p,
                  bin_tile_index* e)
      : keys(k), offsets(o), n(count), places(p), elements(e) {
    while (n >> group_bits >= most_groups) ++group_bits;
  }

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(next, unsigned[most_groups]);  // how many of a group; then where the next one goes
    AMPHI_SHARED(totals, unsigned[32]);
    AMPHI_SHARED(sorted, bin_tile_index[bin_tile]);
    const auto block = this_block();
    const int me = static_cast<int>(thread_index().x);
    const std::int64_t base = std::int64_t{block_index().x} * bin_tile;
    const int count = n - base < bin_tile ? static_cast<int>(n - base) : bin_tile;
    for (int g = me; g < most_groups; g += bin_tile_threads) next[g] = 0;
    block.sync();
    unsigned groups[bin_tile_each] = {};
    for (int k = 0; k < bin_tile_each; ++k) {
      const int i = me + k * bin_tile_threads;
      if (i >= count) break;
      groups[k] = static_cast<unsigned>(offsets[keys[base + i]] >> group_bits);
      atomic_ref<unsigned>(next[groups[k]]).fetch_add(1u);
    }
    block.sync();
    sum_up(block, next, totals, me);
    block.sync();
    for (int k = 0; k < bin_tile_each; ++k) {
      const int i = me + k * bin_tile_threads;
      if (i >= count) break;
      const auto place = static_cast<bin_tile_index>(atomic_ref<unsigned>(next[groups[k]]).fetch_add(1u));
      places[base + i] = place;
      sorted[place] = static_cast<bin_tile_index>(i);
    }
    block.sync();
    for (int i = me; i < count; i += bin_tile_threads) elements[base + i] = sorted[i];
  }

 private:
  // next[g] = the sum of those before it.
  template <class Block>
  AMPHI_HOST_DEVICE static void sum_up(const Block& block, unsigned* next, unsigned* totals, int me) {
    constexpr int each = most_groups / bin_tile_threads;
    const auto w = this_warp();
    const int lane = w.lane();
    unsigned own = 0;
    for (int g = 0; g < each; ++g) own += next[me * each + g];
    unsigned until = own;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned before = w.shuffle_up(until, d);
      if (lane >= d) until += before;
    }
    if (lane == 31) totals[me / 32] = until;
    block.sync();
    unsigned sum = until - own;
    for (int i = 0; i < me / 32; ++i) sum += totals[i];
    for (int g = 0; g < each; ++g) {
      const unsigned here = next[me * each + g];
      next[me * each + g] = sum;
      sum += here;
    }
  }
};

// Where the k-th value in the order of bins stands in the tiles.
template <class Name>
struct bin_tile_order {
  static constexpr const char* name = Name::name;
  const bin_index* order;
  const bin_tile_index* places;
  bin_index* to;

  AMPHI_HOST_DEVICE void operator()(std::int64_t k) const {
    const bin_index i = order[k];
    to[k] = i / bin_tile * bin_tile + places[i];
  }
};

// Brings the values of elements, as accumulators, to their places in the tiles.
template <class Name, class A, class E, class F>
struct bin_tile_values {
  static constexpr const char* name = Name::name;
  static constexpr int shared_bytes = static_cast<int>(sizeof(A)) * bin_tile;
  zip<E> source;
  F f;
  const bin_tile_index* elements;
  A* to;
  std::int64_t n;

  AMPHI_HOST_DEVICE void operator()() const {
    const auto block = this_block();
    A* const room = block.template shared<A>(bin_tile).data();
    const int me = static_cast<int>(thread_index().x);
    const std::int64_t base = std::int64_t{block_index().x} * bin_tile;
    const int count = n - base < bin_tile ? static_cast<int>(n - base) : bin_tile;
    F own = f;
    A v[bin_tile_each];  // all in flight together
    for (int k = 0; k < bin_tile_each; ++k) {
      const int i = me + k * bin_tile_threads;
      v[k] = i < count ? static_cast<A>(source.at(base + i, own)) : A();
    }
    for (int k = 0; k < bin_tile_each; ++k) room[me + k * bin_tile_threads] = v[k];
    bin_tile_index from[bin_tile_each] = {};
    for (int k = 0; k < bin_tile_each; ++k)
      if (me + k * bin_tile_threads < count) from[k] = elements[base + me + k * bin_tile_threads];
    block.sync();
    for (int k = 0; k < bin_tile_each; ++k)
      if (me + k * bin_tile_threads < count) to[base + me + k * bin_tile_threads] = room[from[k]];
  }
};

// Values in tiles, as a source of those in the order of bins.
template <class A>
struct in_tiles : permuted<const A*> {};
// Neighbouring bins, whose values share cache lines, are reduced at about the same time.
template <class A>
inline constexpr std::int64_t share_of_warp<in_tiles<A>> = 512;

// Runs `body`, of a block for each tile.
template <class Body>
void launch_bin_tiles(const algorithm_plan& plan, const Body& body, int shared_bytes = 0) {
  const std::int64_t blocks = bin_tiles(body.n);
  launch_algorithm<gpu_kernel<Body, bin_tile_threads, 2>>(
      with_geometry(plan.launch, blocks, bin_tile_threads, shared_bytes), blocks, body);
}

}  // namespace amphi::detail
