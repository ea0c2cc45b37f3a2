// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/merge_path.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// The kernels of merge.

namespace amphi::detail {

inline constexpr const char* merge_name = "amphi::merge";

AMPHI_DETAIL_CONVERSIONS_BEGIN

// Task t makes results t * length … of one merge.
template <class K, class Compare>
struct merge_task {
  static constexpr const char* name = merge_name;
  records<const K> a, b;
  records<K> out;
  std::int64_t a_size, b_size, length;
  Compare before;

  AMPHI_HOST_DEVICE void operator()(std::int64_t t) const {
    Compare order = before;
    const piece mine = piece_of(a_size + b_size, length, t);
    merge_piece(a, a_size, b, b_size, out, mine.first, mine.last, order);
  }
};

// One block for each tile of results, which it puts in order in shared memory.
struct merge_kernel {
  static constexpr const char* name = merge_name;
  static constexpr int threads = 256;
  static constexpr int resident = 1;

  template <class K>
  static constexpr int items = sizeof(K) <= 4   ? 15
                               : sizeof(K) <= 8 ? 11
                                                : 5;  // odd: no bank conflicts
  template <class K>
  static constexpr int tile = threads* items<K>;
  template <class K>
  static constexpr bool fits = sizeof(K) * tile<K> <= 40 * 1024;

#if AMPHI_CUDA_UNIT
  template <class K, class Compare>
  __device__ static void device(merge_task<K, Compare> d) {
    __shared__ raw_array<K, tile<K>> room;
    __shared__ std::int64_t ranks[2];
    K* const s = room.data();
    const int t = static_cast<int>(threadIdx.x);
    const piece mine = piece_of(d.a_size + d.b_size, tile<K>, static_cast<std::int64_t>(blockIdx.x));
    Compare before = d.before;
    if (t < 2)
      ranks[t] = merge_rank(d.a.keys, d.a_size, d.b.keys, d.b_size, t == 0 ? mine.first : mine.last, before);
    __syncthreads();
    const std::int64_t a0 = ranks[0], b0 = mine.first - a0;
    const int a_size = static_cast<int>(ranks[1] - a0), all = static_cast<int>(mine.last - mine.first);
    const int b_size = all - a_size;
    for (int k = t; k < all; k += threads) s[k] = k < a_size ? d.a.keys[a0 + k] : d.b.keys[b0 + (k - a_size)];
    __syncthreads();
    const int first = t * items<K> < all ? t * items<K> : all;
    const int last = first + items<K> < all ? first + items<K> : all;
    const records<const K> left{s, nullptr}, right{s + a_size, nullptr};
    K results[items<K>];
    int i = static_cast<int>(merge_rank(left.keys, a_size, right.keys, b_size, first, before)), j = first - i;
#  pragma unroll
    for (int k = 0; k < items<K>; ++k) {
      if (first + k >= last) break;
      const bool from_right = i == a_size || (j < b_size && before(right.keys[j], left.keys[i]));
      results[k] = *(from_right ? right.keys + j : left.keys + i);
      j += from_right ? 1 : 0;
      i += from_right ? 0 : 1;
    }
    __syncthreads();
#  pragma unroll
    for (int k = 0; k < items<K>; ++k)
      if (first + k < last) s[first + k] = results[k];
    __syncthreads();
    for (int k = t; k < all; k += threads) d.out.keys[mine.first + k] = s[k];
  }
#endif

  template <class K, class Compare>
  static void host(const merge_task<K, Compare>&) {}  // the CPU takes the tasks
};

AMPHI_DETAIL_CONVERSIONS_END

template <class K, class Compare>
void merge_ranges(const policy& p, const K* a, std::int64_t a_size, const K* b, std::int64_t b_size, K* out,
                  const Compare& before) {
  const std::int64_t n = a_size + b_size;
  if (n == 0) return;
  const algorithm_plan plan = plan_algorithm(merge_name, p, merge_kernel::threads);
  merge_task<K, Compare> task{{a, nullptr}, {b, nullptr}, {out, nullptr}, a_size, b_size, 0, before};
  if constexpr (AMPHI_CUDA != 0 && merge_kernel::fits<K> && std::is_trivially_default_constructible_v<K>) {
    if (plan.on_gpu && plan.automatic) {
      const std::int64_t tiles = (n + merge_kernel::tile<K> - 1) / merge_kernel::tile<K>;
      return launch_algorithm<merge_kernel>(with_geometry(plan.launch, tiles, merge_kernel::threads), n,
                                            task);
    }
  }
  task.length = task_length(plan, n, 16, 2048);
  launch_tasks(plan, (n + task.length - 1) / task.length, task);
}

}  // namespace amphi::detail
