// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/scan_mail.hpp"
#include "amphi/algorithm/detail/select_items.hpp"

// Selections by the blocks of a GPU. A tile is read into registers and its kept elements are counted; they
// move together in shared memory, and wait there for what stands before them, while the block's next tile is
// on its way. The counts travel like the sums of a scan.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// What the threads of a block share beside the stage.
template <class Shape>
struct select_block {
  int warps[Shape::warps];     // kept elements of each
  std::int64_t before, total;  // kept elements: before the tile, of all

  // Kept elements before the warp, and of the tile. By whole warps.
  __device__ int left_of_warp(int& tile) const {
    static_assert(Shape::warps <= 32);
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int mine = lane < Shape::warps ? warps[lane] : 0;
    tile = sum_of_warp(mine);
    return sum_of_warp(lane < warp ? mine : 0);
  }
};

// By all threads of a block; each warp writes whole lines of 128 bytes.
template <int Threads, class Out>
__device__ void select_write_run(Out* to, const Out* from, int count) {
  constexpr int line = 128 / static_cast<int>(sizeof(Out));
  int j = static_cast<int>(threadIdx.x) -
          static_cast<int>(reinterpret_cast<std::uintptr_t>(to) / sizeof(Out) % line);
  if (j < 0) j += Threads;
#  pragma unroll 4
  for (; j < count; j += Threads) to[j] = from[j];
}

// All tiles of a worker, which is one of `workers`: every workers-th from its own number on. They wait for
// counts of other workers, so all must be at work. Rest: the other elements follow; the counts are known.
template <bool Rest, class Keep, class Out, class Count>
__device__ void select_in_block(const select_data<Keep, Out, Count>& d, int worker, int workers,
                                unsigned char* space) {
  using shape = typename select_data<Keep, Out, Count>::shape;
  constexpr int W = shape::width;
  __shared__ select_block<shape> shared;
  Out* const stage = static_cast<Out*>(settled_shared(space));
  const scan_mail<std::int64_t> mail{static_cast<unsigned long long*>(d.states)};
  const int tiles = d.tiling.tiles;
  select_items<shape> own;
  if (worker < tiles) own.read(d, select_site<shape>(d, worker));
  for (int tile = worker; tile < tiles; tile += workers) {
    const select_site<shape> at(d, tile);
    const unsigned valid = own.valid(at), kept = own.kept(d, at, valid);
    select_ranks<shape> ranks;
    const int of_warp = ranks.count(kept);
    if (own.lane() == 0) shared.warps[threadIdx.x / 32] = of_warp;
    __syncthreads();

    int of_tile;
    const int left = shared.left_of_warp(of_tile);
    if (!Rest && threadIdx.x == 0 && tile + 1 < tiles) mail.leave(tile, of_tile);
    __syncwarp();  // not after what follows: others wait for it
    const std::int64_t first = d.first(tile) < 0 ? 0 : d.first(tile);
    const auto from_first = static_cast<int>(at.first - first);
    if constexpr (shape::held) {
      ranks.visit(left, [&](int r, int rank) {
        Out* to = stage + rank;
        Out* other = stage + (of_tile + from_first + r * shape::row - rank);
#  pragma unroll
        for (int w = 0; w < W; ++w) {
          const int k = r * W + w;
          if ((kept >> k & 1u) != 0) {
            *to++ = static_cast<Out>(own.v[k]);
          } else if constexpr (Rest) {
            if ((valid >> k & 1u) != 0) *other = static_cast<Out>(own.v[k]);
            ++other;
          }
        }
      });
      if (tile + workers < tiles) own.read(d, select_site<shape>(d, tile + workers));
    }
    if (threadIdx.x == 0) {
      std::int64_t before = 0;
      if (tile > 0) {
        while (!mail.fetch(tiles + tile, before)) __nanosleep(20);
        mail.clear(tiles + tile);
      }
      shared.before = before;
      if constexpr (Rest) shared.total = tiles == 1 ? of_tile : *d.total;
      if (d.count != nullptr && tile + 1 == tiles && (!Rest || tiles == 1))
        *d.count = static_cast<Count>(before + of_tile);
    }
    __syncthreads();

    const std::int64_t before = shared.before;
    const std::int64_t behind = Rest ? shared.total + (first - before) : 0;  // where the tile's others go
    if constexpr (shape::held) {
      select_write_run<shape::threads>(d.out + before, stage, of_tile);
      if constexpr (Rest) {
        const std::int64_t end = d.first(tile + 1) < d.n ? d.first(tile + 1) : d.n;
        select_write_run<shape::threads>(d.out + behind, stage + of_tile,
                                         static_cast<int>(end - first) - of_tile);
      }
    } else {
      ranks.visit(left, [&](int r, int rank) {
        const std::int64_t i = at.first + r * shape::row;
        if ((kept >> r & 1u) != 0) {
          d.out[before + rank] = static_cast<Out>(d.keep.elements[i]);
        } else if (Rest && (valid >> r & 1u) != 0) {
          d.out[behind + (i - first) - rank] = static_cast<Out>(d.keep.elements[i]);
        }
      });
    }
  }
}

// Only counts: the mail then says what stands before each tile, and *total how many are kept.
template <class Keep, class Out, class Count>
__device__ void select_count_in_block(const select_data<Keep, Out, Count>& d, int worker, int workers) {
  using shape = typename select_data<Keep, Out, Count>::shape;
  __shared__ select_block<shape> shared[2];
  const scan_mail<std::int64_t> mail{static_cast<unsigned long long*>(d.states)};
  const int tiles = d.tiling.tiles;
  select_items<shape> own;
  if (worker < tiles) own.read(d, select_site<shape>(d, worker));
  int turn = 0;
  for (int tile = worker; tile < tiles; tile += workers, turn ^= 1) {
    const select_site<shape> at(d, tile);
    const unsigned kept = own.kept(d, at, own.valid(at));
    if (tile + workers < tiles) own.read(d, select_site<shape>(d, tile + workers));
    select_ranks<shape> ranks;
    const int of_warp = ranks.count(kept);
    if (own.lane() == 0) shared[turn].warps[threadIdx.x / 32] = of_warp;
    __syncthreads();
    if (threadIdx.x >= 32) continue;
    int of_tile;
    (void)shared[turn].left_of_warp(of_tile);
    if (threadIdx.x != 0) continue;
    if (tile + 1 < tiles) {
      mail.leave(tile, of_tile);
    } else {
      std::int64_t before = 0;
      while (!mail.fetch(tiles + tile, before)) __nanosleep(20);
      *d.total = before + of_tile;
      if (d.count != nullptr) *d.count = static_cast<Count>(before + of_tile);
    }
  }
}

}  // namespace amphi::detail

#endif
