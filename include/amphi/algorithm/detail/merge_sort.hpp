// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/merge_path.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Sorting by comparisons: short runs, each sorted by one task, are merged in passes whose tasks make equally
// long pieces of the result.

namespace amphi::detail {

inline constexpr const char* sort_name = "amphi::sort";

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class K, class V, class Compare>
AMPHI_HOST_DEVICE void insertion_sort(const records<K, V>& x, std::int64_t n, Compare& before) {
  for (std::int64_t i = 1; i < n; ++i) {
    if (!before(x.keys[i], x.keys[i - 1])) continue;
    const K key = x.keys[i];
    std::int64_t j = i;
    if constexpr (records<K, V>::has_values) {
      const V value = x.values[i];
      for (; j > 0 && before(key, x.keys[j - 1]); --j) x.put(j, x, j - 1);
      x.values[j] = value;
    } else {
      for (; j > 0 && before(key, x.keys[j - 1]); --j) x.put(j, x, j - 1);
    }
    x.keys[j] = key;
  }
}

// Sorts n elements of x with as many of `room` to work in; the result comes to x, or to `room`.
template <class K, class V, class Compare>
void sort_on_core(records<K, V> x, records<K, V> room, std::int64_t n, bool to_room, Compare& before) {
  constexpr std::int64_t shortest = 16;
  for (std::int64_t i = 0; i < n; i += shortest)
    insertion_sort(x.at(i), n - i < shortest ? n - i : shortest, before);
  bool in_room = false;
  for (std::int64_t width = shortest; width < n; width *= 2, in_room = !in_room) {
    const records<K, V> from = in_room ? room : x, to = in_room ? x : room;
    for (std::int64_t i = 0; i < n; i += 2 * width) {
      const std::int64_t left = n - i < width ? n - i : width;
      const std::int64_t right = n - i - left < width ? n - i - left : width;
      merge_piece(from.at(i), left, from.at(i + left), right, to.at(i), 0, left + right, before);
    }
  }
  if (in_room == to_room) return;
  for (std::int64_t i = 0; i < n; ++i) (to_room ? room : x).put(i, to_room ? x : room, i);
}

// Task t sorts run t.
template <class K, class V, class Compare>
struct sort_runs {
  static constexpr const char* name = sort_name;
  records<K, V> x, room;
  std::int64_t n, run;
  bool to_room;
  Compare before;

  AMPHI_HOST_DEVICE void operator()(std::int64_t t) const {
    Compare order = before;
    const piece mine = piece_of(n, run, t);
    const std::int64_t count = mine.last - mine.first;
#if AMPHI_DEVICE_CODE
    if (to_room)
      for (std::int64_t i = mine.first; i < mine.last; ++i) room.put(i, x, i);
    insertion_sort((to_room ? room : x).at(mine.first), count, order);
#else
    sort_on_core(x.at(mine.first), room.at(mine.first), count, to_room, order);
#endif
  }
};

// Task t makes a piece of the pass in which neighbouring runs of `width` become one.
template <class K, class V, class Compare>
struct sort_pass {
  static constexpr const char* name = sort_name;
  records<K, V> from, to;
  std::int64_t n, width, length;
  Compare before;

  AMPHI_HOST_DEVICE void operator()(std::int64_t t) const {
    Compare order = before;
    const piece mine = piece_of(n, length, t);
    const std::int64_t base = mine.first / (2 * width) * (2 * width);
    const std::int64_t left = n - base < width ? n - base : width;
    const std::int64_t right = n - base - left < width ? n - base - left : width;
    merge_piece(from.at(base), left, from.at(base + left), right, to.at(base), mine.first - base,
                mine.last - base, order);
  }
};

AMPHI_DETAIL_CONVERSIONS_END

// `room`: as many elements as x.
template <class K, class V, class Compare>
void merge_sort(const algorithm_plan& plan, records<K, V> x, records<K, V> room, std::int64_t n,
                const Compare& before) {
  std::int64_t run = plan.on_gpu ? 32 : 1024;
  if (!plan.on_gpu)
    while (run < n / 64) run *= 2;
  const std::int64_t length = plan.on_gpu ? 16 : run;
  bool to_room = false;
  for (std::int64_t width = run; width < n; width *= 2) to_room = !to_room;
  launch_tasks(plan, (n + run - 1) / run, sort_runs<K, V, Compare>{x, room, n, run, to_room, before});
  for (std::int64_t width = run; width < n; width *= 2, to_room = !to_room)
    launch_tasks(plan, (n + length - 1) / length,
                 sort_pass<K, V, Compare>{to_room ? room : x, to_room ? x : room, n, width, length, before});
}

}  // namespace amphi::detail
