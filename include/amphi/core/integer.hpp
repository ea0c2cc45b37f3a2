// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"

namespace amphi {

// std::numeric_limits<T>::min() and max() without <limits>.
template <integer T>
inline constexpr T lowest_of = std::is_signed_v<T> ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(1)
                                                                    << (8 * sizeof(T) - 1))
                                                   : T(0);
template <integer T>
inline constexpr T highest_of = static_cast<T>(~lowest_of<T>);

// A count or index as 64 bits with a sign. One of 2^63 or more, which only unsigned types hold (SIZE_MAX,
// say), becomes 2^63 − 1, beyond every limit, and not a negative number.
template <integer T>
AMPHI_HOST_DEVICE constexpr std::int64_t signed_value(T value) {
  if constexpr (!std::is_signed_v<T> && sizeof(T) == 8)
    return value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(value);
}

// Smallest number of groups of `size` that hold `count` things, for count >= 0 and size > 0; no overflow
// at the type's end.
template <integer Count, integer Size>
AMPHI_HOST_DEVICE constexpr std::common_type_t<Count, Size> ceil_div(Count count, Size size) {
  using T = std::common_type_t<Count, Size>;
  const T n = static_cast<T>(count), s = static_cast<T>(size);
  return static_cast<T>(n / s + (n % s != 0 ? 1 : 0));
}

// Smallest multiple of `size` that is not below `count`.
template <integer Count, integer Size>
AMPHI_HOST_DEVICE constexpr std::common_type_t<Count, Size> round_up(Count count, Size size) {
  using T = std::common_type_t<Count, Size>;
  return static_cast<T>(ceil_div(count, size) * static_cast<T>(size));
}

// std::cmp_less without <utility>: compares values, not representations.
template <integer A, integer B>
AMPHI_HOST_DEVICE constexpr bool value_less(A a, B b) {
  if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) {
    return a < b;
  } else if constexpr (std::is_signed_v<A>) {
    return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
  } else {
    return b > 0 && a < static_cast<std::make_unsigned_t<B>>(b);
  }
}

}  // namespace amphi
