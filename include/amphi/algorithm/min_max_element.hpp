// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"

// min_element, max_element([policy,] in)   index and value of the smallest or largest element
//
// If there is a NaN, the first one; else of equal elements the one with the lowest index, where −0 is smaller
// than +0. Of no elements the index is −1. By value: they wait for the result.

namespace amphi {

template <class T>
struct element_at {
  std::int64_t index = -1;
  T value = T();
  friend constexpr bool operator==(const element_at&, const element_at&) = default;
};

namespace detail {

// Does a come before b in the order of minimum (or maximum), NaN first?
template <class T, bool Largest>
AMPHI_HOST_DEVICE constexpr bool beats(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool a_is_nan = a != a, b_is_nan = b != b;
    if (a_is_nan || b_is_nan) return a_is_nan && !b_is_nan;
    if (a == b) return Largest ? !sign_bit(a) && sign_bit(b) : sign_bit(a) && !sign_bit(b);
  }
  return Largest ? b < a : a < b;
}

template <class T, bool Largest>
struct better_element {
  AMPHI_HOST_DEVICE constexpr element_at<T> operator()(const element_at<T>& a, const element_at<T>& b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    if (beats<T, Largest>(a.value, b.value)) return a;
    if (beats<T, Largest>(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
  }
};

template <class T>
struct with_index {
  AMPHI_HOST_DEVICE constexpr element_at<T> operator()(const T& v, std::int64_t i) const { return {i, v}; }
};

template <bool Largest, class In>
auto extreme_element(const char* name, const policy& p, In& in) {
  using T = typename element_of<decltype(elements_of(in))>::type;
  const auto source = make_zip(elements_of(in), counting<std::int64_t>{0});
  return reduce_value(name, p, source, count_of(name, in), element_at<T>(), better_element<T, Largest>(),
                      with_index<T>());
}

}  // namespace detail

template <detail::input In>
auto min_element(const policy& p, In&& in) {
  return detail::extreme_element<false>("amphi::min_element", p, in);
}
template <detail::input In>
auto max_element(const policy& p, In&& in) {
  return detail::extreme_element<true>("amphi::max_element", p, in);
}
template <detail::input In>
auto min_element(In&& in) {
  return detail::extreme_element<false>("amphi::min_element", policy{}, in);
}
template <detail::input In>
auto max_element(In&& in) {
  return detail::extreme_element<true>("amphi::max_element", policy{}, in);
}

}  // namespace amphi
