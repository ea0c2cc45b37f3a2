// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/select_order.hpp"

// What a thread of a GPU holds of a tile of a selection, and how the kept ones are numbered within a warp.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// The compiler is to have this value in one register, not to work it out again where it is used.
__device__ inline void settle(unsigned& value) { asm volatile("" : "+r"(value)); }
__device__ inline void* settled_shared(void* space) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(space));
  settle(address);
  return __cvta_shared_to_generic(address);
}

__device__ inline int sum_of_warp(int value) {
#  if AMPHI_DEVICE_ARCH >= 800
  return __reduce_add_sync(0xffffffffu, value);
#  else
#    pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
#  endif
}

// Where the calling thread's items of a tile are. Those at distances from `begin` up to `end` from its first
// one are elements; neighbours in a row are one apart, rows Shape::row.
template <class Shape>
struct select_site {
  std::int64_t first;  // may be negative, within the pad
  int begin, end;

  template <class Data>
  __device__ select_site(const Data& d, int tile) {
    const int of_warp = d.tiling.rows * Shape::row;
    first = d.first(tile) + static_cast<int>(threadIdx.x) / 32 * of_warp +
            static_cast<int>(threadIdx.x) % 32 * Shape::width;
    begin = first < 0 ? static_cast<int>(-first) : 0;
    const std::int64_t rest = d.n - first;
    end = rest >= of_warp ? of_warp : rest > 0 ? static_cast<int>(rest) : 0;
  }
  static constexpr int last_row = (Shape::most_rows - 1) * Shape::row;
  __device__ bool full() const { return begin == 0 && end >= last_row + Shape::width; }
  __device__ bool holds(int distance) const { return distance >= begin && distance < end; }
};

// The calling thread's elements of a tile: bit k of a mask stands for item k.
template <class Shape>
struct select_items {
  using T = typename Shape::value_type;
  using site = select_site<Shape>;
  static constexpr int rows = Shape::most_rows, W = Shape::width, items = Shape::items;
  static constexpr unsigned all = items == 32 ? 0xffffffffu : (1u << items) - 1;
  static_assert(Shape::held || W == 1);
  std::conditional_t<Shape::held, T, char> v[Shape::held ? items : 1];
  std::conditional_t<Shape::held, T, char> front;  // of lane 0: the element left of the warp's first

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }

  // Those that are elements.
  __device__ static unsigned valid(const site& at) {
    if (at.full()) return all;
    unsigned mask = 0;
#  pragma unroll
    for (int k = 0; k < items; ++k)
      if (at.holds(k / W * Shape::row + k % W)) mask |= 1u << k;
    return mask;
  }

  // Where an item is no element, some element takes its place: a rule can then be asked about all items.
  template <class Data>
  __device__ void read(const Data& d, const site& at) {
    if constexpr (Shape::held) {
      const auto& from = d.keep.elements;
      const bool fits = d.tiling.packed || !std::is_pointer_v<std::remove_cvref_t<decltype(from)>>;
      if (fits && at.full()) {
#  pragma unroll
        for (int r = 0; r < rows; ++r) read_pack(from, at.first + r * Shape::row, r);
      } else {
#  pragma unroll
        for (int r = 0; r < rows; ++r) {
          if (r >= d.tiling.rows) break;
          if (fits && at.holds(r * Shape::row) && at.holds(r * Shape::row + W - 1)) {
            read_pack(from, at.first + r * Shape::row, r);
          } else {
#  pragma unroll
            for (int w = 0; w < W; ++w) v[r * W + w] = from[near(d, at.first + (r * Shape::row + w))];
          }
        }
      }
      if constexpr (Data::looks_left)
        if (lane() == 0) front = from[near(d, at.first - 1)];
    }
  }

  // Those that are kept.
  template <class Data>
  __device__ unsigned kept(const Data& d, const site& at, unsigned mask) const {
    unsigned result = 0;
#  pragma unroll
    for (int r = 0; r < rows; ++r) {
      if constexpr (Shape::held) {
        if (r >= d.tiling.rows) break;
        T left = v[r * W];
        if constexpr (Data::looks_left) {
          left = shuffle_up(v[r * W + W - 1], 1);
          const T above = r == 0 ? front : shuffle_from(v[r == 0 ? 0 : r * W - 1], 31);
          if (lane() == 0) left = above;
        }
#  pragma unroll
        for (int w = 0; w < W; ++w) {
          const int k = r * W + w;
          if (d.keep.of(at.first + (r * Shape::row + w), v[k], w == 0 ? left : v[k == 0 ? 0 : k - 1]))
            result |= 1u << k;
        }
      } else {
        if ((mask >> r & 1u) != 0 && d.keep(at.first + r * Shape::row)) result |= 1u << r;
      }
    }
    result &= mask;
    settle(result);
    return result;
  }

 private:
  template <class Data>
  __device__ static std::int64_t near(const Data& d, std::int64_t i) {
    return i < 0 ? 0 : i < d.n ? i : d.n - 1;
  }
  template <class Elements>
  __device__ void read_pack(const Elements& elements, std::int64_t i, int r) {
    T loaded[W];
    load_pack<W>(elements, i, loaded);
#  pragma unroll
    for (int w = 0; w < W; ++w) v[r * W + w] = loaded[w];
  }
};

// How many kept elements stand before those of the calling thread, in each row of its warp: counts of
// several rows are added at once.
template <class Shape>
struct select_ranks {
  static constexpr int W = Shape::width, rows = Shape::most_rows;
  static constexpr int bits = Shape::row < 256 ? 8 : 16, fields = 32 / bits;
  static constexpr int words = (rows + fields - 1) / fields;
  unsigned before[words], sums[words];  // of the threads before, of the warp

  __device__ static int field(const unsigned (&w)[words], int r) {
    return static_cast<int>(w[r / fields] >> (r % fields * bits) & ((1u << bits) - 1));
  }

  // Gives the number of the warp's kept elements.
  __device__ int count(unsigned kept) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#  pragma unroll
    for (int q = 0; q < words; ++q) {
      unsigned own = 0;
#  pragma unroll
      for (int f = 0; f < fields; ++f) {
        const int r = q * fields + f;
        if (r < rows)
          own |= static_cast<unsigned>(__popc(kept >> (r < rows ? r * W : 0) & ((1u << W) - 1)))
                 << (f * bits);
      }
      unsigned sum = own;
#  pragma unroll
      for (int distance = 1; distance < 32; distance *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, sum, distance);
        if (lane >= distance) sum += other;
      }
      before[q] = sum - own;
      sums[q] = __shfl_sync(0xffffffffu, sum, 31);
    }
    int all = 0;
#  pragma unroll
    for (int r = 0; r < rows; ++r) all += field(sums, r);
    return all;
  }

  // Calls f(row, rank): `rank` kept elements stand before the thread's items in this row.
  template <class F>
  __device__ void visit(int rank, F&& f) const {
#  pragma unroll
    for (int r = 0; r < rows; ++r) {
      f(r, rank + field(before, r));
      rank += field(sums, r);
    }
  }
};

}  // namespace amphi::detail

#endif
