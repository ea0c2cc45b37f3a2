// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/algorithm/detail/scan_items.hpp"
#include "amphi/algorithm/detail/scan_mail.hpp"

// Tiles of a scan by the blocks of a GPU. A tile comes through shared memory, where neighbouring lanes' reads
// become each thread's own items, and waits in registers for what stands before it, while the block's next
// tile is on its way.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// What the threads of a block share beside their rows.
template <class A>
struct scan_block_sums {
  raw_array<A, scan_shape<A>::warps> warps;
  raw_array<A, 1> before;
};

// Kogge-Stone over the sums of a warp's threads, of which the first ones have items. Gives what stands left
// of the thread in its warp.
template <class A, class Op>
__device__ A scan_over_warp(Op& op, A& sum, bool has_items) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#  pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const A before = shuffle_up(sum, distance);
    if (lane >= distance && has_items) sum = combine<A>(op, before, sum);
  }
  return shuffle_up(sum, 1);
}

// The left fold of the block's first `count` warps, one at least.
template <class A, class Op>
__device__ A scan_over_block(Op& op, const A* warp_sums, int count) {
  A all = warp_sums[0];
#  pragma unroll
  for (int w = 1; w < scan_shape<A>::warps; ++w)
    if (w < count) all = combine<A>(op, all, warp_sums[w]);
  return all;
}

// A tile that is in the rows, or on its way there. `follow`: the block's next one, read ahead where there is
// room for it.
template <bool Full, class Source, class A, class Out, class Total, class Op>
__device__ void scan_tile_in_block(const scan_data<Source, A, Out, Total>& d, Op& op, int tile, int follow,
                                   int tiles, const scan_rows<A>& rows, const scan_rows<A>& stage,
                                   scan_block_sums<A>& shared) {
  using shape = scan_shape<A>;
  constexpr int items = shape::items;
  A* const warp_sums = shared.warps.data();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t base = std::int64_t{tile} * shape::tile + warp * shape::segment;  // of the warp
  const std::int64_t rest = d.n - base;
  const int left = Full || rest >= shape::segment ? shape::segment : static_cast<int>(rest > 0 ? rest : 0);
  const int mine = left - lane * items;
  const int count = Full || mine >= items ? items : mine > 0 ? mine : 0;
  const bool has_items = Full || count > 0;

  // The thread's items, the warp's threads, the block's warps.
  wait_for_copies();
  __syncwarp();
  std::conditional_t<Full, scan_items<A>, scan_last_items<A>> own;
  own.add_up(op, rows.at(lane * items), count, scan_reads_shifted<Source, A> ? d.in_shift : 0);
  __syncwarp();
  if constexpr (Full && scan_reads_ahead<Source, A>)
    if (d.ahead && follow < tiles)
      scan_read<A>(d, rows, std::int64_t{follow} * shape::tile + warp * shape::segment,
                   (std::int64_t{follow} + 1) * shape::tile <= d.n);
  A sum = own.sum(count);
  const A own_items = sum;
  const A left_of_thread = scan_over_warp(op, sum, has_items);
  if (Full ? lane == 31 : has_items && (lane == 31 || mine <= items)) warp_sums[warp] = sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    const scan_mail<A> mail{static_cast<unsigned long long*>(d.states)};
    if (Full && tile + 1 < tiles) mail.leave(tile, scan_over_block(op, warp_sums, shape::warps));
    A prefix = d.init;
    if (tile > 0) {
      while (!mail.fetch(tiles + tile, prefix)) __nanosleep(20);
      mail.clear(tiles + tile);
    }
    *shared.before.data() = prefix;
  }
  A left_warps = warp_sums[0];
  if (warp > 0 && has_items) left_warps = scan_over_block(op, warp_sums, warp);
  __syncthreads();

  if (has_items) {
    scan_prefix<A> prefix{*shared.before.data(), tile > 0 || d.has_init};
    if (warp > 0) prefix.append(op, left_warps);
    if (lane > 0) prefix.append(op, left_of_thread);
    if (d.total != nullptr && base + lane * items + count == d.n)
      *d.total = static_cast<Total>(prefix.before(op, own_items));
    own.finish(op, count, prefix, d.exclusive);
  }
  own.write(d, Full ? stage : rows, base, left);
}

// All tiles of a worker, which is one of `workers`: every workers-th from its own number on. They wait for
// tiles of other workers, so all must be at work.
template <class Source, class A, class Out, class Total, class Op>
__device__ void scan_tiles_in_block(const scan_data<Source, A, Out, Total>& d, Op& op, int worker,
                                    int workers, int tiles, unsigned char* space) {
  using shape = scan_shape<A>;
  __shared__ scan_block_sums<A> shared;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const scan_rows<A> rows{space + warp * 32 * shape::row_bytes};
  const scan_rows<A> stage{d.ahead ? space + shape::rows_bytes + warp * 16 * shape::row_bytes : rows.base};
  for (int tile = worker; tile < tiles; tile += workers) {
    const bool whole = (std::int64_t{tile} + 1) * shape::tile <= d.n;
    if (tile == worker || !d.ahead)
      scan_read<A>(d, rows, std::int64_t{tile} * shape::tile + warp * shape::segment, whole);
    if (whole) {
      scan_tile_in_block<true>(d, op, tile, tile + workers, tiles, rows, stage, shared);
    } else {
      scan_tile_in_block<false>(d, op, tile, tile + workers, tiles, rows, stage, shared);
    }
  }
}

}  // namespace amphi::detail

#endif
