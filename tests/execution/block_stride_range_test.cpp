// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>

#include "amphi/execution/grid_stride_range.hpp"
#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

// Each block counts in its own row; a last element takes what lies outside.
struct count_by_block {
  int first, last;
  unsigned* counts;
  AMPHI_HOST_DEVICE void operator()() const {
    const auto g = amphi::grid_extent(), b = amphi::block_index();
    const int n = last > first ? last - first : 0;
    unsigned* row = counts + static_cast<std::int64_t>((b.z * g.y + b.y) * g.x + b.x) * (n + 1);
    for (auto i : amphi::block_stride_range(first, last)) {
      const int k = i - first;
      count_visit(&row[k >= 0 && k < n ? k : n]);
    }
  }
};

void expect_once_per_block(int first, int last) {
  const auto n = static_cast<std::size_t>(last > first ? last - first : 0);
  for (const backend where : {backend::automatic, backend::cpu})
    for (const amphi::extent3 block : {amphi::extent3(1), amphi::extent3(33), amphi::extent3(8, 4, 3)}) {
      SCOPED_TRACE(testing::Message() << "block of " << block.size());
      const amphi::extent3 grid(2, 3, 2);
      shared_data<unsigned> counts(12 * (n + 1));
      amphi::launch({.grid = grid, .block = block, .backend = where},
                    count_by_block{first, last, counts.data()});
      std::vector<unsigned> expected(12 * (n + 1), 1u);
      for (std::size_t b = 0; b < 12; ++b) expected[b * (n + 1) + n] = 0;
      ASSERT_TRUE(same_bits(counts.on_host(), expected));
    }
}

TEST(block_stride_range, visits_each_index_once_per_block) {
  for (int n : {0, 1, 31, 32, 33, 255, 1000}) expect_once_per_block(0, n);
  expect_once_per_block(-50, 77);
  expect_once_per_block(INT32_MAX - 100, INT32_MAX);
  expect_once_per_block(3, -3);
}

TEST(block_stride_range, outside_a_launch_is_the_whole_range) {
  int sum = 0;
  for (auto i : amphi::block_stride_range(1u, std::uint8_t{10})) sum += static_cast<int>(i);
  EXPECT_EQ(sum, 45);
}

// In an automatic launch on the CPU each worker is a block of one thread, so each does the whole range.
TEST(block_stride_range, is_the_whole_range_for_a_block_of_one) {
  constexpr int workers = 3, n = 20;
  shared_data<unsigned> counts(workers * (n + 1));
  amphi::launch({.backend = backend::cpu, .workers = workers}, count_by_block{0, n, counts.data()});
  const auto got = counts.on_host();
  for (int w = 0; w < workers; ++w)
    for (int i = 0; i < n; ++i) EXPECT_EQ(got[static_cast<std::size_t>(w * (n + 1) + i)], 1u);
}

}  // namespace
