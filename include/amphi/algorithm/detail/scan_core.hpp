// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "amphi/algorithm/detail/scan_order.hpp"

// Scans on a CPU core: a tile is summed up in one pass, which leaves each thread's running sums behind; when
// it is known what stands before the tile, a second pass over them, still in the cache, gives the results.

namespace amphi::detail {

// Running sums of `Threads` neighbouring threads' items, side by side so that their additions overlap.
template <class A, class Source, class Op, std::size_t... J>
void scan_core_threads(const Source& source, Op& op, std::int64_t base, A* local, A* sums,
                       std::index_sequence<J...>) {
  constexpr int items = scan_shape<A>::items;
  identity same;
  A sum[] = {static_cast<A>(source.at(base + static_cast<std::int64_t>(J) * items, same))...};
  ((local[J * items] = sum[J]), ...);
  for (int k = 1; k < items; ++k) {
    ((sum[J] = combine<A>(op, sum[J],
                          static_cast<A>(source.at(base + static_cast<std::int64_t>(J) * items + k, same))),
      local[static_cast<int>(J) * items + k] = sum[J]),
     ...);
  }
  ((sums[J] = sum[J]), ...);
}

// Kogge-Stone over lanes, from distance D on.
template <int D, class A, class Op>
inline __attribute__((always_inline)) void scan_core_lanes(Op& op, A* sums, int lanes) {
  if (D >= lanes) return;
  A left[32];
  for (int l = D; l < lanes; ++l) left[l] = sums[l - D];
  for (int l = D; l < lanes; ++l) sums[l] = combine<A>(op, left[l], sums[l]);
  if constexpr (D < 16) scan_core_lanes<2 * D>(op, sums, lanes);
}

// The first pass over a warp: running sums in `local`, the threads' sums by Kogge-Stone in `sums`. Gives the
// number of threads that have elements.
template <class A, class Source, class Op>
int scan_core_warp(const Source& source, Op& op, std::int64_t base, std::int64_t count, A* local, A* sums) {
  using shape = scan_shape<A>;
  constexpr int beside = 8;
  int lanes = 32;
  if (count >= shape::segment) {
    for (int l = 0; l < 32; l += beside)
      scan_core_threads<A>(source, op, base + l * shape::items, local + l * shape::items, sums + l,
                           std::make_index_sequence<beside>());
  } else {
    identity same;
    lanes = static_cast<int>((count + shape::items - 1) / shape::items);
    for (int i = 0; i < count; ++i) {
      const A element = static_cast<A>(source.at(base + i, same));
      local[i] = i % shape::items == 0 ? element : combine<A>(op, local[i - 1], element);
      sums[i / shape::items] = local[i];
    }
  }
  if (lanes == 32) {
    scan_core_lanes<1>(op, sums, 32);
  } else {
    scan_core_lanes<1>(op, sums, lanes);
  }
  return lanes;
}

// The second pass over one thread. `out` may be `local`.
template <class A, class Op, class Out>
void scan_core_results(Op& op, const A* local, int count, Out* out, const scan_prefix<A>& prefix,
                       bool exclusive) {
  constexpr int items = scan_shape<A>::items;
  const A before = prefix.value;
  if (!exclusive) {
    if (!prefix.held) {
      for (int k = 0; k < count; ++k) out[k] = static_cast<Out>(local[k]);
    } else if (count == items) {
      AMPHI_DETAIL_INDEPENDENT
      for (int k = 0; k < items; ++k) out[k] = static_cast<Out>(combine<A>(op, before, local[k]));
    } else {
      AMPHI_DETAIL_INDEPENDENT
      for (int k = 0; k < count; ++k) out[k] = static_cast<Out>(combine<A>(op, before, local[k]));
    }
    return;
  }
  A results[items];
  results[0] = before;
  for (int k = 1; k < count; ++k) results[k] = combine<A>(op, before, local[k - 1]);
  if (count == items) {
    for (int k = 0; k < items; ++k) out[k] = static_cast<Out>(results[k]);
  } else {
    for (int k = 0; k < count; ++k) out[k] = static_cast<Out>(results[k]);
  }
}

// Where the running sums of a tile lie: in the output, if its elements are accumulators.
template <class A, class Out>
struct scan_core_room {
  alignas(64) A sums[scan_shape<A>::tile];
  A* local(Out*) { return sums; }
};
template <class A>
struct scan_core_room<A, A> {
  A* local(A* out) { return out; }
};

// Takes tiles, in order, until none is left; a worker of the CPU does this. Whoever is waited for is at work.
template <class Source, class A, class Out, class Total, class Op>
void scan_on_core(const scan_data<Source, A, Out, Total>& d, Op& op) {
  using shape = scan_shape<A>;
  auto* const ready = static_cast<unsigned*>(d.states);
  const std::int64_t tiles = scan_tiles<A>(d.n);
  scan_core_room<A, Out> room;
  alignas(64) A sums[shape::threads];
  for (;;) {
    const std::int64_t tile = scan_take(&d.counters[0]);
    if (tile >= tiles) return;
    const std::int64_t base = tile * shape::tile;
    const std::int64_t count = d.n - base < shape::tile ? d.n - base : shape::tile;
    A* const local = room.local(d.out + base);
    scan_prefix<A> all{A(), false};
    for (int w = 0; w * shape::segment < count; ++w) {
      const int lanes = scan_core_warp<A>(d.source, op, base + w * shape::segment, count - w * shape::segment,
                                          local + w * shape::segment, sums + w * 32);
      all.append(op, sums[w * 32 + lanes - 1]);
    }
    scan_prefix<A> prefix = d.first_prefix();
    if (tile > 0) {
      if (!scan_await(&ready[tile - 1], &d.counters[2])) return;
      prefix = {d.sums[tile - 1], true};
    }
    if (tile + 1 < tiles) {
      d.sums[tile] = prefix.before(op, all.value);
      scan_announce(&ready[tile]);
    }
    if (tile + 1 == tiles && d.total != nullptr) {
      // The last element's own prefix and running sum, before the latter is overwritten.
      const auto at = static_cast<int>(count - 1);
      scan_prefix<A> mine = prefix;
      scan_prefix<A> left{A(), false};
      for (int w = 0; w < at / shape::segment; ++w) left.append(op, sums[w * 32 + 31]);
      if (left.held) mine.append(op, left.value);
      if (const int thread = at / shape::items; thread % 32 > 0) mine.append(op, sums[thread - 1]);
      *d.total = static_cast<Total>(mine.before(op, local[at]));
    }
    scan_prefix<A> left{A(), false};
    for (int thread = 0; thread * shape::items < count; ++thread) {
      if (thread % 32 == 0 && thread > 0) left.append(op, sums[thread - 1]);
      scan_prefix<A> mine = prefix;
      if (left.held) mine.append(op, left.value);
      if (thread % 32 > 0) mine.append(op, sums[thread - 1]);
      const int first = thread * shape::items;
      const int mine_count = count - first < shape::items ? static_cast<int>(count - first) : shape::items;
      scan_core_results(op, local + first, mine_count, d.out + base + first, mine, d.exclusive);
    }
  }
}

}  // namespace amphi::detail
