// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/scan_order.hpp"

// How a warp of a GPU reads, holds and writes its part of a tile of a scan.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// Items in shared memory: a row for each thread, padded against bank conflicts.
template <class A>
struct scan_rows {
  using shape = scan_shape<A>;
  unsigned char* base;
  // Item i, counted from the first row on.
  __device__ A* at(int i) const {
    return reinterpret_cast<A*>(base + i / shape::items * shape::row_bytes) + i % shape::items;
  }
  // What the calling lane moves k-th, when all lanes move W items at once: a constant apart.
  template <int W>
  __device__ A* at_step(int k) const {
    return at_step<W>(k, static_cast<int>(threadIdx.x) % 32);
  }
  template <int W>
  __device__ A* at_step(int k, int lane) const {
    static_assert(32 * W % shape::items == 0);
    return reinterpret_cast<A*>(reinterpret_cast<unsigned char*>(at(lane * W)) +
                                k * (32 * W / shape::items * shape::row_bytes));
  }
};

// Items that are moved at once.
template <class A>
inline constexpr int scan_width = packs<A> && sizeof(A) < 16 &&
                                          16 / sizeof(A) <= static_cast<std::size_t>(scan_shape<A>::items)
                                      ? static_cast<int>(16 / sizeof(A))
                                      : 1;

// An element that stands where its type may stand: one of 8 or 16 bytes need not begin at a multiple of them.
template <class A>
__device__ void copy_item_ahead(A* to, const A* from) {
  constexpr int size = static_cast<int>(sizeof(A));
  constexpr int step = alignof(A) < sizeof(A) ? static_cast<int>(alignof(A)) : size;
#  pragma unroll
  for (int i = 0; i < size; i += step)
    copy_ahead<step>(reinterpret_cast<unsigned char*>(to) + i,
                     reinterpret_cast<const unsigned char*>(from) + i);
}

// scan_read for a whole tile whose memory is not aligned: its items stand `shift` places further on than they
// should, the last ones of a row in the first vector of the next row, those of the last row in its padding.
template <class A>
__device__ void scan_read_shifted(const A* elements, int shift, const scan_rows<A>& rows) {
  constexpr int items = scan_shape<A>::items, W = scan_width<A>, segment = scan_shape<A>::segment;
  int lane = static_cast<int>(threadIdx.x) % 32;
  asm volatile("" : "+r"(lane));  // keeps what is computed from it out of registers that others need
  const A* const from = elements - shift;
#  pragma unroll
  for (int k = 0; k < items / W; ++k)
    if (k > 0 || lane > 0) copy_ahead<16>(rows.template at_step<W>(k, lane), from + lane * W + k * 32 * W);
  // Both ends one by one: what lies beside them is somebody else's.
  if (lane < W) {
    const bool front = lane >= shift;
    copy_ahead<sizeof(A)>(front ? rows.at(lane) : rows.at(segment - items) + items + lane,
                          from + (front ? lane : segment + lane));
  }
}

// Brings a warp's part of a tile, which may be `whole`, into its rows; neighbouring lanes read neighbouring
// elements. It is there after wait_for_copies and __syncwarp.
template <class A, class Data>
__device__ void scan_read(const Data& d, const scan_rows<A>& rows, std::int64_t base, bool whole) {
  using source = decltype(d.source);
  constexpr int items = scan_shape<A>::items, W = scan_width<A>, segment = scan_shape<A>::segment;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int count = d.n - base < segment ? static_cast<int>(d.n - base) : segment;
  identity same;
  if constexpr (source::packable && W > 1) {
    if (d.in_aligned && count == segment) {
      if constexpr (scan_reads_ahead<source, A>) {
        const A* const from = static_cast<const slot<0, const A*>&>(d.source).elements + base + lane * W;
#  pragma unroll
        for (int k = 0; k < items / W; ++k) copy_ahead<16>(rows.template at_step<W>(k), from + k * 32 * W);
      } else {
#  pragma unroll 4
        for (int k = 0; k < items / W; ++k) {
          pack<A, W> loaded;
          d.source.template at_pack<W>(base + (k * 32 + lane) * W, same, loaded.v);
          *reinterpret_cast<pack<A, W>*>(rows.template at_step<W>(k)) = loaded;
        }
      }
      return;
    }
  }
  if constexpr (scan_reads_shifted<source, A>)
    if (d.in_shift > 0 && whole)
      return scan_read_shifted(static_cast<const slot<0, const A*>&>(d.source).elements + base, d.in_shift,
                               rows);
  if constexpr (scan_reads_ahead<source, A>) {
    const A* const from = static_cast<const slot<0, const A*>&>(d.source).elements + base + lane;
#  pragma unroll 1
    for (int k = 0; k < items; ++k)
      if (k * 32 + lane < count) copy_item_ahead(rows.template at_step<1>(k), from + k * 32);
  } else {
#  pragma unroll 8
    for (int k = 0; k < items; ++k)
      if (k * 32 + lane < count)
        *rows.template at_step<1>(k) = static_cast<A>(d.source.at(base + k * 32 + lane, same));
  }
}

// A thread's items of a whole tile, in registers.
template <class A>
struct scan_items {
  static constexpr int items = scan_shape<A>::items, W = scan_width<A>;
  A v[items];

