// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "amphi/algorithm/detail/merge_kernel.hpp"
#include "amphi/algorithm/detail/sort_tile.hpp"

// Sorting by comparisons on a GPU: tiles, then passes in which neighbouring sorted runs become one.

namespace amphi::detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class E, class Compare>
struct sort_merge_task {
  const E* from;
  E* to;
  std::int64_t n, width;  // of a run
  Compare before;
};

// Each block makes as long a piece of the results as the others, of one merge or of several.
template <class E>
struct sort_merge_kernel {
  static constexpr const char* name = sort_name;
  static constexpr int threads = merge_shape<E>::threads;
  static constexpr int resident = merge_kernel<E>::resident;

#if AMPHI_CUDA_UNIT
  template <class Compare>
  __device__ static void device(sort_merge_task<E, Compare> d) {
    __shared__ std::int64_t ranks[2];
    const piece mine = share_of_merging_block(d.n);
    Compare before = d.before;
    for (std::int64_t first = mine.first; first < mine.last;) {
      const std::int64_t base = first / (2 * d.width) * (2 * d.width);
      const std::int64_t left = d.n - base, a_size = left < d.width ? left : d.width;
      const std::int64_t b_size = left - a_size < d.width ? left - a_size : d.width;
      const std::int64_t end = base + a_size + b_size, stop = end < mine.last ? end : mine.last;
      const E *const a = d.from + base, *const b = a + a_size;
      if (threadIdx.x < 64) {
        const std::int64_t rank = (threadIdx.x < 32 ? first : stop) - base;
        const std::int64_t found = merge_rank_by_warp(a, a_size, b, b_size, rank, before);
        if (threadIdx.x % 32 == 0) ranks[threadIdx.x / 32] = found;
      }
      __syncthreads();
      merge_by_block(a, a_size, b, b_size, d.to + base, first - base, stop - first, ranks[0], ranks[1],
                     before);
      first = stop;
      __syncthreads();
    }
  }
#endif

  template <class Compare>
  static void host(const sort_merge_task<E, Compare>&) {}  // the CPU takes another way
};

template <class K, class V>
struct pairs_apart {
  static constexpr const char* name = sort_name;
  const sort_pair<K, V>* from;
  records<K, V> to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { put_element(to, i, from[i]); }
};

AMPHI_DETAIL_CONVERSIONS_END

template <class K, class V, class Compare>
class device_merge_sort {
 public:
  using E = sort_element<K, V>;
  static constexpr bool fits = sort_shape<E>::fits;
  static bool has_room(const algorithm_plan& plan) {
    return merging::shared_bytes + merging::static_bytes <= plan.shared_bytes;
  }

  static void sort(const algorithm_plan& plan, records<K, V> x, std::int64_t n, const Compare& before) {
    constexpr bool has_values = records<K, V>::has_values;
    constexpr int tile = sort_shape<E>::tile;
    const order_type order{before};
    scratch_pieces pieces;
    const auto room = static_cast<std::size_t>(n <= tile ? 0 : n);
    const std::size_t one = pieces.add<E>(room), other = pieces.add<E>(has_values ? room : 0);
    const scratch s(sort_name, plan, pieces.bytes(), 0);
    if (n <= tile) return sort_all_tiles(plan, x, x, n, order);
    E *a = scratch_pieces::at<E>(s, one), *b = nullptr;
    if constexpr (has_values) {
      b = scratch_pieces::at<E>(s, other);
    } else {
      b = x.keys;
      bool ends_in_x = false;
      for (std::int64_t width = tile; width < n; width *= 2) ends_in_x = !ends_in_x;
      if (!ends_in_x) std::swap(a, b);
    }
    sort_all_tiles(plan, x, records<E>{a, nullptr}, n, order);
    for (std::int64_t width = tile; width < n; width *= 2, std::swap(a, b)) {
      constexpr std::int64_t least = merging::threads * merging::group;
      policy q = with_geometry(plan.launch, 1, merging::threads, merging::shared_bytes);
      q.grid = extent3::automatic();  // as many as are resident at most
      launch_algorithm<sort_merge_kernel<E>>(q, (n + least - 1) / least * merging::threads,
                                             sort_merge_task<E, order_type>{a, b, n, width, order});
    }
    if constexpr (has_values) launch_tasks(plan, n, pairs_apart<K, V>{a, x});
  }

 private:
  using merging = merge_shape<E>;
  using order_type = order_of_elements<K, V, Compare>;

  template <class From, class To>
  static void sort_all_tiles(const algorithm_plan& plan, const From& from, const To& to, std::int64_t n,
                             const order_type& order) {
    using body = sort_tiles<From, To, E, order_type>;
    constexpr int threads = sort_shape<E>::threads, tile = sort_shape<E>::tile;
    const std::int64_t blocks = (n + tile - 1) / tile;
    launch_algorithm<gpu_kernel<body, threads, sort_shape<E>::resident>>(
        with_geometry(plan.launch, blocks, threads), blocks, body{from, to, n, order});
  }
};

}  // namespace amphi::detail
