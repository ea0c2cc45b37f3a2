// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_order.hpp"

// Tiles of a scan by single threads of a GPU, for any geometry.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// The sums of a warp's threads, each with what stands left of it in the warp, of `count` elements from `base`
// on. Gives the number of threads that have elements.
template <class A, class Source, class Op>
__device__ int scan_warp_sums(const Source& source, Op& op, std::int64_t base, std::int64_t count, A* sums) {
  constexpr int items = scan_shape<A>::items;
  identity same;
  int lanes = 32;
  if (count >= scan_shape<A>::segment) {
    for (int l = 0; l < 32; ++l) {
      const std::int64_t i = base + l * items;
      A sum = static_cast<A>(source.at(i, same));
      for (int k = 1; k < items; ++k) sum = combine<A>(op, sum, static_cast<A>(source.at(i + k, same)));
      sums[l] = sum;
    }
  } else {
    lanes = static_cast<int>((count + items - 1) / items);
    for (int l = 0; l < lanes; ++l) {
      const std::int64_t i = base + l * items, end = base + count;
      A sum = static_cast<A>(source.at(i, same));
      for (int k = 1; k < items && i + k < end; ++k)
        sum = combine<A>(op, sum, static_cast<A>(source.at(i + k, same)));
      sums[l] = sum;
    }
  }
  for (int d = 1; d < 32; d *= 2)
    for (int l = lanes - 1; l >= d; --l) sums[l] = combine<A>(op, sums[l - d], sums[l]);
  return lanes;
}

// Writes one thread's results; `prefix` is what stands before it. Gives the inclusive value of its last
// element.
template <class A, class Source, class Op, class Out>
__device__ A scan_write_thread(const Source& source, Op& op, std::int64_t i, int count, Out* out,
                               const scan_prefix<A>& prefix, bool exclusive) {
  identity same;
  A sum = static_cast<A>(source.at(i, same));
  if (!exclusive) {
    if (prefix.held) {
      out[i] = static_cast<Out>(combine<A>(op, prefix.value, sum));
      for (int k = 1; k < count; ++k) {
        sum = combine<A>(op, sum, static_cast<A>(source.at(i + k, same)));
        out[i + k] = static_cast<Out>(combine<A>(op, prefix.value, sum));
      }
    } else {
      out[i] = static_cast<Out>(sum);
      for (int k = 1; k < count; ++k) {
        sum = combine<A>(op, sum, static_cast<A>(source.at(i + k, same)));
        out[i + k] = static_cast<Out>(sum);
      }
    }
  } else {
    out[i] = static_cast<Out>(prefix.value);
    for (int k = 1; k < count; ++k) {
      const A next = static_cast<A>(source.at(i + k, same));
      out[i + k] = static_cast<Out>(combine<A>(op, prefix.value, sum));
      sum = combine<A>(op, sum, next);
    }
  }
  return prefix.before(op, sum);
}

// Writes a warp's results from its sums. Gives the inclusive value of its last element.
template <class A, class Source, class Op, class Out>
__device__ A scan_write_warp(const Source& source, Op& op, std::int64_t base, std::int64_t count, Out* out,
                             const scan_prefix<A>& prefix, const A* sums, bool exclusive) {
  constexpr int items = scan_shape<A>::items;
  A last = A();
  const int lanes = count >= scan_shape<A>::segment ? 32 : static_cast<int>((count + items - 1) / items);
  for (int l = 0; l < lanes; ++l) {
    scan_prefix<A> mine = prefix;
    if (l > 0) mine.append(op, sums[l - 1]);
    const std::int64_t left = count - l * items;
    if (left >= items) {
      last = scan_write_thread<A>(source, op, base + l * items, items, out, mine, exclusive);
    } else {
      last = scan_write_thread<A>(source, op, base + l * items, static_cast<int>(left), out, mine, exclusive);
    }
  }
  return last;
}

// Sums are computed twice, so that they need little memory. A core of the CPU does better: scan_core.hpp.
template <class Source, class A, class Out, class Total, class Op>
__device__ void scan_chain(const scan_data<Source, A, Out, Total>& d, Op& op) {
  using shape = scan_shape<A>;
  auto* const ready = static_cast<unsigned*>(d.states);
  const std::int64_t tiles = scan_tiles<A>(d.n);
  A sums[32];
  for (;;) {
    const std::int64_t tile = scan_take(&d.counters[0]);
    if (tile >= tiles) return;
    const std::int64_t base = tile * shape::tile;
    const std::int64_t count = d.n - base < shape::tile ? d.n - base : shape::tile;
    scan_prefix<A> all{A(), false};
    for (std::int64_t w = 0; w * shape::segment < count; ++w) {
      const int lanes =
          scan_warp_sums<A>(d.source, op, base + w * shape::segment, count - w * shape::segment, sums);
      all.append(op, sums[lanes - 1]);
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
    A last = A();
    scan_prefix<A> warps{A(), false};
    for (std::int64_t w = 0; w * shape::segment < count; ++w) {
      const std::int64_t first = base + w * shape::segment, rest = count - w * shape::segment;
      (void)scan_warp_sums<A>(d.source, op, first, rest, sums);
      scan_prefix<A> before = prefix;
      if (warps.held) before.append(op, warps.value);
      const A warp_sum = rest >= shape::segment ? sums[31] : A();
      last = scan_write_warp<A>(d.source, op, first, rest, d.out, before, sums, d.exclusive);
      if (rest > shape::segment) warps.append(op, warp_sum);
    }
    if (tile + 1 == tiles && d.total != nullptr) *d.total = static_cast<Total>(last);
  }
}

}  // namespace amphi::detail

#endif