  // From the thread's row, in which items stand `shift` places too far.
  template <class Op>
  __device__ void add_up(Op& op, const A* row, int, int shift) {
    if constexpr (sizeof(A) == 4) {
      if (shift > 0) {
        take_shifted(row, shift);
#  pragma unroll
        for (int k = 1; k < items; ++k) v[k] = combine<A>(op, v[k - 1], v[k]);
        return;
      }
    }
#  pragma unroll
    for (int k = 0; k < items; k += W) {
      const auto read = *reinterpret_cast<const pack<A, W>*>(row + k);
#  pragma unroll
      for (int w = 0; w < W; ++w)
        v[k + w] = k + w == 0 ? read.v[0] : combine<A>(op, v[k + w == 0 ? 0 : k + w - 1], read.v[w]);
    }
  }
  // Reads whole vectors, and then moves all of them by 1, by 2, or by both.
  __device__ void take_shifted(const A* row, int shift) {
    static_assert(W == 4 && 4 * items + 16 == scan_shape<A>::row_bytes);
    unsigned words[items + 4];
    const int behind = threadIdx.x % 32 == 31 ? 0 : 1;  // the padding is skipped but by the last lane
#  pragma unroll
    for (int k = 0; k < items + 4; k += 4) {
      const uint4 read = *(reinterpret_cast<const uint4*>(row) + k / 4 + (k == items ? behind : 0));
      words[k] = read.x, words[k + 1] = read.y, words[k + 2] = read.z, words[k + 3] = read.w;
    }
    const bool by_one = (shift & 1) != 0, by_two = (shift & 2) != 0;
#  pragma unroll
    for (int k = 0; k < items + 2; ++k) {
      const unsigned here = words[k], next = words[k + 1];
      words[k] = by_one ? next : here;
    }
#  pragma unroll
    for (int k = 0; k < items; ++k) {
      const unsigned here = words[k], next = words[k + 2], word = by_two ? next : here;
      __builtin_memcpy(&v[k], &word, 4);
    }
  }
  __device__ A sum(int) const { return v[items - 1]; }

  template <class Op>
  __device__ void finish(Op& op, int, const scan_prefix<A>& prefix, bool exclusive) {
    if (exclusive) {
#  pragma unroll
      for (int k = items - 1; k > 0; --k) v[k] = combine<A>(op, prefix.value, v[k - 1]);
      v[0] = prefix.value;
    } else if (prefix.held) {
#  pragma unroll
      for (int k = 0; k < items; ++k) v[k] = combine<A>(op, prefix.value, v[k]);
    }
  }

  // Half of a warp's threads at a time, by way of the stage, which has as many rows.
  template <class Data>
  __device__ void write(const Data& d, const scan_rows<A>& stage, std::int64_t base, int) const {
    using Out = std::remove_pointer_t<decltype(d.out)>;
    constexpr int half = 16 * items;
    const int lane = static_cast<int>(threadIdx.x) % 32;
#  pragma unroll
    for (int h = 0; h < 2; ++h) {
      if (lane / 16 == h) {
        A* const row = stage.at(lane % 16 * items);
#  pragma unroll
        for (int k = 0; k < items; k += W) {
          pack<A, W> written;
#  pragma unroll
          for (int w = 0; w < W; ++w) written.v[w] = v[k + w];
          *reinterpret_cast<pack<A, W>*>(row + k) = written;
        }
      }
      __syncwarp();
      Out* const to = d.out + base + h * half;
      bool done = false;
      if constexpr (packs<Out> && W > 1) {
        if (d.out_aligned) {
#  pragma unroll
          for (int k = 0; k < half / (32 * W); ++k) {
            const auto read = *reinterpret_cast<const pack<A, W>*>(stage.template at_step<W>(k));
            pack<Out, W> written;
#  pragma unroll
            for (int w = 0; w < W; ++w) written.v[w] = static_cast<Out>(read.v[w]);
            store_whole(reinterpret_cast<pack<Out, W>*>(to + (k * 32 + lane) * W), written);
          }
          done = true;
        }
      }
      if (!done) {
#  pragma unroll 4
        for (int k = 0; k < (half + 31) / 32; ++k)
          if (half % 32 == 0 || k * 32 + lane < half)
            to[k * 32 + lane] = static_cast<Out>(*stage.template at_step<1>(k));
      }
      __syncwarp();
    }
  }
};

// Those of the last tile, which may end anywhere: they stay in the thread's row.
template <class A>
struct scan_last_items {
  A* v;

  template <class Op>
  __device__ void add_up(Op& op, A* row, int count, int) {
    v = row;
    for (int k = 1; k < count; ++k) v[k] = combine<A>(op, v[k - 1], v[k]);
  }
  __device__ A sum(int count) const { return v[count > 0 ? count - 1 : 0]; }

  template <class Op>
  __device__ void finish(Op& op, int count, const scan_prefix<A>& prefix, bool exclusive) {
    if (exclusive) {
      for (int k = count - 1; k > 0; --k) v[k] = combine<A>(op, prefix.value, v[k - 1]);
      v[0] = prefix.value;
    } else if (prefix.held) {
      for (int k = 0; k < count; ++k) v[k] = combine<A>(op, prefix.value, v[k]);
    }
  }

  template <class Data>
  __device__ void write(const Data& d, const scan_rows<A>& rows, std::int64_t base, int count) const {
    using Out = std::remove_pointer_t<decltype(d.out)>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    __syncwarp();
    for (int k = 0; k * 32 + lane < count; ++k)
      d.out[base + k * 32 + lane] = static_cast<Out>(*rows.template at_step<1>(k));
  }
};

}  // namespace amphi::detail

#endif
