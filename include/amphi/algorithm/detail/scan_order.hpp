// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/core/function_objects.hpp"

// The canonical order of scans (README.md in this folder says it in words), and what all their bodies share.

namespace amphi::detail {

// A tile: warps of 32 threads with so many items each.
template <class A>
struct scan_shape {
  static constexpr int threads = 512;
  static constexpr int warps = threads / 32;
  static constexpr int items = sizeof(A) <= 4    ? 32
                               : sizeof(A) <= 8  ? 16
                               : sizeof(A) <= 16 ? 8
                               : sizeof(A) <= 32 ? 4
                               : sizeof(A) <= 64 ? 2
                                                 : 1;
  static constexpr int segment = 32 * items;  // of a warp
  static constexpr int tile = threads * items;
  // On a GPU each thread's items lie in a row of shared memory, padded against bank conflicts.
  static constexpr int row_bytes = (static_cast<int>(sizeof(A)) * items + 15) / 16 * 16 + 16;
  static constexpr int shared_bytes = row_bytes * threads;
};

template <class A>
AMPHI_HOST_DEVICE constexpr std::int64_t scan_tiles(std::int64_t n) {
  return (n + scan_shape<A>::tile - 1) / scan_shape<A>::tile;
}

// A value that may be missing: what stands before an element.
template <class A>
struct scan_prefix {
  A value;
  bool held;

  template <class Op>
  AMPHI_HOST_DEVICE void append(Op& op, const A& a) {
    value = held ? combine<A>(op, value, a) : a;
    held = true;
  }
  template <class Op>
  AMPHI_HOST_DEVICE A before(Op& op, const A& a) const {
    return held ? combine<A>(op, value, a) : a;
  }
};

template <class Source, class A, class Out, class Total>
struct scan_data {
  Source source;
  Out* out;
  std::int64_t n;
  A init;
  bool has_init, exclusive;
  bool in_aligned, out_aligned;
  Total* total;  // null: nobody asked
  // Scratch. Counters and states are zero between calls.
  unsigned* counters;  // ticket, done, failed
  void* states;        // of tiles
  A* sums;             // of tiles

  AMPHI_HOST_DEVICE scan_prefix<A> first_prefix() const { return {init, has_init}; }
};

// The sums of a warp's threads, each with what stands left of it in the warp, of `count` elements from `base`
// on. Gives the number of threads that have elements.
template <class A, class Source, class Op>
AMPHI_HOST_DEVICE int scan_warp_sums(const Source& source, Op& op, std::int64_t base, std::int64_t count,
                                     A* sums) {
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
AMPHI_HOST_DEVICE A scan_write_thread(const Source& source, Op& op, std::int64_t i, int count, Out* out,
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
AMPHI_HOST_DEVICE A scan_write_warp(const Source& source, Op& op, std::int64_t base, std::int64_t count,
                                    Out* out, const scan_prefix<A>& prefix, const A* sums, bool exclusive) {
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

// The chain of tiles. Who works alone takes the next tile, sums it up, waits for what stands before it, says
// what stands before the next one, and writes. Tiles are taken in order, so whoever is waited for is at work.

AMPHI_LAUNCHABLE unsigned scan_take(unsigned* ticket) {
#if AMPHI_DEVICE_CODE
  return atomicAdd(ticket, 1u);
#else
  return __atomic_fetch_add(ticket, 1u, __ATOMIC_RELAXED);
#endif
}

AMPHI_LAUNCHABLE void scan_announce(unsigned* state) {
#if AMPHI_DEVICE_CODE
  __threadfence();
  atomicExch(state, 1u);
#else
  __atomic_store_n(state, 1u, __ATOMIC_RELEASE);
#endif
}

void scan_pause(int spins);  // of the CPU: lets another thread run when it takes long

// False when another worker failed.
AMPHI_LAUNCHABLE bool scan_await(unsigned* state, [[maybe_unused]] unsigned* failed) {
#if AMPHI_DEVICE_CODE
  while (atomicAdd(state, 0u) == 0u) __nanosleep(100);
  __threadfence();
  return true;
#else
  for (int spins = 0; __atomic_load_n(state, __ATOMIC_ACQUIRE) == 0u; ++spins) {
    if (__atomic_load_n(failed, __ATOMIC_RELAXED) != 0u) return false;
    scan_pause(spins);
  }
  return true;
#endif
}

// Sums are computed twice, so that they need little memory. (A core of the CPU does better: scan_core.hpp.)
template <class Source, class A, class Out, class Total, class Op>
AMPHI_HOST_DEVICE void scan_chain(const scan_data<Source, A, Out, Total>& d, Op& op) {
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
