// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/merge_ring.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"
#include "amphi/algorithm/detail/unmade.hpp"

// What a block of a GPU does of a merge.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

// merge_rank by a whole warp, which asks 31 places at once.
template <class K, class Compare>
__device__ std::int64_t merge_rank_by_warp(const K* a, std::int64_t a_size, const K* b, std::int64_t b_size,
                                           std::int64_t rank, Compare& before) {
  std::int64_t low = rank > b_size ? rank - b_size : 0;
  std::int64_t high = rank < a_size ? rank : a_size;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  while (low < high) {
    const std::int64_t size = high - low, middle = low + size * (lane + 1) / 32;
    const bool above = lane == 31 || before(b[rank - 1 - middle], a[middle]);
    const int below = __popc(__ballot_sync(0xffffffffu, !above));
    high = low + size * (below + 1) / 32;
    if (below > 0) low += size * below / 32 + 1;
  }
  return low;
}

// Copies words by all threads of the launch, front to back: faster than a stretch for each block.
template <class W>
__device__ void merge_copy_words(const W* from, std::int64_t count, W* to) {
  constexpr int each = 4;
  const std::int64_t all = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (each - 1) * all < count; i += each * all) {
    unmade<W> v[each];  // all in flight together
#  pragma unroll
    for (int k = 0; k < each; ++k) v[k].value = from[i + k * all];
#  pragma unroll
    for (int k = 0; k < each; ++k) to[i + k * all] = v[k].value;
  }
  for (; i < count; i += all) to[i] = from[i];
}

// Do both lie equally in pieces of 16 bytes, which consist of whole elements? Only then is a copy faster than
// a merge.
template <class K>
__device__ bool merge_copies(const K* from, const K* to) {
  const auto in = reinterpret_cast<std::uintptr_t>(from), out = reinterpret_cast<std::uintptr_t>(to);
  return 16 % sizeof(K) == 0 && (in ^ out) % 16 == 0 && out % sizeof(K) == 0;
}
template <class K>
__device__ void merge_copy(const K* from, std::int64_t count, K* to) {
  constexpr int in_piece = sizeof(K) <= 16 ? 16 / static_cast<int>(sizeof(K)) : 1;
  const auto misplaced = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 16 / sizeof(K));
  const std::int64_t before = (in_piece - misplaced) % in_piece, head = before < count ? before : count,
                     pieces = (count - head) / in_piece, rest = head + pieces * in_piece;
  merge_copy_words(from, head, to);
  merge_copy_words(reinterpret_cast<const int4*>(from + head), pieces, reinterpret_cast<int4*>(to + head));
  merge_copy_words(from + rest, count - rest, to + rest);
}

// An order of numbers that is right where none is a NaN, if it costs less than the full one.
template <class K, class Compare>
struct quick_order {
  static constexpr bool exists = false;
};
template <>
struct quick_order<float, ascending> : less<float> {
  static constexpr bool exists = true;
};
template <>
struct quick_order<double, ascending> : less<double> {
  static constexpr bool exists = true;
};
template <>
struct quick_order<float, descending> : greater<float> {
  static constexpr bool exists = true;
};
template <>
struct quick_order<double, descending> : greater<double> {
  static constexpr bool exists = true;
};

// Merges a_size elements of a from a0 on and b_size of b from b0 on; a_end and b_end: those of the arrays.
template <class K>
class merge_strip {
 public:
  using shape = merge_shape<K>;

  __device__ merge_strip(unsigned char* room, const K* a, std::int64_t a_end, std::int64_t a0,
                         std::int64_t a_size, const K* b, std::int64_t b_end, std::int64_t b0,
                         std::int64_t b_size, K* out)
      : a_(room, a, a_end, a0, more(a_size, a_end - a0)),
        b_(room + shape::ring_bytes + shape::copy_bytes, b, b_end, b0, more(b_size, b_end - b0)),
        a_left_(a_size),
        b_left_(b_size),
        a_behind_(static_cast<int>(more(a_size, a_end - a0) - a_size)),
        b_behind_(static_cast<int>(more(b_size, b_end - b0) - b_size)),
        out_(out),
        stage_(room + 2 * (shape::ring_bytes + shape::copy_bytes) + thread() / 32 * shape::stage_bytes) {
    a_.fill();
    b_.fill();
  }

  // In a sorted range NaNs stand at the ends. For the whole block.
  __device__ static bool holds_nan(const K* a, std::int64_t a_end, std::int64_t a0, std::int64_t a_size,
                                   const K* b, std::int64_t b_end, std::int64_t b0, std::int64_t b_size) {
    const bool of_a = thread() % 4 < 2, last = thread() % 2 == 1;
    const std::int64_t count = of_a ? more(a_size, a_end - a0) : more(b_size, b_end - b0);
    bool nan = false;
    if (thread() < 4 && count > 0) {
      const K* const range = of_a ? a + a0 : b + b0;
      const K key = range[last ? count - 1 : 0];
      nan = key != key;
    }
    return __syncthreads_or(nan) != 0;
  }

