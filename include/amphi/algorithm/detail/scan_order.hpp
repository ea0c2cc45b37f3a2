// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

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
  static constexpr int rows_bytes = row_bytes * threads;
  static constexpr int stage_bytes = rows_bytes / 2;
};

template <class Op>
inline constexpr bool is_sum_or_product = false;
template <class T>
inline constexpr bool is_sum_or_product<plus<T>> = true;
template <class T>
inline constexpr bool is_sum_or_product<multiplies<T>> = true;
template <class T>
inline constexpr bool is_sum_or_product<bit_and<T>> = true;
template <class T>
inline constexpr bool is_sum_or_product<bit_or<T>> = true;
template <class T>
inline constexpr bool is_sum_or_product<bit_xor<T>> = true;

template <class Op>
inline constexpr bool is_extremum = false;
template <class T>
inline constexpr bool is_extremum<minimum<T>> = true;
template <class T>
inline constexpr bool is_extremum<maximum<T>> = true;

// Operators that give the same bits in any grouping: integers in any of these; floating point in minimum and
// maximum only, where a NaN is one NaN and zeros are ordered.
template <class A, class Op>
inline constexpr bool groups_freely = (std::is_integral_v<A> && (is_sum_or_product<Op> || is_extremum<Op>)) ||
                                      (std::is_floating_point_v<A> && is_extremum<Op>);

template <class A>
AMPHI_HOST_DEVICE constexpr std::int64_t scan_tiles(std::int64_t n) {
  return (n + scan_shape<A>::tile - 1) / scan_shape<A>::tile;
}

// Can a source be copied to shared memory while the block does something else?
template <class Source, class A>
inline constexpr bool scan_reads_ahead = std::is_same_v<std::remove_cv_t<Source>, zip<const A*>> &&
                                         alignof(A) >= 4 &&
                                         (sizeof(A) == 4 || sizeof(A) == 8 || sizeof(A) == 16);

// Is a source that is not aligned read in aligned vectors nevertheless, and its elements moved into place?
// Two elements to a vector are as fast one by one.
template <class Source, class A>
inline constexpr bool scan_reads_shifted = scan_reads_ahead<Source, A> && sizeof(A) == 4;

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
  int in_shift;  // elements from the last boundary of 16 bytes to the first one, where tiles are read shifted
  bool ahead;    // a tile is read while the one before waits
  Total* total;  // null: nobody asked
  // Scratch. Counters and states are zero between calls.
  unsigned* counters;  // ticket, done, failed
  void* states;        // of tiles
  A* sums;             // of tiles

  AMPHI_HOST_DEVICE scan_prefix<A> first_prefix() const { return {init, has_init}; }
};

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

}  // namespace amphi::detail
