// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/compiled.hpp"
#include "amphi/algorithm/detail/device_radix_sort.hpp"
#include "amphi/algorithm/detail/map_kernel.hpp"
#include "amphi/algorithm/detail/merge_sort_device.hpp"
#include "amphi/algorithm/detail/radix_sort.hpp"

// Which sort runs where.

namespace amphi::detail {

// Scratch of one sort, in this order: keys, values, what the sort needs besides.
template <class K, class V>
struct sort_room {
  std::size_t key_bytes, value_bytes = 0;

  explicit sort_room(std::int64_t n) : key_bytes(rounded(static_cast<std::size_t>(n) * sizeof(K))) {
    if constexpr (records<K, V>::has_values) value_bytes = rounded(static_cast<std::size_t>(n) * sizeof(V));
  }
  std::size_t bytes() const { return key_bytes + value_bytes; }
  records<K, V> in(const scratch& s) const {
    auto* const data = static_cast<char*>(s.data());
    records<K, V> room{reinterpret_cast<K*>(data), nullptr};
    if constexpr (records<K, V>::has_values) room.values = reinterpret_cast<V*>(data + key_bytes);
    return room;
  }
  void* rest(const scratch& s) const { return static_cast<char*>(s.data()) + bytes(); }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
};

template <class K, class V, class Order>
void run_sort(const policy& p, records<K, V> x, std::int64_t n, const Order& before);
#if !AMPHI_CUDA || AMPHI_CUDA_UNIT
template <class K, class V, class Order>
void run_sort(const policy& p, records<K, V> x, std::int64_t n, const Order& before) {
  using merging = device_merge_sort<K, V, Order>;
  constexpr int threads = sorts_by_digits<K, Order> ? task_threads : merging::threads;
  const algorithm_plan plan = plan_algorithm(sort_name, p, threads);
#  if AMPHI_CUDA && AMPHI_CUDA_UNIT
  if (plan.on_gpu && plan.automatic) {
    if constexpr (sorts_by_digits<K, Order>) {
      return digit_sort<K, V>(plan, x, n, std::is_same_v<Order, descending>).run();
    } else if (merging::has_room(plan, n)) {
      return merging::sort(plan, x, n, before);
    }
  }
#  endif
  const sort_room<K, V> room(n);
  if constexpr (sorts_by_digits<K, Order>) {
    if (!plan.on_gpu && n > radix_pays_from<K>) {
      const scratch s(sort_name, plan, room.bytes() + radix_parts(n).bytes(), sizeof(radix_state));
      return radix_sort_on_cpu(plan, x, room.in(s), n, std::is_same_v<Order, descending>, room.rest(s),
                               s.zeroed());
    }
  }
  const scratch s(sort_name, plan, room.bytes(), 0);
  merge_sort(plan, x, room.in(s), n, before);
}
#endif

// Sorts n elements of x by `before`, which is ascending or descending for numbers, or the caller's.
template <class K, class V, class Order>
void sort_records(const policy& p, records<K, V> x, std::int64_t n, const Order& before) {
  check_unit_or_library<is_compiled<K> && !records<K, V>::has_values && sorts_by_digits<K, Order>, K, V,
                        Order>();
  if (n > 0) run_sort(p, x, n, before);
}

}  // namespace amphi::detail