  template <class Compare>
  __device__ void merge(Compare before) {
    __shared__ int taken;
    while (true) {
      const std::int64_t left = a_left_ + b_left_;
      const int all = at_most_a_tile(left);
      const int groups = (all + shape::threads * group - 1) / (shape::threads * group), each = groups * group;
      K* const out = out_ + thread() / 32 * 32 * each;  // of the warp
      K* const results =
          reinterpret_cast<K*>(stage_ + reinterpret_cast<std::uintptr_t>(out) % 16) + thread() % 32 * each;
      wait_for_copies();
      __syncthreads();
      const int first = thread() * each < all ? thread() * each : all;
      const int stop = merge_items(first, all, groups, results, before);
      const bool again = left > shape::tile;
      if (again) {
        if (thread() == shape::threads - 1) taken = stop;
        __syncthreads();
        const int a_tile = at_most_a_tile(a_left_), b_tile = at_most_a_tile(b_left_);
        int from_a = taken < a_tile ? taken : a_tile;
        if (shape::tile - from_a > b_tile) from_a = shape::tile - b_tile;
        a_left_ -= from_a, b_left_ -= shape::tile - from_a;
        a_.drop(from_a);
        b_.drop(shape::tile - from_a);
        a_.fill();
        b_.fill();
      }
      __syncwarp();
      const int rest = all - thread() / 32 * 32 * each;
      if (rest > 0) merge_store(stage_, out, rest < 32 * each ? rest : 32 * each);
      if (!again) return;
      out_ += shape::tile;
    }
  }

 private:
  static constexpr int items = shape::items, group = shape::group;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  // Some elements behind the block's own are read too, so that only the ends of a and b need care.
  __device__ static std::int64_t more(std::int64_t size, std::int64_t left) {
    return left - size < items ? left : size + items;
  }
  __device__ static int at_most_a_tile(std::int64_t size) {
    return size < shape::tile ? static_cast<int>(size) : shape::tile;
  }
  // Do `count` elements from i on stand in the ring?
  __device__ static bool readable(int i, int count, std::int64_t left, int behind) {
    return left >= shape::tile || i + count <= static_cast<int>(left) + behind;
  }

  // How many of the tile's first `rank` results come from a.
  template <class Compare>
  __device__ int first_of_a(int rank, int a_tile, int b_tile, Compare& before) const {
    int low = rank > b_tile ? rank - b_tile : 0, high = rank < a_tile ? rank : a_tile;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (before(b_[rank - 1 - middle], a_[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  // The tile's results from `first` on, some groups of them. Returns how many elements of a stand before
  // what follows them.
  template <class Compare>
  __device__ int merge_items(int first, int all, int groups, K* results, Compare& before) const {
    const int a_tile = at_most_a_tile(a_left_), b_tile = at_most_a_tile(b_left_), each = groups * group;
    const int count = all - first < each ? all - first : each;
    int i = first_of_a(first, a_tile, b_tile, before), j = first - i;
    if (__all_sync(0xffffffffu,
                   readable(i, each, a_left_, a_behind_) && readable(j, each, b_left_, b_behind_))) {
      const K *a = a_.at(i), *b = b_.at(j);
      const K* const a_first = a;
      K left = *a, right = *b;
#  pragma unroll 1
      for (int g = 0; g < groups; ++g) {
#  pragma unroll
        for (int k = 0; k < group; ++k) {
          const bool from_b = before(right, left);
          results[k] = from_b ? right : left;
          if (from_b) {
            ++b;
          } else {
            ++a;
          }
          const K next = *(from_b ? b : a);  // behind the last result: of no use
          if (from_b) {
            right = next;
          } else {
            left = next;
          }
        }
        results += group;
      }
      return i + static_cast<int>(a - a_first);
    }
    if (__all_sync(0xffffffffu, i == a_tile || j == b_tile)) {
      const K* const from = i == a_tile ? b_.at(j) : a_.at(i);
      for (int k = 0; k < count; ++k) results[k] = from[k];
      return i == a_tile ? i : i + count;
    }
    for (int k = 0; k < count; ++k) {
      const bool from_b = i == a_tile || (j < b_tile && before(b_[j], a_[i]));
      results[k] = from_b ? b_[j] : a_[i];
      i += from_b ? 0 : 1;
      j += from_b ? 1 : 0;
    }
    return i;
  }

  merge_ring<K> a_, b_;
  std::int64_t a_left_, b_left_;
  int a_behind_, b_behind_;
  K* out_;
  unsigned char* stage_;  // of the warp
};

AMPHI_DETAIL_CONVERSIONS_END

}  // namespace amphi::detail

#endif
