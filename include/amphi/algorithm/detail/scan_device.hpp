// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/algorithm/detail/scan_mail.hpp"

// A tile of a scan by a block of a GPU. Its elements stay in shared memory, and each thread adds its items up
// twice, before and after it is known what stands before them: so a thread needs few registers, and many
// blocks are at work while some wait.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// The items of a warp in shared memory: a row for each thread, padded against bank conflicts.
template <class A>
struct scan_rows {
  using shape = scan_shape<A>;
  unsigned char* base;  // of the warp
  // Item i of the warp's segment.
  __device__ A* at(int i) const {
    return reinterpret_cast<A*>(base + i / shape::items * shape::row_bytes) + i % shape::items;
  }
};

// Items that are moved at once.
template <class A>
inline constexpr int scan_width = packs<A> && sizeof(A) < 16 &&
                                          16 / sizeof(A) <= static_cast<std::size_t>(scan_shape<A>::items)
                                      ? static_cast<int>(16 / sizeof(A))
                                      : 1;

// In: neighbouring lanes read neighbouring elements.
template <bool Full, class A, class Data>
__device__ void scan_read(const Data& d, const scan_rows<A>& rows, std::int64_t base, std::int64_t rest) {
  using source = decltype(d.source);
  constexpr int items = scan_shape<A>::items, W = scan_width<A>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  identity same;
  if constexpr (Full && source::packable && W > 1) {
    if (d.in_aligned) {
      if constexpr (std::is_same_v<std::remove_cv_t<source>, zip<const A*>>) {
        const A* const from = static_cast<const slot<0, const A*>&>(d.source).elements + base;
#  pragma unroll
        for (int k = 0; k < items / W; ++k)
          copy_16_bytes(rows.at((k * 32 + lane) * W), from + (k * 32 + lane) * W);
        wait_for_copies();
      } else {
#  pragma unroll 4
        for (int k = 0; k < items / W; ++k) {
          pack<A, W> loaded;
          d.source.template at_pack<W>(base + (k * 32 + lane) * W, same, loaded.v);
          *reinterpret_cast<pack<A, W>*>(rows.at((k * 32 + lane) * W)) = loaded;
        }
      }
      return;
    }
  }
#  pragma unroll 8
  for (int k = 0; k < items; ++k)
    if (Full || k * 32 + lane < rest)
      *rows.at(k * 32 + lane) = static_cast<A>(d.source.at(base + k * 32 + lane, same));
}

// Out, the way in.
template <bool Full, class A, class Data>
__device__ void scan_write(const Data& d, const scan_rows<A>& rows, std::int64_t base, std::int64_t rest) {
  using Out = std::remove_pointer_t<decltype(d.out)>;
  constexpr int items = scan_shape<A>::items, W = scan_width<A>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if constexpr (Full && packs<Out> && W > 1) {
    if (d.out_aligned) {
#  pragma unroll
      for (int k = 0; k < items / W; ++k) {
        const auto read = *reinterpret_cast<const pack<A, W>*>(rows.at((k * 32 + lane) * W));
        pack<Out, W> written;
#  pragma unroll
        for (int w = 0; w < W; ++w) written.v[w] = static_cast<Out>(read.v[w]);
        *reinterpret_cast<pack<Out, W>*>(d.out + base + (k * 32 + lane) * W) = written;
      }
      return;
    }
  }
#  pragma unroll 8
  for (int k = 0; k < items; ++k)
    if (Full || k * 32 + lane < rest) d.out[base + k * 32 + lane] = static_cast<Out>(*rows.at(k * 32 + lane));
}

// The sum of a thread's items.
template <bool Full, class A, class Op>
__device__ A scan_sum_row(Op& op, const A* row, int count) {
  constexpr int W = scan_width<A>;
  A sum = A();
#  pragma unroll
  for (int k = 0; k < scan_shape<A>::items; k += W) {
    const auto read = *reinterpret_cast<const pack<A, W>*>(row + k);
#  pragma unroll
    for (int w = 0; w < W; ++w) {
      if (k + w == 0) {
        sum = read.v[0];
      } else if (Full || k + w < count) {
        sum = combine<A>(op, sum, read.v[w]);
      }
    }
  }
  return sum;
}

