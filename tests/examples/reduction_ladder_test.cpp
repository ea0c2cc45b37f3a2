// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reduction_ladder/steps.hpp"
#include "support/block_paths.hpp"

namespace {

using amphi_test::path;

// Full warps, and what a tree that halves, or a last warp of 64 values, gets wrong.
const std::vector<int> blocks = {1, 2, 3, 9, 32, 33, 64, 65, 96, 100, 128, 180, 256, 512, 1000, 1024};

// The sums that a step gives, of the elements in `x`.
template <class T>
std::vector<T> sums_of(const ladder::step<T>& s, const amphi::policy& p, int block, const std::vector<T>& x) {
  amphi::array<T> data{std::span<const T>(x)};
  amphi::array<T> sums(ladder::tiles_of(s, static_cast<std::int64_t>(x.size()), block));
  ladder::sum_tiles(s, p, block, data, static_cast<std::int64_t>(x.size()), sums);
  return {sums.host_read().begin(), sums.host_read().end()};
}

TEST(reduction_ladder, blocks_of_ones_give_their_size) {
  for (const auto& s : ladder::all_steps<int>()) {
    for (const int block : blocks) {
      for (const path& p : amphi_test::block_paths(1, block)) {
        SCOPED_TRACE(s.name + ", block of " + std::to_string(block) + ", " + p.name);
        const auto n = static_cast<std::size_t>(block * s.loads);
        ASSERT_EQ(sums_of(s, p.policy, block, std::vector<int>(n, 1)), std::vector<int>{static_cast<int>(n)});
      }
    }
  }
}

TEST(reduction_ladder, one_to_nine_is_45) {
  const std::vector<int> x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const auto& s : ladder::all_steps<int>())
    for (const int block : {9, 10, 32, 1000})
      EXPECT_EQ(sums_of(s, {}, block, x), std::vector<int>{45}) << s.name << ", block of " << block;
}

// Every number of values that one block can have: 2^24 at their place says which one is missing or counted
// twice.
TEST(reduction_ladder, each_number_of_values_is_right) {
  for (const auto& s : ladder::all_steps<int>()) {
    for (const int block : {32, 96, 100, 256}) {
      for (int n = 1; n <= block * s.loads; n = n < 200 ? n + 1 : n + 37) {
        std::vector<int> x(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * i % 1009) + 1;
        const int expected = std::accumulate(x.begin(), x.end(), 0);
        ASSERT_EQ(sums_of(s, {}, block, x), std::vector<int>{expected})
            << s.name << ", block of " << block << ", " << n << " values";
      }
    }
  }
}

// Floats whose sum depends on the order to the last bit.
std::vector<float> floats(int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  std::uint32_t random = 12345;
  for (float& v : x) {
    random = random * 1664525u + 1013904223u;
    v = std::ldexp(static_cast<float>(random >> 8), -static_cast<int>(random % 37u));
    if ((random & 0x100u) != 0) v = -v;
  }
  return x;
}

TEST(reduction_ladder, floats_have_the_bits_of_their_serial_order) {
  for (const auto& s : ladder::all_steps<float>()) {
    for (const int block : blocks) {
      for (const int n :
           {1, 2, 7 * block * s.loads, 3 * block * s.loads + block + 1, 5 * block + block / 2 + 1}) {
        const std::vector<float> x = floats(n);
        const auto expected =
            ladder::serial_sums(s, std::span<const float>(x), static_cast<std::size_t>(block));
        for (const path& p : amphi_test::block_paths(1, block)) {
          SCOPED_TRACE(s.name + ", block of " + std::to_string(block) + ", n = " + std::to_string(n) + ", " +
                       p.name);
          ASSERT_TRUE(amphi_test::same_bits(sums_of(s, p.policy, block, x), expected));
        }
      }
    }
  }
}

// Worked out by hand: five values, as neighbours ((1e8 + 1) + (−1e8 + 1)) + 0.5, where each 1 is lost, and by
// halves ((1e8 + 0.5) + −1e8) + (1 + 1), where 0.5 is.
TEST(reduction_ladder, trees_add_in_the_order_that_they_say) {
  const std::vector<float> x = {1e8f, 1, -1e8f, 1, 0.5f};
  const auto steps = ladder::all_steps<float>();
  EXPECT_EQ(sums_of(steps[0], {}, 8, x), std::vector<float>{0.5f});
  EXPECT_EQ(sums_of(steps[2], {}, 8, x), std::vector<float>{0.5f});
  EXPECT_EQ(sums_of(steps[3], {}, 8, x), std::vector<float>{2});
  EXPECT_EQ(sums_of(steps[8], {}, 8, x), std::vector<float>{2});
}

TEST(reduction_ladder, passes_end_with_the_sum) {
  const auto steps = ladder::all_steps<std::int64_t>();
  for (const auto& s : steps) {
    for (const int block : {2, 33, 256}) {
      for (const int n : {1, 2, 255, 1000, 4097}) {
        amphi::array<std::int64_t> data(n),
            sums[2] = {amphi::array<std::int64_t>(n), amphi::array<std::int64_t>(n)};
        for (int i = 0; i < n; ++i) data.host_write()[i] = (std::int64_t{1} << 33) + i;
        const auto& sum = ladder::sum_in_passes(s, {}, block, data, n, sums);
        ASSERT_EQ(sum.host_read()[0], (std::int64_t{n} << 33) + std::int64_t{n} * (n - 1) / 2)
            << s.name << ", block of " << block << ", n = " << n;
      }
    }
  }
  amphi::array<std::int64_t> one(1, 5), sums[2];
  EXPECT_THROW(ladder::sum_in_passes(steps[0], {}, 1, one, 1, sums), std::invalid_argument);
}

TEST(reduction_ladder, recursive_sums_keep_the_odd_element) {
  for (int n = 1; n < 70; ++n) {
    std::vector<int> x(static_cast<std::size_t>(n));
    std::iota(x.begin(), x.end(), 1);
    EXPECT_EQ(ladder::recursive_sum(std::span<int>(x)), n * (n + 1) / 2);
  }
}

}  // namespace
