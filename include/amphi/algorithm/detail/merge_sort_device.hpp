// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "amphi/algorithm/detail/merge_kernel.hpp"
#include "amphi/algorithm/detail/sort_places.hpp"
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

// Sorts what `from` gives into `to`, which may be where it stands. `other`: room for as many elements, not
// used if one tile holds all.
template <class E, class Order>
class element_sort {
 public:
  static constexpr int tile = sort_shape<E>::tile;
  static bool has_room(const algorithm_plan& plan) {
    return merging::shared_bytes + merging::static_bytes <= plan.shared_bytes;
  }

  template <class From>
  static void sort(const algorithm_plan& plan, const From& from, E* to, E* other, std::int64_t n,
                   const Order& order) {
    bool ends_in_to = true;
    for (std::int64_t width = tile; width < n; width *= 2) ends_in_to = !ends_in_to;
    E *a = ends_in_to ? to : other, *b = ends_in_to ? other : to;
    sort_all_tiles(plan, from, records<E>{a, nullptr}, n, order);
    for (std::int64_t width = tile; width < n; width *= 2, std::swap(a, b)) {
      constexpr std::int64_t least = merging::threads * merging::group;
      policy q = with_geometry(plan.launch, 1, merging::threads, merging::shared_bytes);
      q.grid = extent3::automatic();  // as many as are resident at most
      launch_algorithm<sort_merge_kernel<E>>(q, (n + least - 1) / least * merging::threads,
                                             sort_merge_task<E, Order>{a, b, n, width, order});
    }
  }

  // Each tile by itself.
  template <class From, class To>
  static void sort_all_tiles(const algorithm_plan& plan, const From& from, const To& to, std::int64_t n,
                             const Order& order) {
    using body = sort_tiles<From, To, E, Order>;
    constexpr int threads = sort_shape<E>::threads;
    const std::int64_t blocks = (n + tile - 1) / tile;
    launch_algorithm<gpu_kernel<body, threads, sort_shape<E>::resident>>(
        with_geometry(plan.launch, blocks, threads), blocks, body{from, to, n, order});
  }

 private:
  using merging = merge_shape<E>;
};

// Elements that tiles hold are sorted themselves, a key together with its value; of larger ones the numbers.
template <class K, class V, class Compare>
class device_merge_sort {
 public:
  using E = sort_element<K, V>;
  static constexpr bool moves_elements = sort_shape<E>::fits;
  static constexpr int threads = sort_shape<std::conditional_t<moves_elements, E, place_number>>::threads;

  static bool has_room(const algorithm_plan& plan, std::int64_t n) {
    if constexpr (moves_elements) {
      return element_sort<E, order_type>::has_room(plan);
    } else {
      return n <= most_places && number_sort::has_room(plan);
    }
  }

  static void sort(const algorithm_plan& plan, records<K, V> x, std::int64_t n, const Compare& before) {
    if constexpr (!moves_elements) {
      sort_numbers(plan, x, n, before);
    } else if constexpr (records<K, V>::has_values) {
      sort_pairs(plan, x, n, order_type{before});
    } else {
      scratch_pieces pieces;
      const std::size_t other = pieces.add<E>(room_for<E>(n));
      const scratch s(sort_name, plan, pieces.bytes(), 0);
      element_sort<E, Compare>::sort(plan, x, x.keys, scratch_pieces::at<E>(s, other), n, before);
    }
  }

 private:
  using order_type = order_of_elements<K, V, Compare>;
  using number_sort = element_sort<place_number, order_of_places<K, Compare>>;

  template <class T>
  static std::size_t room_for(std::int64_t n) {
    return static_cast<std::size_t>(n <= sort_shape<T>::tile ? 0 : n);
  }

  static void sort_pairs(const algorithm_plan& plan, records<K, V> x, std::int64_t n,
                         const order_type& order) {
    using sorting = element_sort<E, order_type>;
    scratch_pieces pieces;
    const std::size_t pairs = pieces.add<E>(room_for<E>(n)), other = pieces.add<E>(room_for<E>(n));
    const scratch s(sort_name, plan, pieces.bytes(), 0);
    if (n <= sorting::tile) return sorting::sort_all_tiles(plan, x, x, n, order);
    E* const sorted = scratch_pieces::at<E>(s, pairs);
    sorting::sort(plan, x, sorted, scratch_pieces::at<E>(s, other), n, order);
    launch_tasks(plan, n, pairs_apart<K, V>{sorted, x});
  }

  static void sort_numbers(const algorithm_plan& plan, records<K, V> x, std::int64_t n,
                           const Compare& before) {
    constexpr bool has_values = records<K, V>::has_values;
    const auto count = static_cast<std::size_t>(n);
    scratch_pieces pieces;
    const std::size_t numbers = pieces.add<place_number>(count),
                      other = pieces.add<place_number>(room_for<place_number>(n)),
                      keys = pieces.add<K>(count), values = pieces.add<V>(has_values ? count : 0);
    const scratch s(sort_name, plan, pieces.bytes(), 0);
    auto* const sorted = scratch_pieces::at<place_number>(s, numbers);
    number_sort::sort(plan, every_place{}, sorted, scratch_pieces::at<place_number>(s, other), n,
                      {x.keys, before});
    move_to_places(plan, x.keys, sorted, scratch_pieces::at<K>(s, keys), n);
    if constexpr (has_values) move_to_places(plan, x.values, sorted, scratch_pieces::at<V>(s, values), n);
  }
};

}  // namespace amphi::detail