// The results of a thread's items, in their place.
template <bool Full, bool Exclusive, bool Held, class A, class Op>
__device__ void scan_row(Op& op, A* row, int count, const A& prefix) {
  constexpr int W = scan_width<A>;
  A sum = A();
#  pragma unroll
  for (int k = 0; k < scan_shape<A>::items; k += W) {
    auto* const place = reinterpret_cast<pack<A, W>*>(row + k);
    pack<A, W> v = *place;
#  pragma unroll
    for (int w = 0; w < W; ++w) {
      if (!Full && k + w >= count) continue;
      const A left = sum;
      sum = k + w == 0 ? v.v[w] : combine<A>(op, sum, v.v[w]);
      if constexpr (Exclusive) {
        v.v[w] = k + w == 0 ? prefix : combine<A>(op, prefix, left);
      } else {
        v.v[w] = Held ? combine<A>(op, prefix, sum) : sum;
      }
    }
    *place = v;
  }
}

template <bool Full, class Source, class A, class Out, class Total, class Op>
__device__ void scan_tile_in_block(const scan_data<Source, A, Out, Total>& d, Op& op, std::int64_t tile,
                                   std::int64_t tiles, unsigned char* space) {
  using shape = scan_shape<A>;
  constexpr int items = shape::items;
  __shared__ raw_array<A, shape::warps> warp_sums;
  __shared__ raw_array<A, 1> before;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t base = tile * shape::tile + warp * shape::segment;  // of the warp
  const std::int64_t rest = d.n - base;                                  // from the warp's first element on
  const scan_rows<A> rows{space + warp * 32 * shape::row_bytes};
  A* const row = rows.at(lane * items);
  scan_read<Full, A>(d, rows, base, rest);
  __syncwarp();

  // The thread's items, the warp's threads, the block's warps.
  const std::int64_t mine = rest - lane * items;
  const int count = Full || mine >= items ? items : mine > 0 ? static_cast<int>(mine) : 0;
  const bool has_items = Full || count > 0;
  A sum = A();
  if (has_items) sum = scan_sum_row<Full>(op, row, count);
  const A own_items = sum;
#  pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const A left = shuffle_up(sum, distance);
    if (lane >= distance && has_items) sum = combine<A>(op, left, sum);
  }
  const A left_of_thread = shuffle_up(sum, 1);
  if (Full ? lane == 31 : has_items && (lane == 31 || mine <= items)) warp_sums.data()[warp] = sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    const scan_mail<A> mail{static_cast<unsigned long long*>(d.states)};
    if (Full && tile + 1 < tiles) {
      A all = warp_sums.data()[0];
#  pragma unroll
      for (int w = 1; w < shape::warps; ++w) all = combine<A>(op, all, warp_sums.data()[w]);
      mail.leave(tile, all);
    }
    A prefix = d.init;
    if (tile > 0) {
      while (!mail.fetch(tiles + tile, prefix)) __nanosleep(20);
      mail.clear(tiles + tile);
    }
    before.data()[0] = prefix;
  }
  A left_warps = warp_sums.data()[0];
  if (warp > 0) {
#  pragma unroll
    for (int w = 1; w < shape::warps; ++w)
      if (w < warp) left_warps = combine<A>(op, left_warps, warp_sums.data()[w]);
  }
  __syncthreads();

  if (has_items) {
    scan_prefix<A> prefix{before.data()[0], tile > 0 || d.has_init};
    if (warp > 0) prefix.append(op, left_warps);
    if (lane > 0) prefix.append(op, left_of_thread);
    if (d.exclusive) {
      scan_row<Full, true, true>(op, row, count, prefix.value);
    } else if (prefix.held) {
      scan_row<Full, false, true>(op, row, count, prefix.value);
    } else {
      scan_row<Full, false, false>(op, row, count, prefix.value);
    }
    if (d.total != nullptr && base + lane * items + count == d.n)
      *d.total = static_cast<Total>(prefix.before(op, own_items));
  }
  __syncwarp();
  scan_write<Full, A>(d, rows, base, rest);
}

}  // namespace amphi::detail

#endif
