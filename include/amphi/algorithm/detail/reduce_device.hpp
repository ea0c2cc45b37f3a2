// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/reduce_order.hpp"

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// Space that reduce_in_block shares: values of all lanes where these are small, else one for each thread.
template <class A>
using reduce_stage = raw_array<A, sizeof(A) <= 8 ? reduce_lanes : reduce_threads>;

// Two stages: while the first warp finishes a tile, the others read the next one. Large accumulators have
// one.
template <class A>
inline constexpr int reduce_stages = sizeof(A) <= 64 ? 2 : 1;

// Neighbouring lanes that a thread reads at once.
template <class A>
inline constexpr int reduce_width = sizeof(A) <= 4 ? 4 : 2;

// The tree over the lanes of a tile, by the first warp, from sums that lie in shared memory as [lane] for
// lanes 0 … 255: what is left after distances 512 and 256. Thread 0 gets the result.
template <class A, class Op>
__device__ A reduce_staged(Op& op, const A* stage, int lanes) {
  const int t = static_cast<int>(threadIdx.x);
  A v[8];
#  pragma unroll
  for (int j = 0; j < 8; ++j)
    if (t + 32 * j < lanes) v[j] = stage[t + 32 * j];
#  pragma unroll
  for (int d = 4; d > 0; d /= 2) {
#  pragma unroll
    for (int j = 0; j < d; ++j)
      if (t + 32 * (j + d) < lanes) v[j] = combine<A>(op, v[j], v[j + d]);
  }
  A sum = v[0];
#  pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const A other = shuffle_down(sum, d);
    if (t < d && t + d < lanes) sum = combine<A>(op, sum, other);
  }
  return sum;
}

// The same from packs: pack p's sums, of lanes W p … W p + W − 1, lie at [W p]; there are 256 packs.
template <class A, int W, class Op>
__device__ A reduce_staged_packs(Op& op, const A* stage) {
  const int t = static_cast<int>(threadIdx.x);
  A v[8][W];
#  pragma unroll
  for (int j = 0; j < 8; ++j) load_pack<W>(stage, W * (t + 32 * j), v[j]);
#  pragma unroll
  for (int d = 4; d > 0; d /= 2) {  // distances 128 W, 64 W, 32 W
#  pragma unroll
    for (int j = 0; j < d; ++j)
#  pragma unroll
      for (int w = 0; w < W; ++w) v[j][w] = combine<A>(op, v[j][w], v[j + d][w]);
  }
#  pragma unroll
  for (int d = 16; d > 0; d /= 2) {  // 16 W … W
#  pragma unroll
    for (int w = 0; w < W; ++w) {
      const A other = shuffle_down(v[0][w], d);
      if (t < d) v[0][w] = combine<A>(op, v[0][w], other);
    }
  }
#  pragma unroll
  for (int d = W / 2; d > 0; d /= 2)
#  pragma unroll
    for (int w = 0; w < d; ++w) v[0][w] = combine<A>(op, v[0][w], v[0][w + d]);
  return v[0][0];
}

// Sums of a full tile's columns in packs; thread t has the lanes W t …, and those 256 W further on. Eight
// packs are in flight together, or four.
template <class A, int Packs, class Source, class F, class Op>
__device__ void reduce_pack_rows(const Source& source, F& f, Op& op, std::int64_t i, bool first,
                                 A (&sum)[4]) {
  constexpr int W = reduce_width<A>, beside = 4 / W, rows = Packs / beside;
  A v[rows][beside][W];
#  pragma unroll
  for (int r = 0; r < rows; ++r)
#  pragma unroll
    for (int b = 0; b < beside; ++b)
      source.template at_pack<W>(i + r * reduce_lanes + b * reduce_threads * W, f, v[r][b]);
#  pragma unroll
  for (int r = 0; r < rows; ++r)
#  pragma unroll
    for (int b = 0; b < beside; ++b)
#  pragma unroll
      for (int w = 0; w < W; ++w)
        sum[b * W + w] = r == 0 && first ? v[r][b][w] : combine<A>(op, sum[b * W + w], v[r][b][w]);
}

// Adds four rows, or what there is of them, to the sums of the lanes t, t + 256, t + 512 and t + 768 of
// thread t, whose first element is i. `left`: elements from there on to the end; all are there if Full.
template <class A, bool First, bool Full, class Source, class F, class Op>
__device__ void reduce_lane_rows(const Source& source, F& f, Op& op, std::int64_t i, int left, A (&sum)[4]) {
  A v[4][4];  // rows × columns: many loads in flight
#  pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int further = (k / 4) * reduce_lanes + (k % 4) * reduce_threads;
    if (Full || further < left) v[k / 4][k % 4] = static_cast<A>(source.at(i + further, f));
  }
