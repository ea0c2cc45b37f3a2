// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/scan_order.hpp"

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// What a tile has told the tiles after it: nothing (0), its own sum (1), or the sum of all up to its end (2).
// Values of four bytes or less travel with the state in one word; others lie beside it.
template <class A, bool Small = sizeof(A) <= 4>
struct scan_states;

template <class A>
struct scan_states<A, true> {
  unsigned long long* words;

  template <class Data>
  __device__ static scan_states of(const Data& d, std::int64_t) {
    return {static_cast<unsigned long long*>(d.states)};
  }
  __device__ void say(std::int64_t tile, unsigned state, const A& value) const {
    unsigned bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(A));
    const unsigned long long word = static_cast<unsigned long long>(state) << 32 | bits;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words + tile), "l"(word) : "memory");
  }
  __device__ unsigned hear(std::int64_t tile, A& value) const {
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(words + tile) : "memory");
    const auto bits = static_cast<unsigned>(word);
    __builtin_memcpy(&value, &bits, sizeof(A));
    return static_cast<unsigned>(word >> 32);
  }
  __device__ void forget(std::int64_t tile) const { words[tile] = 0; }
};

template <class A>
struct scan_states<A, false> {
  unsigned* words;
  A* own;
  A* all;

  template <class Data>
  __device__ static scan_states of(const Data& d, std::int64_t tiles) {
    return {static_cast<unsigned*>(d.states), d.sums, d.sums + tiles};
  }
  __device__ void say(std::int64_t tile, unsigned state, const A& value) const {
    (state == 1 ? own : all)[tile] = value;
    __threadfence();
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(words + tile), "r"(state) : "memory");
  }
  __device__ unsigned hear(std::int64_t tile, A& value) const {
    unsigned state;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(state) : "l"(words + tile) : "memory");
    if (state != 0) {
      __threadfence();
      value = (state == 1 ? own : all)[tile];
    }
    return state;
  }
  __device__ void forget(std::int64_t tile) const { words[tile] = 0; }
};

// The sum of all tiles before `tile`, by one warp: from the nearest tile that knows its prefix on, a strict
// left fold. It has the same bits wherever that tile is.
template <class A, class Op>
__device__ A scan_look_back(const scan_states<A>& states, Op& op, std::int64_t tile) {
  constexpr unsigned all = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto window = [&](std::int64_t first, A& value) {
    const bool exists = first + lane >= 0;
    unsigned state = exists ? states.hear(first + lane, value) : 3u;
    while (__any_sync(all, state == 0u)) {
      __nanosleep(20);
      if (state == 0u) state = states.hear(first + lane, value);
    }
    return __ballot_sync(all, state == 2u);
  };
  const std::int64_t end = tile - 32;  // first tile of the last window
  std::int64_t first = end;
  A value = A();
  unsigned known = window(first, value);
  while (known == 0) known = window(first -= 32, value);
  A sum = A();
  for (;;) {
    int next = 0;
    if (known != 0) {
      const int at = 31 - __clz(static_cast<int>(known));
      sum = shuffle_from(value, at);
      next = at + 1;
    }
#  pragma unroll
    for (int k = 0; k < 32; ++k) {
      const A other = shuffle_from(value, k);
      if (k >= next) sum = combine<A>(op, sum, other);
    }
    if (first == end) return sum;
    known = window(first += 32, value);
  }
}

// Nobody asks any more once all tiles have looked back: the last one's first warp puts all states back to
// zero.
template <class A, class Data>
__device__ void scan_clean(const Data& d, std::int64_t tiles) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  bool last = false;
  if (lane == 0) last = arrive_last(&d.counters[1], static_cast<unsigned>(tiles));
  if (__shfl_sync(0xffffffffu, static_cast<int>(last), 0) == 0) return;
  const scan_states<A> states = scan_states<A>::of(d, tiles);
  for (std::int64_t t = lane; t < tiles; t += 32) states.forget(t);
}

// The rows of a warp in shared memory.
template <class A>
struct scan_rows {
  using shape = scan_shape<A>;
  unsigned char* base;  // of the warp
  // Item i of the warp's segment.
  __device__ A* at(int i) const {
    return reinterpret_cast<A*>(base + i / shape::items * shape::row_bytes) + i % shape::items;
  }
};

