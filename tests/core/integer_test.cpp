// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/integer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

// The same by counting groups one after another.
int groups_by_counting(int count, int size) {
  int groups = 0;
  for (int covered = 0; covered < count; covered += size) ++groups;
  return groups;
}

TEST(ceil_div, equals_counting) {
  for (int size = 1; size <= 40; ++size)
    for (int count = 0; count <= 130; ++count)
      ASSERT_EQ(amphi::ceil_div(count, size), groups_by_counting(count, size)) << count << " by " << size;
}

TEST(ceil_div, does_not_overflow_at_the_end_of_the_type) {
  EXPECT_EQ(amphi::ceil_div(INT32_MAX, 256), 8388608);
  EXPECT_EQ(amphi::ceil_div(UINT64_MAX, std::uint64_t{2}), std::uint64_t{1} << 63);
  EXPECT_EQ(amphi::ceil_div(INT64_MAX, 1), INT64_MAX);
}

TEST(ceil_div, uses_the_common_type) {
  static_assert(std::is_same_v<decltype(amphi::ceil_div(1, std::int64_t{1})), std::int64_t>);
  EXPECT_EQ(amphi::ceil_div(std::int64_t{1} << 40, 3), 366503875926);
}

TEST(round_up, gives_the_next_multiple) {
  for (int size = 1; size <= 40; ++size)
    for (int count = 0; count <= 130; ++count) {
      const int up = amphi::round_up(count, size);
      ASSERT_EQ(up % size, 0) << count << " to " << size;
      ASSERT_GE(up, count);
      ASSERT_LT(up - count, size);
    }
}

template <class... T>
void expect_ends_of_types() {
  static_assert(((amphi::lowest_of<T> == std::numeric_limits<T>::min()) && ...));
  static_assert(((amphi::highest_of<T> == std::numeric_limits<T>::max()) && ...));
}

TEST(highest_of, is_the_end_of_every_integral_type) {
  expect_ends_of_types<char, signed char, unsigned char, char8_t, char16_t, char32_t, wchar_t, short,
                       unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long>();
}

TEST(value_less, compares_values_across_signedness) {
  EXPECT_TRUE(amphi::value_less(-1, 0u));
  EXPECT_FALSE(amphi::value_less(0u, -1));
  EXPECT_FALSE(amphi::value_less(UINT32_MAX, -1));
  EXPECT_TRUE(amphi::value_less(INT64_MIN, UINT64_MAX));
  EXPECT_TRUE(amphi::value_less(short{3}, 4ULL));
  EXPECT_FALSE(amphi::value_less(4ULL, short{4}));
  EXPECT_TRUE(amphi::value_less(std::numeric_limits<std::int8_t>::min(), std::uint8_t{0}));
}

}  // namespace