#  pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int further = (k / 4) * reduce_lanes + (k % 4) * reduce_threads;
    if (Full || further < left)
      sum[k % 4] = First && k < 4 ? v[k / 4][k % 4] : combine<A>(op, sum[k % 4], v[k / 4][k % 4]);
  }
}

// A tile of any length and alignment by a block of 256 threads; thread 0 gets the result.
template <class A, class Source, class F, class Op>
__device__ A reduce_lane_by_lane(const Source& source, F& f, Op& op, const reduce_tile& tile, A* stage) {
  const int t = static_cast<int>(threadIdx.x);
  // Lanes t, t + 256, t + 512, t + 768.
  const int lanes = tile.lanes();
  A sum[4];
  constexpr int most = 4 * reduce_lanes;
  std::int64_t i = tile.base + t, left = tile.length;
  if (left >= most) {
    reduce_lane_rows<A, true, true>(source, f, op, i, 0, sum);
  } else {
    reduce_lane_rows<A, true, false>(source, f, op, i, static_cast<int>(left) - t, sum);
  }
  for (left -= most; left > 0; left -= most) {
    i += most;
    if (left >= most) {
      reduce_lane_rows<A, false, true>(source, f, op, i, 0, sum);
    } else {
      reduce_lane_rows<A, false, false>(source, f, op, i, static_cast<int>(left) - t, sum);
    }
  }
  if (t + 512 < lanes) sum[0] = combine<A>(op, sum[0], sum[2]);
  if (t + 768 < lanes) sum[1] = combine<A>(op, sum[1], sum[3]);
  if (t + 256 < lanes) sum[0] = combine<A>(op, sum[0], sum[1]);
  if (t < lanes) stage[t] = sum[0];
  __syncthreads();
  return t < 32 ? reduce_staged<A>(op, stage, lanes) : A();
}

// The same where packs are the rule: a call, so that its registers are not taken from the packs' loop.
template <class A, class Source, class F, class Op>
__device__ __noinline__ A reduce_rest_of_packs(const Source& source, F& f, Op& op, const reduce_tile& tile,
                                               A* stage) {
  return reduce_lane_by_lane<A>(source, f, op, tile, stage);
}

// Full rows, four or a multiple, by packs; the pointers are aligned for them.
template <class A, class Source, class F, class Op>
__device__ A reduce_tile_of_packs(const Source& source, F& f, Op& op, const reduce_tile& tile, A* stage) {
  const int t = static_cast<int>(threadIdx.x);
  constexpr int W = reduce_width<A>, rows_of_8 = 2 * W;
  A sum[4];
  std::int64_t i = tile.base + W * t;
  std::int64_t rows = tile.length / reduce_lanes;
  if (rows % rows_of_8 != 0) {
    reduce_pack_rows<A, 16 / W>(source, f, op, i, true, sum);
    rows -= 4, i += 4 * reduce_lanes;
  } else {
    reduce_pack_rows<A, 8>(source, f, op, i, true, sum);
    rows -= rows_of_8, i += rows_of_8 * reduce_lanes;
  }
  for (; rows > 0; rows -= rows_of_8, i += rows_of_8 * reduce_lanes)
    reduce_pack_rows<A, 8>(source, f, op, i, false, sum);
  pack<A, W> mine;
#  pragma unroll
  for (int w = 0; w < W; ++w) mine.v[w] = W == 4 ? sum[w] : combine<A>(op, sum[w], sum[(w + W) % 4]);
  *reinterpret_cast<pack<A, W>*>(stage + W * t) = mine;
  __syncthreads();
  return t < 32 ? reduce_staged_packs<A, W>(op, stage) : A();
}

// A tile by a block of 256 threads; thread 0 gets the result. `aligned`: all pointers are aligned for packs.
// The block may go on to another tile with another stage, and must synchronise before it uses this one again.
template <class A, class Source, class F, class Op>
__device__ A reduce_in_block(const Source& source, F& f, Op& op, const reduce_tile& tile, bool aligned,
                             reduce_stage<A>& space) {
  A* stage = space.data();
  if constexpr (Source::packable && packs<A> && sizeof(A) <= 8) {
    if (aligned && tile.length % (4 * reduce_lanes) == 0)
      return reduce_tile_of_packs<A>(source, f, op, tile, stage);
  }
  if constexpr (Source::packable && packs<A> && sizeof(A) <= 8) {
    return reduce_rest_of_packs<A>(source, f, op, tile, stage);
  } else {
    return reduce_lane_by_lane<A>(source, f, op, tile, stage);
  }
}

}  // namespace amphi::detail

#endif
