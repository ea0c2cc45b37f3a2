// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/block.hpp"

#include <unistd.h>

#include <cstdlib>

#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

// A tree over any number of threads; an odd count keeps its last element.
AMPHI_LAUNCHABLE void tree_sum(const int* x, int* out) {
  AMPHI_SHARED(s, int[1024]);
  const auto block = amphi::this_block();
  const auto size = static_cast<unsigned>(block.size());
  const amphi::launch_index i = amphi::thread_index(), e = amphi::block_extent();
  const unsigned t = (i.z * e.y + i.y) * e.x + i.x;
  s[t] = x[amphi::global_thread_index()];
  block.sync();
  for (unsigned n = size; n > 1; n = (n + 1) / 2) {
    const unsigned half = (n + 1) / 2;
    if (t < n / 2) s[t] += s[t + half];
    block.sync();
  }
  if (t == 0) {
    const amphi::launch_index b = amphi::block_index(), g = amphi::grid_extent();
    out[(b.z * g.y + b.y) * g.x + b.x] = s[0];
  }
}

// Half of the living threads return after each level.
AMPHI_LAUNCHABLE void leaving_tree(int* out) {
  AMPHI_SHARED(s, int[1024]);
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x;
  s[t] = static_cast<int>(t);
  block.sync();
  for (unsigned d = amphi::block_extent().x / 2; d > 0; d /= 2) {
    if (t >= d) return;
    s[t] += s[t + d];
    block.sync();
  }
  out[amphi::block_index().x] = s[0];
}

// Threads beyond n return at once; the others read a neighbour after the barrier.
AMPHI_LAUNCHABLE void early_return(int n, int* out) {
  AMPHI_SHARED(s, int[128]);
  const int t = static_cast<int>(amphi::thread_index().x);
  if (t >= n) return;
  s[t] = t * t;
  amphi::this_block().sync();
  out[static_cast<int>(amphi::block_index().x) * n + t] = s[(t + 1) % n];
}

// Blocks of a bit mask reverse their values through shared memory, the others leave at once.
AMPHI_LAUNCHABLE void some_blocks(unsigned blocks_that_work, int* x) {
  AMPHI_SHARED(s, int[8]);
  const unsigned b = amphi::block_index().x, t = amphi::thread_index().x;
  if ((blocks_that_work >> b & 1u) == 0) return;
  s[t] = x[8 * b + t];
  amphi::this_block().sync();
  x[8 * b + t] = s[7 - t];
}

AMPHI_LAUNCHABLE int through_helper(int value) {
  AMPHI_SHARED(mine, int[64]);
  const unsigned t = amphi::thread_index().x;
  mine[t] = value;
  amphi::this_block().sync();
  const int other = mine[63 - t];
  amphi::this_block().sync();
  return other;
}

// Two variables and a helper with its own, used twice.
AMPHI_LAUNCHABLE void three_variables(int* out) {
  AMPHI_SHARED(a, int[64]);
  AMPHI_SHARED(b, double[64]);
  const unsigned t = amphi::thread_index().x, block = amphi::block_index().x;
  a[t] = static_cast<int>(1000 * block + t);
  b[t] = -static_cast<double>(t);
  const int x = through_helper(static_cast<int>(t) + 1);
  const int y = through_helper(2 * static_cast<int>(t));
  out[64 * block + t] = a[63 - t] + static_cast<int>(b[63 - t]) + 7 * x + 11 * y;
}

// Private values live across barriers in a loop whose bound is known at run time only.
AMPHI_LAUNCHABLE void private_values(int rounds, int* out) {
  AMPHI_SHARED(s, int[96]);
  const auto block = amphi::this_block();
  const int t = static_cast<int>(amphi::thread_index().x), n = block.size();
  int mine[5] = {t, t + 1, t + 2, t + 3, t + 4};
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    s[t] = mine[r % 5] + sum;
    block.sync();
    sum += s[(t + r) % n] % 1000;
    mine[(r + 2) % 5] += r;
    block.sync();
  }
  out[t] = sum + mine[0] + mine[4];
}

