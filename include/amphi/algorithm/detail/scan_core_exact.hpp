// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/scan_order.hpp"

// Scans on a CPU core of operators that give the same bits in any grouping: a tile is folded, which
// vectorises, and its results are a running value, as in a serial loop.

namespace amphi::detail {

// A tile's elements in one.
template <class A, class Source, class Op>
A scan_core_fold(const Source& source, Op& op, std::int64_t base, std::int64_t count) {
  identity same;
  A all = static_cast<A>(source.at(base, same));
  for (std::int64_t i = 1; i < count; ++i)
    all = combine<A>(op, all, static_cast<A>(source.at(base + i, same)));
  return all;
}

// Of accumulators as they are: plus<short> makes shorts of them.
template <class A, class Op>
inline constexpr bool is_sum_of = std::is_same_v<Op, plus<>> || std::is_same_v<Op, plus<A>>;

// Sums of integers of 4 bytes that lie in memory: by vectors, which would bring nothing for 8 bytes. The
// compilers of CUDA units know no shuffles.
template <class Source, class A, class Out, class Op>
inline constexpr bool scan_runs_in_vectors =
    !AMPHI_CUDA_UNIT && std::is_integral_v<A> && sizeof(A) == 4 && is_sum_of<A, Op> &&
    std::is_same_v<Out, A> && std::is_same_v<Source, zip<const A*>>;

#if !AMPHI_CUDA_UNIT
// Running sums of as many elements as whole vectors have, behind `running`; gives their number. Additions
// wait for each other once in a vector.
template <bool Exclusive, class A>
std::int64_t scan_core_vector_run(const A* in, std::int64_t count, A* out, A& running) {
  using bits = std::make_unsigned_t<A>;
  using vector [[gnu::vector_size(16)]] = bits;
  using vector_in_memory [[gnu::vector_size(16), gnu::aligned(alignof(A)), gnu::may_alias]] = bits;
  const vector zero = {};
  vector before = zero + static_cast<bits>(running);
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const vector e = *reinterpret_cast<const vector_in_memory*>(in + i);
    const vector pairs = e + __builtin_shufflevector(zero, e, 0, 4, 5, 6);
    const vector sums = pairs + __builtin_shufflevector(zero, pairs, 0, 1, 4, 5);
    if constexpr (Exclusive) {
      *reinterpret_cast<vector_in_memory*>(out + i) = before + (sums - e);
    } else {
      *reinterpret_cast<vector_in_memory*>(out + i) = before + sums;
    }
    before += __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
  }
  running = static_cast<A>(before[0]);
  return i;
}
#endif

// The results of a tile behind `before`; gives what stands before the next one. `out` may be the input.
template <class A, class Source, class Op, class Out>
A scan_core_run(const Source source, Op& op, std::int64_t base, std::int64_t count, Out* out,
                const scan_prefix<A> before, bool exclusive) {
  identity same;
  std::int64_t i = 0;
  A running = before.value;
  if (!before.held) {  // inclusive, and the first tile
    running = static_cast<A>(source.at(base, same));
    out[i++] = static_cast<Out>(running);
  }
#if !AMPHI_CUDA_UNIT
  if constexpr (scan_runs_in_vectors<Source, A, Out, Op>) {
    const A* const in = static_cast<const slot<0, const A*>&>(source).elements;
    i += exclusive ? scan_core_vector_run<true>(in + base + i, count - i, out + i, running)
                   : scan_core_vector_run<false>(in + base + i, count - i, out + i, running);
  }
#endif
  const auto step = [&](const A& element) {
    const A before_it = running;
    running = combine<A>(op, running, element);
    return exclusive ? before_it : running;
  };
  constexpr int beside = 8;  // loads and stores of so many elements stand together
  for (; i + beside <= count; i += beside) {
    A e[beside];
    for (int k = 0; k < beside; ++k) e[k] = static_cast<A>(source.at(base + i + k, same));
    for (int k = 0; k < beside; ++k) e[k] = step(e[k]);
    for (int k = 0; k < beside; ++k) out[i + k] = static_cast<Out>(e[k]);
  }
  for (; i < count; ++i) out[i] = static_cast<Out>(step(static_cast<A>(source.at(base + i, same))));
  return running;
}

// Takes tiles until none is left, as scan_on_core does. A worker that is alone reads each tile once.
template <class Source, class A, class Out, class Total, class Op>
void scan_exact_on_core(const scan_data<Source, A, Out, Total>& d, Op& op, bool alone) {
  constexpr std::int64_t tile_size = scan_shape<A>::tile;
  auto* const ready = static_cast<unsigned*>(d.states);
  const std::int64_t tiles = scan_tiles<A>(d.n);
  for (;;) {
    const std::int64_t tile = scan_take(&d.counters[0]);
    if (tile >= tiles) return;
    const bool last = tile + 1 == tiles, fold_first = !alone && !last;
    const std::int64_t base = tile * tile_size, count = d.n - base < tile_size ? d.n - base : tile_size;
    A all = A();
    if (fold_first) all = scan_core_fold<A>(d.source, op, base, count);
    scan_prefix<A> prefix = d.first_prefix();
    if (tile > 0) {
      if (!scan_await(&ready[tile - 1], &d.counters[2])) return;
      prefix = {d.sums[tile - 1], true};
    }
    if (fold_first) {
      d.sums[tile] = prefix.before(op, all);
      scan_announce(&ready[tile]);
    }
    const A end = scan_core_run<A>(d.source, op, base, count, d.out + base, prefix, d.exclusive);
    if (last && d.total != nullptr) *d.total = static_cast<Total>(end);
    if (!last && !fold_first) {
      d.sums[tile] = end;
      scan_announce(&ready[tile]);
    }
  }
}

}  // namespace amphi::detail
