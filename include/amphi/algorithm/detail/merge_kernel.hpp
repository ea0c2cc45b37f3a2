// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/merge_block.hpp"
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

#if AMPHI_CUDA_UNIT
// The calling block's part of n results: all have equally many.
__device__ inline piece share_of_merging_block(std::int64_t n) {
  const std::int64_t even = (n + gridDim.x - 1) / gridDim.x;
  return piece_of(n, (even + 31) / 32 * 32, static_cast<std::int64_t>(blockIdx.x));
}

// `count` results from `first` on of merging a and b, by the calling block; a0, a1: how many elements of a
// stand before the first one, and before what follows the last one.
template <class K, class Compare>
__device__ void merge_by_block(const K* a, std::int64_t a_size, const K* b, std::int64_t b_size, K* out,
                               std::int64_t first, std::int64_t count, std::int64_t a0, std::int64_t a1,
                               const Compare& before) {
  extern __shared__ __align__(16) unsigned char amphi_merge_space[];
  const std::int64_t b0 = first - a0, more = a1 - a0;
  const std::int64_t from_a = more < 0 ? 0 : more > count ? count : more;  // needed if a and b are not sorted
  merge_strip<K> strip(amphi_merge_space, a, a_size, a0, from_a, b, b_size, b0, count - from_a, out + first);
  if constexpr (quick_order<K, Compare>::exists) {
    if (!strip.holds_nan(a, a_size, a0, from_a, b, b_size, b0, count - from_a))
      return strip.merge(quick_order<K, Compare>());
  }
  strip.merge(before);
}
#endif

// Where one range comes before the other, both are copied if they lie well. Else each block makes as long a
// piece of the results as the others: it finds what its piece begins and ends with in a and b, and from there
// on reads each element once.
template <class K>
struct merge_kernel {
  static constexpr const char* name = merge_name;
  static constexpr int threads = merge_shape<K>::threads;
  static constexpr int resident = 768 / threads;

#if AMPHI_CUDA_UNIT
  template <class Compare>
  __device__ static void device(merge_task<K, Compare> d) {
    __shared__ std::int64_t ranks[2];
    __shared__ bool is_first[2];  // all of b before all of a; all of a before all of b
    const int t = static_cast<int>(threadIdx.x);
    const piece mine = share_of_merging_block(d.a_size + d.b_size);
    const std::int64_t count = mine.last - mine.first;
    const K *const a = d.a.keys, *const b = d.b.keys;
    Compare before = d.before;
    if (t < 64) {
      // Where a and b would meet, if one comes before the other; read ahead of the search.
      const bool meet = d.a_size > 0 && d.b_size > 0;
      unmade<K> of_a, of_b;
      if (t % 32 == 0 && meet) {
        of_a.value = a[t == 0 ? 0 : d.a_size - 1];
        of_b.value = b[t == 0 ? d.b_size - 1 : 0];
      }
      const std::int64_t rank = t < 32 ? mine.first : mine.last;
      const std::int64_t found = count > 0 ? merge_rank_by_warp(a, d.a_size, b, d.b_size, rank, before) : 0;
      if (t % 32 == 0) {
        ranks[t / 32] = found;
        is_first[t / 32] = !meet || before(of_b.value, of_a.value) == (t == 0);
      }
    }
    __syncthreads();
    if (is_first[0] || is_first[1]) {
      K* const for_a = d.out.keys + (is_first[1] ? 0 : d.b_size);
      K* const for_b = d.out.keys + (is_first[1] ? d.a_size : 0);
      if (merge_copies(a, for_a) && merge_copies(b, for_b)) {
        merge_copy(a, d.a_size, for_a);
        return merge_copy(b, d.b_size, for_b);
      }
    }
    if (count <= 0) return;
    merge_by_block(a, d.a_size, b, d.b_size, d.out.keys, mine.first, count, ranks[0], ranks[1], before);
  }
#endif

  template <class Compare>
  static void host(const merge_task<K, Compare>&) {}  // the CPU takes the tasks
};

AMPHI_DETAIL_CONVERSIONS_END

template <class K, class Compare>
void merge_ranges(const policy& p, const K* a, std::int64_t a_size, const K* b, std::int64_t b_size, K* out,
                  const Compare& before) {
  const std::int64_t n = a_size + b_size;
  if (n == 0) return;
  const algorithm_plan plan = plan_algorithm(merge_name, p, merge_kernel<K>::threads);
  merge_task<K, Compare> task{{a, nullptr}, {b, nullptr}, {out, nullptr}, a_size, b_size, 0, before};
  if constexpr (AMPHI_CUDA != 0 && merge_shape<K>::fits) {
    using shape = merge_shape<K>;
    if (plan.on_gpu && plan.automatic && shape::shared_bytes + shape::static_bytes <= plan.shared_bytes) {
      constexpr std::int64_t least = shape::threads * shape::group;  // results of a block
      policy q = with_geometry(plan.launch, 1, shape::threads, shape::shared_bytes);
      if (n > least) q.grid = extent3::automatic();  // as many as are resident at most
      return launch_algorithm<merge_kernel<K>>(q, (n + least - 1) / least * shape::threads, task);
    }
  }
  task.length = task_length(plan, n, 16, 2048);
  launch_tasks(plan, (n + task.length - 1) / task.length, task);
}

}  // namespace amphi::detail
