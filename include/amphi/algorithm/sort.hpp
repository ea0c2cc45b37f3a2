// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/sort_kernel.hpp"

// sort([policy,] keys, before = ascending())                  puts the elements in order
// sort_by_key([policy,] keys, values, before = ascending())   moves each value along with its key
//
// Stable: equal keys keep their order, so the result is the same on every backend. Numbers are sorted digit
// by digit, other elements by comparisons with `before`, a strict weak order that both host and device can
// call. Floating-point numbers: −0 and +0 are equal, a NaN stands at the end that its sign bit names
// (ascending() says it exactly); amphi::less and amphi::greater mean ascending and descending. Unlike
// std::sort it takes a view, a span or a container, and works in as much scratch memory again. Does not wait
// for a GPU.

namespace amphi {

template <detail::output Keys, class Compare = ascending>
void sort(const policy& p, Keys&& keys, Compare before = {}) {
  const auto k = view(keys);
  using K = typename decltype(k)::value_type;
  static_assert(std::is_trivially_copyable_v<K>,
                "amphi: sort moves elements as bytes: they must be trivially copyable");
  const std::int64_t n = detail::count_of(detail::sort_name, keys);
  detail::sort_records(p, detail::records<K>{k.data(), nullptr}, n, detail::order_for<K>(before));
}

template <detail::output Keys, detail::output Values, class Compare = ascending>
void sort_by_key(const policy& p, Keys&& keys, Values&& values, Compare before = {}) {
  const auto k = view(keys);
  const auto v = view(values);
  using K = typename decltype(k)::value_type;
  using V = typename decltype(v)::value_type;
  static_assert(std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>,
                "amphi: sort_by_key moves elements as bytes: they must be trivially copyable");
  constexpr const char* name = "amphi::sort_by_key";
  const std::int64_t n = detail::count_of(name, keys);
  if (detail::count_of(name, values) != n)
    detail::throw_sizes_differ(name, "keys and values", k.size(), v.size());
  detail::check_apart(name, k.data(), n, v.data(), n);
  detail::sort_records(p, detail::records<K, V>{k.data(), v.data()}, n, detail::order_for<K>(before));
}

template <detail::output Keys, class Compare = ascending>
void sort(Keys&& keys, Compare before = {}) {
  amphi::sort(policy{}, keys, before);
}

template <detail::output Keys, detail::output Values>
void sort_by_key(Keys&& keys, Values&& values) {
  amphi::sort_by_key(policy{}, keys, values);
}

template <detail::output Keys, detail::output Values, class Compare>
void sort_by_key(Keys&& keys, Values&& values, Compare before) {
  amphi::sort_by_key(policy{}, keys, values, before);
}

}  // namespace amphi
