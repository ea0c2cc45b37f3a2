// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "amphi/config/macros.hpp"

// Operators as objects, for algorithms: amphi::reduce(x, 0.0, amphi::plus{}). Like those of <functional>:
// with a type they take that type, without one any. Host and device give the same bits.

namespace amphi {
namespace detail {

template <class T>
AMPHI_HOST_DEVICE constexpr bool sign_bit(T a) {
  if constexpr (sizeof(T) == sizeof(std::int32_t)) {
    return std::bit_cast<std::int32_t>(a) < 0;
  } else if constexpr (sizeof(T) == sizeof(std::int64_t)) {
    return std::bit_cast<std::int64_t>(a) < 0;
  } else {
    return __builtin_signbit(a) != 0;  // long double, on the host
  }
}

// IEEE 754-2019 minimum and maximum.
template <class T>
AMPHI_HOST_DEVICE constexpr T least(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool left = (a < b) | ((a == b) & sign_bit(a));
    const T chosen = left ? a : b;
    return ((a != a) | (b != b)) ? std::numeric_limits<T>::quiet_NaN() : chosen;
  } else {
    return b < a ? b : a;
  }
}

template <class T>
AMPHI_HOST_DEVICE constexpr T greatest(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool left = (a > b) | ((a == b) & !sign_bit(a));
    const T chosen = left ? a : b;
    return ((a != a) | (b != b)) ? std::numeric_limits<T>::quiet_NaN() : chosen;
  } else {
    return a < b ? b : a;
  }
}

}  // namespace detail

// The smaller of two values. Floating point as IEEE 754-2019 has it, unlike std::min: a NaN on either side
// gives the quiet NaN of std::numeric_limits, and −0 is smaller than +0.
template <class T = void>
struct minimum {
  AMPHI_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const { return detail::least<T>(a, b); }
};
template <>
struct minimum<void> {
  template <class T, class U>
  AMPHI_HOST_DEVICE constexpr auto operator()(const T& a, const U& b) const {
    return detail::least<std::common_type_t<T, U>>(a, b);
  }
};

// The larger of two values; NaN and zeros as in minimum.
template <class T = void>
struct maximum {
  AMPHI_HOST_DEVICE constexpr T operator()(const T& a, const T& b) const { return detail::greatest<T>(a, b); }
};
template <>
struct maximum<void> {
  template <class T, class U>
  AMPHI_HOST_DEVICE constexpr auto operator()(const T& a, const U& b) const {
    return detail::greatest<std::common_type_t<T, U>>(a, b);
  }
};

#define AMPHI_DETAIL_OPERATOR(name, symbol)                                                             \
  template <class T = void>                                                                             \
  struct name {                                                                                         \
    AMPHI_HOST_DEVICE constexpr auto operator()(const T& a, const T& b) const {                         \
      return static_cast<detail::operator_result<T, decltype(a symbol b)>>(a symbol b);                 \
    }                                                                                                   \
  };                                                                                                    \
  template <>                                                                                           \
  struct name<void> {                                                                                   \
    template <class T, class U>                                                                         \
    AMPHI_HOST_DEVICE constexpr auto operator()(const T& a, const U& b) const -> decltype(a symbol b) { \
      return a symbol b;                                                                                \
    }                                                                                                   \
  };

namespace detail {

// plus<short> gives a short, although short + short is an int; comparisons give bool.
template <class T, class R>
using operator_result = std::conditional_t<std::is_same_v<R, bool>, bool, T>;

}  // namespace detail

AMPHI_DETAIL_OPERATOR(plus, +)
AMPHI_DETAIL_OPERATOR(minus, -)
AMPHI_DETAIL_OPERATOR(multiplies, *)
AMPHI_DETAIL_OPERATOR(divides, /)
AMPHI_DETAIL_OPERATOR(bit_and, &)
AMPHI_DETAIL_OPERATOR(bit_or, |)
AMPHI_DETAIL_OPERATOR(bit_xor, ^)
AMPHI_DETAIL_OPERATOR(logical_and, &&)
AMPHI_DETAIL_OPERATOR(logical_or, ||)
AMPHI_DETAIL_OPERATOR(equal_to, ==)
AMPHI_DETAIL_OPERATOR(not_equal_to, !=)
AMPHI_DETAIL_OPERATOR(less, <)
AMPHI_DETAIL_OPERATOR(less_equal, <=)
AMPHI_DETAIL_OPERATOR(greater, >)
AMPHI_DETAIL_OPERATOR(greater_equal, >=)

#undef AMPHI_DETAIL_OPERATOR

// Its argument, unchanged.
struct identity {
  template <class T>
  AMPHI_HOST_DEVICE constexpr T operator()(const T& a) const {
    return a;
  }
};

// Minus its argument.
template <class T = void>
struct negate {
  AMPHI_HOST_DEVICE constexpr T operator()(const T& a) const { return static_cast<T>(-a); }
};
template <>
struct negate<void> {
  template <class T>
  AMPHI_HOST_DEVICE constexpr auto operator()(const T& a) const {
    return -a;
  }
};

}  // namespace amphi
