// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/macros.hpp"
#include "amphi/core/integer.hpp"

namespace amphi {

// Positions in two and three dimensions; x is contiguous in memory. They decompose: auto [x, y] = i;
// Numbers of 2^63 and more, here and in extents, count as 2^63 − 1.
struct index2 {
  std::int64_t x = 0, y = 0;

  constexpr index2() = default;
  template <integer X, integer Y>
  AMPHI_HOST_DEVICE constexpr index2(X x_, Y y_) : x(signed_value(x_)), y(signed_value(y_)) {}
  friend constexpr bool operator==(const index2&, const index2&) = default;
};

struct index3 {
  std::int64_t x = 0, y = 0, z = 0;

  constexpr index3() = default;
  template <integer X, integer Y, integer Z>
  AMPHI_HOST_DEVICE constexpr index3(X x_, Y y_, Z z_)
      : x(signed_value(x_)), y(signed_value(y_)), z(signed_value(z_)) {}
  friend constexpr bool operator==(const index3&, const index3&) = default;
};

// Sizes in two dimensions, in elements. An extent with a size below one is empty.
struct extent2 {
  std::int64_t x = 0, y = 0;

  constexpr extent2() = default;
  template <integer X, integer Y>
  AMPHI_HOST_DEVICE constexpr extent2(X x_, Y y_) : x(signed_value(x_)), y(signed_value(y_)) {}

  AMPHI_HOST_DEVICE constexpr bool empty() const { return x <= 0 || y <= 0; }
  // Number of elements; 0 when empty.
  AMPHI_HOST_DEVICE constexpr std::int64_t size() const { return empty() ? 0 : x * y; }
  friend constexpr bool operator==(const extent2&, const extent2&) = default;
};

// Sizes in three dimensions; a missing y or z is 1, and any integer converts.
struct extent3 {
  std::int64_t x = 0, y = 0, z = 0;

  constexpr extent3() = default;
  template <integer X>
  AMPHI_HOST_DEVICE constexpr extent3(X x_) : x(signed_value(x_)), y(1), z(1) {}
  template <integer X, integer Y>
  AMPHI_HOST_DEVICE constexpr extent3(X x_, Y y_) : x(signed_value(x_)), y(signed_value(y_)), z(1) {}
  template <integer X, integer Y, integer Z>
  AMPHI_HOST_DEVICE constexpr extent3(X x_, Y y_, Z z_)
      : x(signed_value(x_)), y(signed_value(y_)), z(signed_value(z_)) {}

  // The value that a policy takes for "choose for me"; no size that a user writes equals it.
  AMPHI_HOST_DEVICE static constexpr extent3 automatic() { return {INT64_MIN, INT64_MIN, INT64_MIN}; }
  AMPHI_HOST_DEVICE constexpr bool is_automatic() const {
    return x == INT64_MIN && y == INT64_MIN && z == INT64_MIN;
  }

  AMPHI_HOST_DEVICE constexpr bool empty() const { return x <= 0 || y <= 0 || z <= 0; }
  // Number of elements; 0 when empty.
  AMPHI_HOST_DEVICE constexpr std::int64_t size() const { return empty() ? 0 : x * y * z; }
  friend constexpr bool operator==(const extent3&, const extent3&) = default;
};

namespace detail {

// last − first; what 64 bits can't hold wraps.
AMPHI_HOST_DEVICE constexpr std::int64_t distance(std::int64_t first, std::int64_t last) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first));
}

}  // namespace detail

// Half-open boxes: [first.x, last.x) × [first.y, last.y).
struct box2 {
  index2 first, last;
  AMPHI_HOST_DEVICE constexpr extent2 extent() const {
    return {detail::distance(first.x, last.x), detail::distance(first.y, last.y)};
  }
};

struct box3 {
  index3 first, last;
  AMPHI_HOST_DEVICE constexpr extent3 extent() const {
    return {detail::distance(first.x, last.x), detail::distance(first.y, last.y),
            detail::distance(first.z, last.z)};
  }
};

namespace detail {

// Throws bounds_error with the bounds and what 64 bits can count.
[[noreturn]] void throw_uncountable(const index3& first, const index3& last);

// Number of elements of a space, on the host; bounds_error where 64 bits can't hold it.
inline std::int64_t counted(const index3& first, const index3& last) {
  if (last.x <= first.x || last.y <= first.y || last.z <= first.z) return 0;
  const auto x = static_cast<std::uint64_t>(distance(first.x, last.x)),
             y = static_cast<std::uint64_t>(distance(first.y, last.y)),
             z = static_cast<std::uint64_t>(distance(first.z, last.z));
  if (((x | y | z) >> 21) != 0 && x > INT64_MAX / y / z) throw_uncountable(first, last);
  return static_cast<std::int64_t>(x * y * z);
}

inline std::int64_t counted(const extent2& e) { return counted({}, {e.x, e.y, 1}); }
inline std::int64_t counted(const extent3& e) { return counted({}, {e.x, e.y, e.z}); }
inline std::int64_t counted(const box2& b) {
  return counted({b.first.x, b.first.y, 0}, {b.last.x, b.last.y, 1});
}
inline std::int64_t counted(const box3& b) { return counted(b.first, b.last); }

}  // namespace detail
}  // namespace amphi
