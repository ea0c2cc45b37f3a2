// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/extent.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace {

using amphi::box2;
using amphi::box3;
using amphi::extent2;
using amphi::extent3;
using amphi::index2;
using amphi::index3;

TEST(extent, counts_its_elements) {
  EXPECT_EQ(extent2(3, 5).size(), 15);
  EXPECT_EQ(extent3(3, 5, 7).size(), 105);
  EXPECT_EQ(extent2().size(), 0);
  EXPECT_EQ(extent3().size(), 0);
}

TEST(extent, has_64_bit_sizes) {
  EXPECT_EQ(extent2(1 << 20, 1 << 20).size(), std::int64_t{1} << 40);
  EXPECT_EQ(extent3(65536u, 65536u, 1024u).size(), std::int64_t{1} << 42);
}

TEST(extent, is_empty_when_a_size_is_below_one) {
  EXPECT_TRUE(extent2(0, 5).empty());
  EXPECT_TRUE(extent2(5, -1).empty());
  EXPECT_TRUE(extent3(1, 1, 0).empty());
  EXPECT_FALSE(extent3(1, 1, 1).empty());
  // Two negative sizes have a positive product.
  EXPECT_EQ(extent2(-2, -3).size(), 0);
  EXPECT_EQ(extent3(-2, -3, 4).size(), 0);
}

TEST(extent, fills_missing_dimensions_with_one) {
  EXPECT_EQ(extent3(256), extent3(256, 1, 1));
  EXPECT_EQ(extent3(16, 8), extent3(16, 8, 1));
}

TEST(extent, converts_from_any_integer_and_from_nothing_else) {
  static_assert(std::is_convertible_v<unsigned char, extent3>);
  static_assert(std::is_convertible_v<std::uint64_t, extent3>);
  static_assert(!std::is_convertible_v<bool, extent3>);
  static_assert(!std::is_convertible_v<double, extent3>);
  const extent3 from_short = short{-7};
  EXPECT_EQ(from_short.x, -7) << "a negative size must reach the error message as it was written";
}

// A size_t that was −1 once, or any number that 64 signed bits can't hold, is large, not negative.
TEST(extent, keeps_large_unsigned_numbers_large) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  for (const std::uint64_t large : {UINT64_MAX, half, half + 1}) {
    EXPECT_EQ(extent3(large), extent3(INT64_MAX));
    EXPECT_EQ(extent3(2, large), extent3(2, INT64_MAX));
    EXPECT_EQ(extent3(large, 3, large), extent3(INT64_MAX, 3, INT64_MAX));
    EXPECT_EQ(extent2(large, 4), extent2(INT64_MAX, 4));
    EXPECT_EQ(extent2(4, large), extent2(4, INT64_MAX));
    EXPECT_EQ(index2(large, -1), index2(INT64_MAX, -1));
    EXPECT_EQ(index3(0, large, large), index3(0, INT64_MAX, INT64_MAX));
    EXPECT_FALSE(extent2(large, 4).empty());
  }
  EXPECT_EQ(extent3(half - 1).x, INT64_MAX);
  EXPECT_EQ(extent3(half - 2).x, INT64_MAX - 1);
  EXPECT_EQ(extent3(UINT32_MAX).x, 4294967295);
}

TEST(extent, automatic_equals_no_written_size) {
  EXPECT_TRUE(extent3::automatic().is_automatic());
  EXPECT_TRUE(extent3::automatic().empty());
  EXPECT_FALSE(extent3(0).is_automatic());
  EXPECT_FALSE(extent3(-1).is_automatic());
  EXPECT_FALSE(extent3(INT32_MIN).is_automatic());
}

TEST(index, decomposes) {
  const auto [x, y] = index2(4, 9);
  EXPECT_EQ(x, 4);
  EXPECT_EQ(y, 9);
  const auto [u, v, w] = index3(1u, short{-2}, 3LL);
  EXPECT_EQ(u, 1);
  EXPECT_EQ(v, -2);
  EXPECT_EQ(w, 3);
}

TEST(box, has_the_extent_between_its_corners) {
  EXPECT_EQ((box2{{1, -2}, {4, 3}}.extent()), extent2(3, 5));
  EXPECT_EQ((box3{{0, 1, 2}, {3, 5, 7}}.extent()), extent3(3, 4, 5));
  EXPECT_TRUE((box2{{4, 0}, {1, 3}}.extent().empty())) << "a reversed box is empty";
}

}  // namespace
