// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/policy.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

using amphi::extent3;
using amphi::policy;
using amphi::policy_number;
using amphi::thread_order;

namespace {

TEST(policy, says_automatic_by_default) {
  constexpr policy p;
  EXPECT_TRUE(p.grid.is_automatic());
  EXPECT_TRUE(p.block.is_automatic());
  EXPECT_TRUE(p.shared_bytes.is_automatic());
  EXPECT_TRUE(p.shared_bytes_per_thread.is_automatic());
  EXPECT_TRUE(p.max_block.is_automatic());
  EXPECT_TRUE(p.workers.is_automatic());
  EXPECT_EQ(p.backend, amphi::backend::automatic);
  EXPECT_EQ(p.stream, amphi::stream_view());
  EXPECT_EQ(p.order, thread_order());
  EXPECT_EQ(p.workspace.data, nullptr);
}

TEST(policy, is_a_plain_aggregate_with_members_in_order) {
  static_assert(std::is_aggregate_v<policy>);
  static_assert(std::is_trivially_copyable_v<policy>);
  constexpr policy p{.grid = 1,
                     .block = {2, 3},
                     .shared_bytes = 4,
                     .shared_bytes_per_thread = 5,
                     .max_block = 6,
                     .stream = {},
                     .backend = amphi::backend::cpu,
                     .workers = 7,
                     .order = thread_order::reverse,
                     .workspace = {nullptr, 8}};
  static_assert(p.block == extent3(2, 3, 1));
  static_assert(p.workers.value == 7);
  static_assert(p.workspace.bytes == 8);
}

TEST(policy, serial_is_one_block_of_one_thread) {
  static_assert(amphi::serial.grid == extent3(1));
  static_assert(amphi::serial.block == extent3(1));
  static_assert(amphi::serial.workers.is_automatic());
}

TEST(policy, explicit_zero_is_not_automatic) {
  EXPECT_FALSE((policy{.grid = 0}.grid.is_automatic()));
  EXPECT_FALSE((policy{.workers = 0}.workers.is_automatic()));
  EXPECT_FALSE(policy_number(INT64_MIN).is_automatic());
  EXPECT_FALSE(extent3(INT64_MIN).is_automatic());
}

TEST(policy, numbers_keep_64_bits_and_the_sign) {
  EXPECT_EQ(policy_number(-3).value, -3);
  EXPECT_EQ(policy_number(std::uint8_t{200}).value, 200);
  EXPECT_EQ(policy_number(std::uint32_t{4000000000u}).value, 4000000000);
  EXPECT_EQ(policy_number(std::int64_t{1} << 40).value, std::int64_t{1} << 40);
  EXPECT_EQ(policy_number(UINT64_MAX).value, INT64_MAX) << "beyond every limit";
  EXPECT_EQ(policy_number(short{-1}).value_or(5), -1);
  EXPECT_EQ(policy_number().value_or(5), 5);
  static_assert(!std::is_convertible_v<bool, policy_number>);
  static_assert(!std::is_convertible_v<double, policy_number>);
}

TEST(thread_order, compares_kind_and_seed) {
  EXPECT_NE(thread_order::forward, thread_order());
  EXPECT_NE(thread_order::random(1), thread_order::random(2));
  EXPECT_EQ(thread_order::random(3), thread_order::random(3));
  EXPECT_EQ(thread_order::random(3).seed(), 3u);
}

}  // namespace
