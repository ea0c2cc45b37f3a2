// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_order.hpp"

// Each bin reduced as reduce() would reduce its elements: first the tiles of all long bins, then the short
// bins and what the tiles gave.

namespace amphi::detail {

// Elements by way of a permutation.
template <class E>
struct permuted {
  using value_type = typename element_of<E>::type;
  E elements;
  const bin_index* order;  // null: they lie in bin order
  AMPHI_HOST_DEVICE decltype(auto) operator[](std::int64_t i) const {
    return elements[order == nullptr ? i : static_cast<std::int64_t>(order[i])];
  }
};

// Slots for the tiles of bins, in order; a bin has at least as many as it has tiles.
struct bin_slots {
  static constexpr std::int64_t short_bin = 64;  // is reduced by one thread
  static constexpr std::int64_t tile = 4 * reduce_lanes;
  const std::int64_t* offsets;
  std::int64_t bins;

  static AMPHI_HOST_DEVICE std::int64_t count(std::int64_t n, std::int64_t bin_count) {
    return n / tile + bin_count;
  }
  AMPHI_HOST_DEVICE std::int64_t first(std::int64_t bin) const { return offsets[bin] / tile + bin; }
  AMPHI_HOST_DEVICE std::int64_t bin_of(std::int64_t slot) const {
    std::int64_t low = 0, high = bins - 1;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (first(middle) <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
  // The tile of a slot; empty if there is none.
  AMPHI_HOST_DEVICE reduce_tile tile_of(std::int64_t slot) const {
    const std::int64_t bin = bin_of(slot), base = offsets[bin], length = offsets[bin + 1] - base;
    const reduce_tiles tiles(length, reduce_rows(length));
    const std::int64_t t = slot - first(bin);
    if (length <= short_bin || t < 0 || t >= tiles.count) return {0, 0};
    const reduce_tile mine = tiles[t];
    return {base + mine.base, mine.length};
  }
};

template <class Source, class F, class A, class Op, class Out>
struct bin_data {
  Source source;
  F f;
  Op op;
  A init;
  bool add;  // to what `out` holds, instead of init
  Out* out;
  bin_slots slots;
  A* partial;  // of slots
};

template <class Name, class Data>
struct bin_tiles_task {
  static constexpr const char* name = Name::name;
  Data d;
  AMPHI_HOST_DEVICE void operator()(std::int64_t slot) const {
    using A = std::remove_cvref_t<decltype(*d.partial)>;
    const reduce_tile tile = d.slots.tile_of(slot);
    if (tile.length == 0) return;
    auto f = d.f;
    auto op = d.op;
    d.partial[slot] = reduce_by_one<A>(d.source, f, op, tile);
  }
};

// A block for each slot.
template <class Name>
struct bin_tiles_kernel {
  static constexpr const char* name = Name::name;
  static constexpr int threads = reduce_threads;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class Data>
  __device__ static void device(Data d, std::int64_t slots) {
    using A = std::remove_cvref_t<decltype(*d.partial)>;
    __shared__ reduce_stage<A> stage;
    __shared__ reduce_tile shared_tile;
    for (std::int64_t slot = blockIdx.x; slot < slots; slot += gridDim.x) {
      __syncthreads();
      if (threadIdx.x == 0) shared_tile = d.slots.tile_of(slot);
      __syncthreads();
      const reduce_tile tile = shared_tile;
      if (tile.length == 0) continue;
      const A sum = reduce_in_block<A>(d.source, d.f, d.op, tile, false, stage);
      if (threadIdx.x == 0) d.partial[slot] = sum;
    }
  }
#endif
  template <class Data>
  static void host(const Data&, std::int64_t) {}  // the CPU takes the tasks
};

template <class Name, class Data>
struct bin_results {
  static constexpr const char* name = Name::name;
  Data d;
  AMPHI_HOST_DEVICE void operator()(std::int64_t bin) const {
    using A = std::remove_cvref_t<decltype(*d.partial)>;
    using Out = std::remove_cvref_t<decltype(*d.out)>;
    const std::int64_t base = d.slots.offsets[bin], length = d.slots.offsets[bin + 1] - base;
    if (length == 0) {
      if (!d.add) d.out[bin] = static_cast<Out>(d.init);
      return;
    }
    auto f = d.f;
    auto op = d.op;
    A tree;
    if (length <= bin_slots::short_bin) {
      tree = reduce_few<A>(d.source, f, op, base, static_cast<int>(length));
    } else {
      const zip<const A*> parts{{{d.partial + d.slots.first(bin)}}};
      identity same;
      tree =
          reduce_by_one<A>(parts, same, op, reduce_tile{0, reduce_tiles(length, reduce_rows(length)).count});
    }
    const A before = d.add ? static_cast<A>(d.out[bin]) : d.init;
    d.out[bin] = static_cast<Out>(combine<A>(op, before, tree));
  }
};

template <class A>
std::size_t bin_partials(std::int64_t n, std::int64_t bins) {
  return static_cast<std::size_t>(bin_slots::count(n, bins)) + 1;
}

template <class Name, class A, class E, class F, class Op, class Out>
void reduce_bins(const algorithm_plan& plan, const E& elements, std::int64_t n, const bin_index* order,
                 const std::int64_t* offsets, std::int64_t bins, Out* out, const A& init, bool add,
                 const Op& op, const F& f, A* partial) {
  if (bins == 0) return;
  const auto source = make_zip(permuted<E>{elements, order});
  using data = bin_data<std::remove_const_t<decltype(source)>, F, A, Op, Out>;
  const data d{source, f, op, init, add, out, {offsets, bins}, partial};
  const std::int64_t slots = bin_slots::count(n, bins);
  bool done = false;
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && plan.automatic) {
      const std::int64_t blocks = slots < INT32_MAX ? slots : INT32_MAX;
      launch_algorithm<bin_tiles_kernel<Name>>(with_geometry(plan.launch, blocks, reduce_threads), slots, d,
                                               slots);
      done = true;
    }
  }
  if (!done) launch_tasks(plan, slots, bin_tiles_task<Name, data>{d});
  launch_tasks(plan, bins, bin_results<Name, data>{d});
}

}  // namespace amphi::detail
