// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/function_objects.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace {

template <class T, class Bits>
void ieee_minimum_and_maximum() {
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  const auto bits = [](T v) { return std::bit_cast<Bits>(v); };
  const auto low = [&](T a, T b) { return bits(amphi::minimum{}(a, b)); };
  const auto high = [&](T a, T b) { return bits(amphi::maximum<T>()(a, b)); };
  EXPECT_EQ(low(-T(0), T(0)), bits(-T(0)));
  EXPECT_EQ(low(T(0), -T(0)), bits(-T(0)));
  EXPECT_EQ(high(-T(0), T(0)), bits(T(0)));
  EXPECT_EQ(high(T(0), -T(0)), bits(T(0)));
  EXPECT_EQ(low(-T(0), -T(0)), bits(-T(0)));
  EXPECT_EQ(high(-T(0), -T(0)), bits(-T(0)));
  EXPECT_EQ(low(1, 2), bits(1));
  EXPECT_EQ(high(1, 2), bits(2));
  EXPECT_EQ(low(-inf, inf), bits(-inf));
  EXPECT_EQ(high(-inf, inf), bits(inf));
  for (const T other : {T(1), inf, -inf, nan, -nan}) {
    EXPECT_EQ(low(-nan, other), bits(nan));
    EXPECT_EQ(low(other, -nan), bits(nan));
    EXPECT_EQ(high(-nan, other), bits(nan));
    EXPECT_EQ(high(other, -nan), bits(nan));
  }
}

// A number of its bits that lacks only the payload of NaNs and padding.
enum class kind { negative, negative_zero, positive_zero, positive, negative_nan, positive_nan };
kind kind_of(long double v) {
  const bool sign = std::signbit(v);
  if (std::isnan(v)) return sign ? kind::negative_nan : kind::positive_nan;
  if (v == 0) return sign ? kind::negative_zero : kind::positive_zero;
  return sign ? kind::negative : kind::positive;
}

TEST(function_objects, minimum_and_maximum_of_long_double) {
  const long double nan = std::numeric_limits<long double>::quiet_NaN(), one = 1;
  for (const bool swapped : {false, true}) {
    const auto low = [&](long double a, long double b) {
      return kind_of(swapped ? amphi::minimum{}(b, a) : amphi::minimum{}(a, b));
    };
    const auto high = [&](long double a, long double b) {
      return kind_of(swapped ? amphi::maximum{}(b, a) : amphi::maximum{}(a, b));
    };
    EXPECT_EQ(low(-0.0L, 0.0L), kind::negative_zero);
    EXPECT_EQ(high(-0.0L, 0.0L), kind::positive_zero);
    EXPECT_EQ(low(-one, one), kind::negative);
    EXPECT_EQ(high(-one, one), kind::positive);
    EXPECT_EQ(low(-nan, one), kind::positive_nan);
    EXPECT_EQ(high(-nan, one), kind::positive_nan);
  }
  // Told apart by their last bits only.
  const long double next = std::nextafter(one, 2 * one);
  EXPECT_TRUE(amphi::maximum{}(one, next) == next && amphi::minimum{}(one, next) == one && one != next);
}

TEST(function_objects, minimum_and_maximum_are_those_of_ieee_754) {
  ieee_minimum_and_maximum<float, std::uint32_t>();
  ieee_minimum_and_maximum<double, std::uint64_t>();
}

TEST(function_objects, results_have_the_type_of_the_operand) {
  static_assert(std::is_same_v<decltype(amphi::plus<short>()(short{1}, short{2})), short>);
  static_assert(std::is_same_v<decltype(amphi::less<short>()(short{1}, short{2})), bool>);
  static_assert(std::is_same_v<decltype(amphi::plus{}(1, 2.0)), double>);
  EXPECT_EQ(amphi::plus<std::uint8_t>()(200, 100), 44);
  EXPECT_EQ(amphi::multiplies{}(3, 5), 15);
  EXPECT_EQ(amphi::bit_and{}(12, 10), 8);
  EXPECT_TRUE(amphi::logical_and{}(true, 1));
  EXPECT_FALSE(amphi::logical_or<bool>()(false, false));
  EXPECT_EQ(amphi::negate{}(4), -4);
  EXPECT_EQ(amphi::identity()(4), 4);
}

}  // namespace
