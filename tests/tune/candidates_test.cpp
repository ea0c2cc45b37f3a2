// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/candidates.hpp"

#include "amphi/core/error.hpp"
#include "amphi/tune/report.hpp"
#include "support/paths.hpp"

using namespace amphi_test;
using amphi::extent3;

namespace {

std::vector<std::string> values(const std::vector<amphi::tune_candidate>& candidates) {
  std::vector<std::string> out;
  for (const auto& c : candidates) out.push_back(c.value);
  return out;
}

TEST(tune_candidates, blocks) {
  const auto c = amphi::vary_block({.grid = 7, .workers = 3});
  EXPECT_EQ(values(c),
            (std::vector<std::string>{"32", "64", "96", "128", "192", "256", "384", "512", "768", "1024"}));
  for (const auto& x : c) {
    EXPECT_EQ(x.variable, "block");
    EXPECT_EQ(x.policy.block, extent3(std::stoi(x.value)));
    EXPECT_EQ(x.policy.grid, extent3(7)) << "all else is as it was";
    EXPECT_EQ(x.policy.workers.value, 3);
  }
  EXPECT_EQ(values(amphi::vary_block({}, {5, 100})), (std::vector<std::string>{"5", "100"}));
  EXPECT_TRUE(amphi::vary_block({}, {}).empty());
}

TEST(tune_candidates, blocks_with_a_thread_for_each_element) {
  const auto c = amphi::vary_block_covering(1000, {.shared_bytes = 8}, {32, 100, 1000, 1024});
  const std::int64_t grids[] = {32, 10, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(c[i].policy.grid, extent3(grids[i]));
    EXPECT_EQ(c[i].policy.shared_bytes.value, 8);
  }
  EXPECT_EQ(amphi::vary_block_covering(std::int64_t{1} << 40, {}, {32})[0].policy.grid.x,
            std::int64_t{1} << 35);
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([] { (void)amphi::vary_block_covering(0); }), {"0 threads"}));
  EXPECT_EQ(amphi::vary_block_covering(10, {}, {0})[0].policy.block, extent3(0))
      << "its launch will refuse it";
}

TEST(tune_candidates, grids_are_multiples_of_the_processors) {
  const std::int64_t processors = amphi::device_of_policy({}).multiprocessors;
  const auto c = amphi::vary_grid({.block = 64}, {1, 3, 32});
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[1].variable, "grid");
  EXPECT_EQ(c[1].policy.grid, extent3(3 * processors));
  EXPECT_EQ(c[1].value, std::to_string(3 * processors));
  EXPECT_EQ(c[2].policy.block, extent3(64));
  EXPECT_EQ(amphi::vary_grid({}, {-3})[0].policy.grid, extent3(-3 * processors))
      << "its launch will refuse it";
  if (processors > 1) {
    EXPECT_TRUE(says(message_of<amphi::bounds_error>([] {
                       (void)amphi::vary_grid({}, {1, INT64_MAX});
                     }),
                     {"9223372036854775807 times " + std::to_string(processors)}));
  }
}

TEST(tune_candidates, workers_up_to_all) {
  const auto c = amphi::vary_workers({.backend = backend::cpu});
  ASSERT_FALSE(c.empty());
  EXPECT_EQ(c.front().policy.workers.value, 1);
  std::int64_t before = 0;
  for (const auto& x : c) {
    EXPECT_GT(x.policy.workers.value, before);
    EXPECT_EQ(x.value, std::to_string(x.policy.workers.value));
    EXPECT_EQ(x.policy.backend, backend::cpu);
    before = x.policy.workers.value;
  }
}

TEST(tune_candidates, the_device) {
  const amphi::tune_device cpu = amphi::device_of_policy({.backend = backend::cpu});
  EXPECT_EQ(cpu.backend, backend::cpu);
  EXPECT_EQ(cpu.compute_capability, 0);
  EXPECT_GE(cpu.multiprocessors, 1);
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_TRUE(cpu.same_as(cpu));
  amphi::tune_device other = cpu;
  other.multiprocessors += 1;
  EXPECT_FALSE(cpu.same_as(other));
  EXPECT_EQ((amphi::tune_device{"NVIDIA H200", 90, backend::cuda, 132}).text(), "NVIDIA H200 (sm_90)");
}

}  // namespace