AMPHI_LAUNCHABLE void votes(int n, int* out) {
  const auto block = amphi::this_block();
  const int t = static_cast<int>(amphi::thread_index().x);
  if (t >= n) return;  // these have no vote
  const int count = block.sync_count(t % 3 == 0);
  const bool all = block.sync_and(t < n), not_all = block.sync_and(t != n - 1);
  const bool any = block.sync_or(t == n - 1), none = block.sync_or(false);
  out[t] = count * 16 + all * 8 + not_all * 4 + any * 2 + none;
}

AMPHI_LAUNCHABLE void no_barrier(int* out) {
  out[amphi::global_thread_index()] = static_cast<int>(amphi::thread_index().x);
}

}  // namespace kernels

namespace {

std::vector<int> counting(std::size_t n, int scale = 1) {
  std::vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = scale * static_cast<int>(i % 10007);
  return x;
}

void check_tree(amphi::extent3 grid, amphi::extent3 block) {
  const auto threads = static_cast<std::size_t>(block.size()), blocks = static_cast<std::size_t>(grid.size());
  const std::vector<int> x = counting(threads * blocks);
  std::vector<int> expected(blocks, 0);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / threads] += x[i];
  for (const path& p : block_paths(grid, block)) {
    SCOPED_TRACE(p.name + ", block of " + std::to_string(threads));
    shared_data<int> in(x), out(blocks, -1);
    amphi::launch<kernels::tree_sum>(p.policy, in.data(), out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

}  // namespace

TEST(Block, TreeOverBlocksOfAnySize) {
  for (int n : {1, 2, 3, 8, 9, 31, 32, 33, 64, 96, 100, 180, 255, 256, 257, 512, 1000, 1024})
    check_tree(5, n);
}

TEST(Block, ThreeDimensions) {
  check_tree({2, 3, 2}, {4, 2, 8});
  check_tree({1, 2, 2}, {1, 16, 64});
  check_tree({1, 1, 3}, {7, 5, 3});
}

TEST(Block, ManyBlocks) { check_tree(1000, 64); }

TEST(Block, HalfOfTheThreadsLeaveEachLevel) {
  for (const auto& [threads, sum] : {std::pair{8, 28}, std::pair{1024, 523776}}) {
    for (const path& p : block_paths(3, threads)) {
      SCOPED_TRACE(p.name);
      shared_data<int> out(3, -1);
      amphi::launch<kernels::leaving_tree>(p.policy, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), std::vector<int>(3, sum)));
    }
  }
}

