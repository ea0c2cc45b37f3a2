// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/core/half.hpp"

// The order in which numbers are sorted: as their bits, read so that larger numbers are larger (README.md in
// this folder says it in words).

namespace amphi {
namespace detail {

template <std::size_t Bytes>
struct bits_of_size;
template <>
struct bits_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct bits_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct bits_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct bits_of_size<8> {
  using type = std::uint64_t;
};

template <class K>
using key_bits = typename bits_of_size<sizeof(K)>::type;

template <class K>
inline constexpr bool is_floating_key = std::is_floating_point_v<K> || std::is_same_v<K, half>;
template <class K>
inline constexpr bool is_number_key = std::is_arithmetic_v<K> || std::is_same_v<K, half>;

// Keys that are sorted digit by digit.
template <class K>
concept radix_key = is_number_key<K> && sizeof(K) <= 8;

// An unsigned number that is smaller the earlier the key stands. −0 gives that of +0.
template <radix_key K>
AMPHI_HOST_DEVICE constexpr key_bits<K> ordered_bits(K key) {
  using B = key_bits<K>;
  constexpr B sign = static_cast<B>(B{1} << (8 * sizeof(B) - 1));
  const B bits = std::bit_cast<B>(key);
  if constexpr (is_floating_key<K>) {
    // Without a branch: all bits of a negative number turn over, the sign of another; −0 is one short of +0.
    const B over = static_cast<B>(B{0} - static_cast<B>(bits >> (8 * sizeof(B) - 1)));
    return static_cast<B>((bits ^ (over | sign)) + (bits == sign ? 1 : 0));
  } else if constexpr (std::is_signed_v<K>) {
    return static_cast<B>(bits ^ sign);
  } else {
    return bits;
  }
}

// Does the payload of NaN a come before that of b, as a number?
template <class K>
AMPHI_HOST_DEVICE bool payload_less(const K& a, const K& b) {
  // The x87 format has 64 bits of it, the first ones; IEEE's of 128 bits 112, below exponent and sign.
  constexpr std::size_t bytes = std::numeric_limits<K>::digits == 64 ? 8 : sizeof(K) < 16 ? sizeof(K) : 16;
  std::uint64_t x[2] = {}, y[2] = {};
  __builtin_memcpy(x, &a, bytes);
  __builtin_memcpy(y, &b, bytes);
  const std::uint64_t high_x = x[1] & INT64_MAX, high_y = y[1] & INT64_MAX;
  return high_x != high_y ? high_x < high_y : x[0] < y[0];
}

// Of floating-point types that are not sorted by digits: long double, which is of the host.
template <class K>
AMPHI_HOST_DEVICE constexpr bool wide_float_before(K a, K b) {
  const int ra = a == a ? 0 : sign_bit(a) ? -1 : 1, rb = b == b ? 0 : sign_bit(b) ? -1 : 1;
  if (ra != rb) return ra < rb;
  if (ra == 0) return a < b;
  return ra > 0 ? payload_less(a, b) : payload_less(b, a);
}

}  // namespace detail

// The order that sort() and merge() use when none is given. Numbers, half among them, ascend; −0 and +0 are
// equal; a NaN with its sign bit set stands before −infinity, another behind +infinity, and NaNs stand in the
// order of their bits. So this is a strict weak order, which < is not where a NaN may occur. Other types are
// compared by <.
struct ascending {
  template <class T>
  AMPHI_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (detail::is_floating_key<T> && detail::radix_key<T>) {
      return detail::ordered_bits(a) < detail::ordered_bits(b);
    } else if constexpr (std::is_floating_point_v<T>) {
      return detail::wide_float_before(a, b);
    } else {
      return a < b;
    }
  }
};

// The reverse: b ascending before a. Equal keys keep their order all the same.
struct descending {
  template <class T>
  AMPHI_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const {
    return ascending()(b, a);
  }
};

namespace detail {

// For numbers less and greater mean ascending and descending, which order NaNs too.
template <class K, class Compare>
using order_of = std::conditional_t<
    !is_number_key<K>, Compare,
    std::conditional_t<
        std::is_same_v<Compare, less<>> || std::is_same_v<Compare, less<K>>, ascending,
        std::conditional_t<std::is_same_v<Compare, greater<>> || std::is_same_v<Compare, greater<K>>,
                           descending, Compare>>>;

template <class K, class Compare>
order_of<K, Compare> order_for(const Compare& before) {
  if constexpr (std::is_same_v<order_of<K, Compare>, Compare>) {
    return before;
  } else {
    return {};
  }
}

template <class K, class Compare>
inline constexpr bool sorts_by_digits = radix_key<K> && (std::is_same_v<Compare, ascending> ||
                                                         std::is_same_v<Compare, descending>);

}  // namespace detail
}  // namespace amphi
