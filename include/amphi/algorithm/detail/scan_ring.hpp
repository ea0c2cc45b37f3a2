// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_mail.hpp"

// The chain of tiles of a scan by several warps of one block: some fetch the tiles' sums into a ring of boxes
// in shared memory, one carries them on. So the long way to global memory is gone by many at a time, and the
// chain waits for shared memory only.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// Boxes as in scan_mail, which one thread fills and another empties: each word of 8 bytes says by itself
// whether it is full, so no barrier stands between put and get. (compute-sanitizer's racecheck, which knows
// barriers only, reports this pair.)
template <class A>
struct scan_ring {
  static constexpr int readers = 8;  // warps
  static constexpr int boxes = readers * 32;
  static constexpr int words = static_cast<int>(scan_box_words<A>);
  static constexpr int bytes = boxes * words * 8;
  volatile unsigned long long* space;

  __device__ volatile unsigned long long* box(int tile) const {
    return space + static_cast<unsigned>(tile) % boxes * words;
  }

  __device__ bool is_empty(int tile) const {
    bool empty = true;
#  pragma unroll
    for (int w = 0; w < words; ++w) empty = empty && box(tile)[w] == 0;
    return empty;
  }
  __device__ void put(int tile, const A& value) const {
    unsigned bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(A));
#  pragma unroll
    for (int w = 0; w < words; ++w) box(tile)[w] = 1ull << 32 | bits[w];
  }
  __device__ bool get(int tile, A& value) const {
    unsigned bits[words];
    bool there = true;
#  pragma unroll
    for (int w = 0; w < words; ++w) {
      const unsigned long long word = box(tile)[w];
      there = there && word != 0, bits[w] = static_cast<unsigned>(word);
    }
    __builtin_memcpy(&value, bits, sizeof(A));
    return there;
  }
  __device__ void clear(int tile) const {
#  pragma unroll
    for (int w = 0; w < words; ++w) box(tile)[w] = 0;
  }
};

// What scan_carry does, by all threads of the block.
template <class A, class Data, class Op>
__device__ void scan_carry_by_ring(const Data& d, Op& op, int tiles, unsigned char* space) {
  static_assert(scan_ring<A>::bytes <= scan_shape<A>::rows_bytes, "the ring lies where rows would");
  constexpr unsigned all = 0xffffffffu;
  const scan_mail<A> mail{static_cast<unsigned long long*>(d.states)};
  const scan_ring<A> ring{reinterpret_cast<unsigned long long*>(space)};
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  if (warp < ring.readers) ring.clear(static_cast<int>(threadIdx.x));
  __syncthreads();
  if (warp > ring.readers) return;
  if (warp > 0) {
    A value = A();
    bool held = false;
    for (int tile = (warp - 1) * 32 + lane; tile < tiles - 1;) {
      if (!held) held = mail.fetch(tile, value);
      if (held && ring.is_empty(tile)) {
        ring.put(tile, value);
        mail.clear(tile);
        tile += ring.boxes, held = false;
      }
    }
    return;
  }
  A sum = d.init;
  bool held = d.has_init;
  for (int first = 0; first < tiles - 1;) {
    A value = A();
    const bool there = first + lane < tiles - 1 && ring.get(first + lane, value);
    const unsigned missing = ~__ballot_sync(all, there);
    const int count = missing == 0 ? 32 : __ffs(static_cast<int>(missing)) - 1;
    if (count == 0) continue;
    const A mine = scan_carried<A>(op, sum, held, value, count);
    if (lane < count) {
      mail.leave(tiles + first + lane + 1, mine);
      ring.clear(first + lane);
    }
    first += count;
  }
}

}  // namespace amphi::detail

#endif