template <bool Full, class Source, class A, class Out, class Total, class Op>
__device__ void scan_tile_in_block(const scan_data<Source, A, Out, Total>& d, Op& op, std::int64_t tile,
                                   std::int64_t tiles, unsigned char* space) {
  using shape = scan_shape<A>;
  constexpr int items = shape::items;
  constexpr int W = packs<A> && sizeof(A) < 16 && 16 / static_cast<int>(sizeof(A)) <= items
                        ? 16 / static_cast<int>(sizeof(A))
                        : 1;
  __shared__ raw_array<A, shape::warps> warp_sums;
  __shared__ raw_array<A, 1> before;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t base = tile * shape::tile + warp * shape::segment;  // of the warp
  const std::int64_t rest = d.n - base;                                  // from the warp's first element on
  const scan_rows<A> rows{space + warp * 32 * shape::row_bytes};
  identity same;

  // In: neighbouring lanes read neighbouring elements.
  if (Full && Source::packable && W > 1 && d.in_aligned) {
    if constexpr (Source::packable && W > 1) {
      pack<A, W> loaded[items / W];
#  pragma unroll
      for (int k = 0; k < items / W; ++k)
        d.source.template at_pack<W>(base + (k * 32 + lane) * W, same, loaded[k].v);
#  pragma unroll
      for (int k = 0; k < items / W; ++k)
        *reinterpret_cast<pack<A, W>*>(rows.at((k * 32 + lane) * W)) = loaded[k];
    }
  } else {
    A loaded[items];
#  pragma unroll
    for (int k = 0; k < items; ++k)
      if (Full || k * 32 + lane < rest) loaded[k] = static_cast<A>(d.source.at(base + k * 32 + lane, same));
#  pragma unroll
    for (int k = 0; k < items; ++k)
      if (Full || k * 32 + lane < rest) *rows.at(k * 32 + lane) = loaded[k];
  }
  __syncwarp();
  A v[items];
#  pragma unroll
  for (int k = 0; k < items; k += W) {
    const auto read = *reinterpret_cast<const pack<A, W>*>(rows.at(lane * items + k));
#  pragma unroll
    for (int w = 0; w < W; ++w) v[k + w] = read.v[w];
  }

  // The thread's items, the warp's threads, the block's warps.
  const std::int64_t mine = rest - lane * items;
  const int count = Full || mine >= items ? items : mine > 0 ? static_cast<int>(mine) : 0;
  A sum = v[0];
#  pragma unroll
  for (int k = 1; k < items; ++k) {
    if (Full || k < count) {
      v[k] = combine<A>(op, v[k - 1], v[k]);
      sum = v[k];
    }
  }
  const A last_item = sum;
#  pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const A left = shuffle_up(sum, distance);
    if (lane >= distance && (Full || count > 0)) sum = combine<A>(op, left, sum);
  }
  const A left_of_thread = shuffle_up(sum, 1);
  if (Full ? lane == 31 : count > 0 && (lane == 31 || mine <= items)) warp_sums.data()[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    const scan_states<A> states = scan_states<A>::of(d, tiles);
    const bool tells = Full && tile + 1 < tiles;
    scan_prefix<A> prefix = d.first_prefix();
    A own = A();
    if (tells) {
      own = warp_sums.data()[0];
#  pragma unroll
      for (int w = 1; w < shape::warps; ++w) own = combine<A>(op, own, warp_sums.data()[w]);
      if (tile > 0 && lane == 0) states.say(tile, 1, own);
    }
    if (tile > 0) prefix = {scan_look_back<A>(states, op, tile), true};
    if (lane == 0) {
      if (tells) states.say(tile, 2, prefix.before(op, own));
      before.data()[0] = prefix.value;
    }
  }
  __syncthreads();
  if (warp == 0 && d.cleans) scan_clean<A>(d, tiles);

  scan_prefix<A> prefix{before.data()[0], tile > 0 || d.has_init};
  if (warp > 0) {
    A left_warps = warp_sums.data()[0];
#  pragma unroll
    for (int w = 1; w < shape::warps; ++w)
      if (w < warp) left_warps = combine<A>(op, left_warps, warp_sums.data()[w]);
    if (Full || count > 0) prefix.append(op, left_warps);
  }
  if (lane > 0 && (Full || count > 0)) prefix.append(op, left_of_thread);
  if (prefix.held) {
#  pragma unroll
    for (int k = 0; k < items; ++k)
      if (Full || k < count) v[k] = combine<A>(op, prefix.value, v[k]);
  }
  if (d.total != nullptr && count > 0 && base + lane * items + count == d.n)
    *d.total = static_cast<Total>(prefix.before(op, last_item));
  if (d.exclusive) {
#  pragma unroll
    for (int k = items - 1; k > 0; --k) v[k] = v[k - 1];
    v[0] = prefix.value;
  }

  // Out, the way in.
#  pragma unroll
  for (int k = 0; k < items; k += W) {
    pack<A, W> written;
#  pragma unroll
    for (int w = 0; w < W; ++w) written.v[w] = v[k + w];
    *reinterpret_cast<pack<A, W>*>(rows.at(lane * items + k)) = written;
  }
  __syncwarp();
  if (Full && packs<Out> && W > 1 && d.out_aligned) {
    if constexpr (packs<Out> && W > 1) {
#  pragma unroll
      for (int k = 0; k < items / W; ++k) {
        const auto read = *reinterpret_cast<const pack<A, W>*>(rows.at((k * 32 + lane) * W));
        pack<Out, W> written;
#  pragma unroll
        for (int w = 0; w < W; ++w) written.v[w] = static_cast<Out>(read.v[w]);
        *reinterpret_cast<pack<Out, W>*>(d.out + base + (k * 32 + lane) * W) = written;
      }
    }
  } else {
#  pragma unroll
    for (int k = 0; k < items; ++k)
      if (Full || k * 32 + lane < rest)
        d.out[base + k * 32 + lane] = static_cast<Out>(*rows.at(k * 32 + lane));
  }
}

}  // namespace amphi::detail

#endif
