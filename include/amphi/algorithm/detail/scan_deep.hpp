// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_device.hpp"

// Tiles of a scan by the blocks of a GPU, one block to a multiprocessor: while a tile waits in registers for
// what stands before it, the block sums up its next one, and two more are on their way. So nobody waits for
// the chain of tiles, only for memory.

namespace amphi::detail {

// Is the way for elements of A from a Source? Those of 4 bytes are slower in it: twice as many additions.
template <class Source, class A>
inline constexpr bool scan_goes_deep = scan_reads_ahead<Source, A> && sizeof(A) == 8;

// Shared memory: two tiles and the stage.
template <class A>
inline constexpr int scan_deep_bytes = 2 * scan_shape<A>::rows_bytes + scan_shape<A>::stage_bytes;

#if AMPHI_CUDA_UNIT

// What scan_tiles_in_block does.
template <class Source, class A, class Out, class Total, class Op>
__device__ void scan_tiles_deep(const scan_data<Source, A, Out, Total>& d, Op& op, int worker, int workers,
                                int tiles, unsigned char* space) {
  using shape = scan_shape<A>;
  constexpr int items = shape::items;
  __shared__ scan_block_sums<A> shared;
  A* const warp_sums = shared.warps.data();
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const auto rows = [&](int which) {
    return scan_rows<A>{space + which * shape::rows_bytes + warp * 32 * shape::row_bytes};
  };
  const scan_rows<A> stage{space + 2 * shape::rows_bytes + warp * 16 * shape::row_bytes};
  const auto base_of = [&](int tile) { return std::int64_t{tile} * shape::tile + warp * shape::segment; };
  const scan_mail<A> mail{static_cast<unsigned long long*>(d.states)};
  const int whole = static_cast<int>(d.n / shape::tile);  // tiles that are

  // A group of copies for each tile, there or not, so that the older of two groups is the next tile.
  for (int which = 0; which < 2; ++which) {
    const int tile = worker + which * workers;
    if (tile < whole) scan_read<A>(d, rows(which), base_of(tile), true);
    close_copies();
  }
  scan_items<A> before;  // the tile before, which waits
  A before_thread = A(), before_warps = A();
  int waiting = -1;
  for (int tile = worker, which = 0;; tile += workers, which ^= 1) {
    const bool on = tile < whole;
    if (!on && waiting < 0) break;
    scan_items<A> own;
    A left_of_thread = A(), left_warps = A();
    if (on) {
      wait_for_older_copies<1>();
      __syncwarp();
      own.add_up(op, rows(which).at(lane * items), items, 0);
      __syncwarp();
      if (tile + 2 * workers < whole) scan_read<A>(d, rows(which), base_of(tile + 2 * workers), true);
      close_copies();
      A sum = own.sum(items);
      left_of_thread = scan_over_warp(op, sum, true);
      if (lane == 31) warp_sums[warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0 && on && tile + 1 < tiles)
      mail.leave(tile, scan_over_block(op, warp_sums, shape::warps));
    if (threadIdx.x == 32 && waiting >= 0) {
      A prefix = d.init;
      if (waiting > 0) {
        while (!mail.fetch(tiles + waiting, prefix)) __nanosleep(20);
        mail.clear(tiles + waiting);
      }
      *shared.before.data() = prefix;
    }
    if (on && warp > 0) left_warps = scan_over_block(op, warp_sums, warp);
    __syncthreads();
    if (waiting >= 0) {
      scan_prefix<A> prefix{*shared.before.data(), waiting > 0 || d.has_init};
      if (warp > 0) prefix.append(op, before_warps);
      if (lane > 0) prefix.append(op, before_thread);
      if (d.total != nullptr && base_of(waiting) + (lane + 1) * items == d.n)
        *d.total = static_cast<Total>(prefix.before(op, before.sum(items)));
      before.finish(op, items, prefix, d.exclusive);
      before.write(d, stage, base_of(waiting), shape::segment);
    }
    if (!on) break;
    before = own, before_thread = left_of_thread, before_warps = left_warps, waiting = tile;
  }

  // The last tile, if it is shorter.
  if (tiles > whole && whole % workers == worker) {
    __syncthreads();
    scan_read<A>(d, rows(0), base_of(whole), false);
    scan_tile_in_block<false>(d, op, whole, tiles, tiles, rows(0), stage, shared);
  }
}

#endif

}  // namespace amphi::detail
