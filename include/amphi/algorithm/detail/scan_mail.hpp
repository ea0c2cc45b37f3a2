// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/scan_order.hpp"

// How the blocks of a scan on a GPU talk: values in boxes of global memory, each left by one block and
// fetched by one other.

namespace amphi::detail {

// Bytes of a box: half of each 8-byte word is payload, the other half says that it is there. So a value needs
// no fence, and no access wider than the ones that are whole on every GPU.
template <class A>
inline constexpr std::size_t scan_box_words = sizeof(A) <= 4 ? 1 : (sizeof(A) + 7) / 8 * 2;

// A box for each tile's sum, then one for what stands before each tile.
template <class A>
constexpr std::size_t scan_mail_bytes(std::int64_t tiles) {
  return 2 * 8 * scan_box_words<A> * static_cast<std::size_t>(tiles);
}

#if AMPHI_CUDA_UNIT

template <class A>
struct scan_mail {
  static constexpr int words = static_cast<int>(scan_box_words<A>);
  unsigned long long* boxes;

  __device__ unsigned long long* box(std::int64_t i) const { return boxes + i * words; }

  __device__ void leave(std::int64_t i, const A& value) const {
    unsigned bits[words] = {};
    __builtin_memcpy(bits, &value, sizeof(A));
    unsigned long long* const to = box(i);
    constexpr unsigned long long there = 1ull << 32;
    if constexpr (words == 1) {
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(there | bits[0]) : "memory");
    } else {
#  pragma unroll
      for (int w = 0; w < words; w += 2)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to + w), "l"(there | bits[w]),
                     "l"(there | bits[w + 1])
                     : "memory");
    }
  }

  // Is the value there?
  __device__ bool fetch(std::int64_t i, A& value) const {
    unsigned bits[words];
    const unsigned long long* const from = box(i);
    bool there = true;
    if constexpr (words == 1) {
      unsigned long long word;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
      there = word != 0, bits[0] = static_cast<unsigned>(word);
    } else {
#  pragma unroll
      for (int w = 0; w < words; w += 2) {
        unsigned long long a, b;
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(a), "=l"(b)
                     : "l"(from + w)
                     : "memory");
        there = there && a != 0 && b != 0;
        bits[w] = static_cast<unsigned>(a), bits[w + 1] = static_cast<unsigned>(b);
      }
    }
    __builtin_memcpy(&value, bits, sizeof(A));
    return there;
  }

  // By the one who fetched.
  __device__ void clear(std::int64_t i) const {
    unsigned long long* const at = box(i);
#  pragma unroll
    for (int w = 0; w < words; ++w) at[w] = 0;
  }
};

// What stands before each of the next `count` tiles, lane by lane: `sum`, which is held from the first tile
// on, and the values of the lanes before. `sum` moves on.
template <class A, class Op>
__device__ A scan_carried(Op& op, A& sum, bool& held, const A& value, int count) {
  const int lane = static_cast<int>(threadIdx.x);
  if constexpr (groups_freely<A, Op>) {
    A mine = value;
#  pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const A left = shuffle_up(mine, d);
      if (lane >= d) mine = combine<A>(op, left, mine);
    }
    if (held) mine = combine<A>(op, sum, mine);
    sum = shuffle_from(mine, count - 1), held = true;
    return mine;
  } else {
    int begin = 0;
    if (!held) sum = shuffle_from(value, 0), begin = 1, held = true;
    A mine = sum;
#  pragma unroll
    for (int k = 0; k < 32; ++k) {
      const A other = shuffle_from(value, k);
      if (k >= begin && k < count) sum = combine<A>(op, sum, other);
      if (k <= lane) mine = sum;
    }
    return mine;
  }
}

// The chain of tiles, by one warp of the block that starts first: fetches the tiles' sums as they come and
// leaves for each tile what stands before it, a strict left fold, or what has its bits.
template <class A, class Data, class Op>
__device__ void scan_carry(const Data& d, Op& op, std::int64_t tiles) {
  constexpr unsigned all = 0xffffffffu;
  const scan_mail<A> mail{static_cast<unsigned long long*>(d.states)};
  const int lane = static_cast<int>(threadIdx.x);
  const auto fetch = [&](std::int64_t tile, A& value) { return tile < tiles - 1 && mail.fetch(tile, value); };
  A sum = d.init;
  bool held = d.has_init;
  A value = A();
  bool there = fetch(lane, value);
  for (std::int64_t first = 0; first < tiles - 1;) {
    const unsigned missing = ~__ballot_sync(all, there);
    const int count = missing == 0 ? 32 : __ffs(static_cast<int>(missing)) - 1;
    // Others are on their way while these are added: the ones behind these where that is quick, else those
    // that are not looked at yet, because what has come meanwhile is worth another look.
    constexpr bool quick = groups_freely<A, Op>;
    A value_after = A();
    const bool there_after = fetch(first + (quick ? count : 32) + lane, value_after);
    if (count > 0) {
      const A mine = scan_carried<A>(op, sum, held, value, count);
      if (lane < count) {
        mail.leave(tiles + first + lane + 1, mine);
        mail.clear(first + lane);
      }
      first += count;
    }
    if (quick || count == 32) {
      value = value_after, there = there_after;
    } else {
      there = fetch(first + lane, value);
    }
  }
}

#endif

}  // namespace amphi::detail