TEST(Block, ReturnedThreadsCountAsArrived) {
  std::vector<int> expected;
  for (int b = 0; b < 3; ++b)
    for (int t = 0; t < 70; ++t) expected.push_back((t + 1) % 70 * ((t + 1) % 70));
  for (const path& p : block_paths(3, 100)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(210, -1);
    amphi::launch<kernels::early_return>(p.policy, 70, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Block, BlocksWithBarriersBesideBlocksWithout) {
  for (unsigned working : {0b1110u, 0b1000u, 0b0001u, 0b0000u, 0b1111u}) {
    std::vector<int> expected(32);
    for (unsigned i = 0; i < 32; ++i) {
      const bool works = (working >> (i / 8) & 1u) != 0;
      expected[i] = static_cast<int>(works ? i / 8 * 8 + 7 - i % 8 : i);
    }
    for (const path& p : block_paths(4, 8)) {
      SCOPED_TRACE(p.name);
      shared_data<int> x(counting(32));
      amphi::launch<kernels::some_blocks>(p.policy, working, x.data());
      EXPECT_TRUE(same_bits(x.on_host(), expected));
    }
  }
}

TEST(Block, SharedVariablesOfFunctionsAreApart) {
  std::vector<int> expected;
  for (int b = 0; b < 5; ++b)
    for (int t = 0; t < 64; ++t)
      expected.push_back(1000 * b + 63 - t - (63 - t) + 7 * (64 - t) + 11 * 2 * (63 - t));
  for (const path& p : block_paths(5, 64)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(320, -1);
    amphi::launch<kernels::three_variables>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Block, PrivateValuesSurviveBarriers) {
  constexpr int n = 96, rounds = 13;
  std::vector<int> mine[5], sum(n, 0), expected;
  for (int k = 0; k < 5; ++k)
    for (int t = 0; t < n; ++t) mine[k].push_back(t + k);
  for (int r = 0; r < rounds; ++r) {
    std::vector<int> s(n);
    for (std::size_t t = 0; t < n; ++t) s[t] = mine[r % 5][t] + sum[t];
    for (std::size_t t = 0; t < n; ++t) sum[t] += s[(t + static_cast<std::size_t>(r)) % n] % 1000;
    for (int& v : mine[(r + 2) % 5]) v += r;
  }
  for (std::size_t t = 0; t < n; ++t) expected.push_back(sum[t] + mine[0][t] + mine[4][t]);
  for (const path& p : block_paths(1, n)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(n, -1);
    amphi::launch<kernels::private_values>(p.policy, rounds, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Block, Votes) {
  for (int n : {1, 2, 40, 100}) {
    std::vector<int> expected(100, -1);
    for (int t = 0; t < n; ++t) expected[static_cast<std::size_t>(t)] = (n + 2) / 3 * 16 + 8 + 2;
    for (const path& p : block_paths(1, 100)) {
      SCOPED_TRACE(p.name);
      shared_data<int> out(100, -1);
      amphi::launch<kernels::votes>(p.policy, n, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
  }
}

TEST(Block, OutsideALaunchThereIsOneThread) {
  int in = 17, out = 0;
  kernels::tree_sum(&in, &out);
  EXPECT_EQ(out, 17);
  EXPECT_EQ(amphi::this_block().sync_count(true), 1);
  EXPECT_EQ(amphi::this_block().sync_count(false), 0);
  EXPECT_TRUE(amphi::this_block().sync_and(true));
  EXPECT_FALSE(amphi::this_block().sync_or(false));
  EXPECT_EQ(amphi::this_block().size(), 1);
}

TEST(Block, AutomaticAndSerialLaunchesHaveBlocksOfOneThread) {
  const std::vector<int> x = counting(64, 3);
  shared_data<int> in(x), out(1, -1);
  amphi::launch<kernels::tree_sum>({.backend = backend::cpu, .workers = 1}, in.data(), out.data());
  EXPECT_EQ(out.on_host()[0], x[0]);
  amphi::launch<kernels::tree_sum>(amphi::serial, in.data(), out.data());
  EXPECT_EQ(out.on_host()[0], x[0]);
}

TEST(Block, KernelsWithoutBarriers) {
  std::vector<int> expected(7 * 1024);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<int>(i % 1024);
  for (const path& p : block_paths(7, 1024)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(expected.size(), -1);
    amphi::launch<kernels::no_barrier>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

// Destructors of static objects run after the end of what the engine keeps for the thread that ends the
// program.
struct launches_at_the_end {
  int right = 0;
  void launch() {
    const std::vector<int> x = counting(96, 3);
    int sum = 0, expected = 0;
    for (const int e : x) expected += e;
    amphi::launch<kernels::tree_sum>({.grid = 1, .block = 96, .backend = backend::cpu}, x.data(), &sum);
    right += sum == expected ? 1 : 0;
  }
  ~launches_at_the_end() {
    launch();
    launch();
    if (right == 3) _exit(77);
  }
};

TEST(Block, LaunchesInDestructorsOfStaticObjects) {
  EXPECT_EXIT(
      {
        static launches_at_the_end last;
        last.launch();
        std::exit(1);
      },
      testing::ExitedWithCode(77), "");
}
