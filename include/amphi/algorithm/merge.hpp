// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/algorithm/detail/merge_kernel.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"

// merge([policy,] a, b, out, before = ascending())   the elements of two sorted ranges, sorted
//
// Stable: among equal elements those of a come first, each range in its order, so the result is the same on
// every backend. `out` has as many elements as both, or more, and lies apart from them. a and b must be
// sorted by `before`, a strict weak order; if they are not, the result is made of elements of a
// and b, some of them perhaps twice and others not. Never reads outside. Does not wait for a GPU.

namespace amphi {

template <detail::contiguous A, detail::contiguous B, detail::output Out, class Compare = ascending>
void merge(const policy& p, A&& a, B&& b, Out&& out, Compare before = {}) {
  constexpr const char* name = detail::merge_name;
  const auto x = view(a);
  const auto y = view(b);
  const auto z = view(out);
  using K = typename decltype(z)::value_type;
  static_assert(std::is_same_v<typename decltype(x)::value_type, K> &&
                    std::is_same_v<typename decltype(y)::value_type, K>,
                "amphi: merge takes two ranges of one element type and gives elements of that type");
  static_assert(std::is_trivially_copyable_v<K>,
                "amphi: merge moves elements as bytes: they must be trivially copyable");
  const std::int64_t a_size = detail::count_of(name, a), b_size = detail::count_of(name, b);
  detail::check_size(name, "the output", out, a_size + b_size);
  detail::check_apart(name, x.data(), a_size, z.data(), a_size + b_size);
  detail::check_apart(name, y.data(), b_size, z.data(), a_size + b_size);
  detail::merge_ranges<K>(p, x.data(), a_size, y.data(), b_size, z.data(), detail::order_for<K>(before));
}

template <detail::contiguous A, detail::contiguous B, detail::output Out, class Compare = ascending>
void merge(A&& a, B&& b, Out&& out, Compare before = {}) {
  amphi::merge(policy{}, a, b, out, before);
}

}  // namespace amphi
