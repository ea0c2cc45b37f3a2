// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// What the CPU does in one go, blocks that follow each other and small launches, does the same as one by one.
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"

namespace {

using amphi::extent3;

amphi::policy cpu(extent3 grid, extent3 block, int workers) {
  amphi::policy p;
  p.grid = grid;
  p.block = block;
  p.backend = amphi::backend::cpu;
  p.workers = workers;
  return p;
}

std::int64_t block_number() {
  const amphi::launch_index b = amphi::block_index(), g = amphi::grid_extent();
  return (static_cast<std::int64_t>(b.z) * g.y + b.y) * g.x + b.x;
}

std::int64_t thread_number() {
  const amphi::launch_index t = amphi::thread_index(), e = amphi::block_extent();
  return (static_cast<std::int64_t>(t.z) * e.y + t.y) * e.x + t.x;
}

// A thread counts itself. Some blocks synchronise or use shared memory, some threads throw.
struct counting {
  int synchronise_every, share_every, throw_every;  // blocks; 0: none
  int* visits;
  void operator()() const {
    const std::int64_t b = block_number(), t = thread_number();
    const amphi::launch_index e = amphi::block_extent();
    const std::int64_t threads = static_cast<std::int64_t>(e.x) * e.y * e.z;
    ++visits[b * threads + t];
    if (synchronise_every > 0 && b % synchronise_every == synchronise_every - 1) amphi::this_block().sync();
    if (share_every > 0 && b % share_every == share_every - 1) {
      AMPHI_SHARED(last, std::int64_t);
      last = b;
    }
    if (amphi::global_thread_index() != b * threads + t) visits[b * threads + t] += 100;
    if (throw_every > 0 && b % throw_every == throw_every - 1 && t % 3 == 2)
      throw std::runtime_error("block " + std::to_string(b) + ", thread " + std::to_string(t));
  }
};

constexpr extent3 shapes[][2] = {
    {{200, 1, 1}, {1, 1, 1}}, {{200, 1, 1}, {33, 1, 1}}, {{5, 3, 2}, {7, 3, 2}},
    {{1, 40, 3}, {4, 4, 1}},  {{70, 2, 2}, {3, 1, 4}},   {{150, 1, 1}, {1, 8, 1}},
};

TEST(StraightBlocks, EachThreadRunsOnce) {
  for (const auto& s : shapes) {
    for (const int workers : {1, 2, 5}) {
      for (const int some : {0, 3, 70}) {
        std::vector<int> visits(static_cast<std::size_t>(s[0].size() * s[1].size()));
        amphi::launch(cpu(s[0], s[1], workers), counting{some, 0, 0, visits.data()});
        amphi::launch(cpu(s[0], s[1], workers), counting{0, some, 0, visits.data()});
        EXPECT_EQ(visits, std::vector<int>(visits.size(), 2));
      }
    }
  }
}

TEST(StraightBlocks, ExceptionOfTheLowestBlock) {
  for (const auto& s : shapes) {
    for (const int workers : {1, 2, 5}) {
      const auto threads = static_cast<std::size_t>(s[1].size());
      if (threads < 3) continue;
      std::vector<int> visits(static_cast<std::size_t>(s[0].size()) * threads);
      std::string what;
      try {
        amphi::launch(cpu(s[0], s[1], workers), counting{0, 0, 7, visits.data()});
      } catch (const std::runtime_error& e) {
        what = e.what();
      }
      EXPECT_EQ(what, "block 6, thread 2");
      for (std::size_t i = 0; i < 7 * threads; ++i) EXPECT_EQ(visits[i], 1) << i;  // all of block 6, too
    }
  }
}

void count_block(amphi::block block, int* visits) {
  const std::int64_t b = block_number(), n = block.size();
  block.for_each_thread([&](int t) { ++visits[b * n + t]; });
}

TEST(StraightBlocks, BlockForm) {
  for (const auto& s : shapes) {
    for (const int workers : {1, 2, 5}) {
      std::vector<int> visits(static_cast<std::size_t>(s[0].size() * s[1].size()));
      amphi::launch<count_block>(cpu(s[0], s[1], workers), visits.data());
      EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
    }
  }
}

// Cheap in most launches, as the pace of a kernel is learned from them.
struct counting_loop {
  int* visits;
  int wait_us, throw_at;
  void operator()(int i) const {
    ++visits[i];
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(wait_us);
    while (wait_us > 0 && std::chrono::steady_clock::now() < end) {
    }
    if (throw_at >= 0 && i >= throw_at) throw std::runtime_error(std::to_string(i));
  }
};

TEST(SmallLaunches, EachIndexOnceWhoeverRunsIt) {
  constexpr amphi::policy p{.backend = amphi::backend::cpu};
  for (const int n : {1, 2, 3, 17, 100, 1000}) {
    std::vector<int> visits(static_cast<std::size_t>(n));
    int launches = 0;
    for (int round = 0; round < 3; ++round) {
      for (int k = 0; k < 60; ++k, ++launches)
        amphi::parallel_for(p, 0, n, counting_loop{visits.data(), 0, -1});
      amphi::parallel_for(p, 0, n, counting_loop{visits.data(), 20, -1});  // all at once it takes long
      ++launches;
    }
    EXPECT_EQ(visits, std::vector<int>(visits.size(), launches));
  }
}

TEST(SmallLaunches, TheLowestExceptionReachesTheCaller) {
  constexpr amphi::policy p{.backend = amphi::backend::cpu};
  for (int k = 0; k < 60; ++k) {
    std::vector<int> visits(100);
    std::string what;
    try {
      amphi::parallel_for(p, 0, 100, counting_loop{visits.data(), 0, k % 2 == 0 ? -1 : 37});
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    EXPECT_EQ(what, k % 2 == 0 ? "" : "37");
    for (std::size_t i = 0; i < 37; ++i) EXPECT_EQ(visits[i], 1) << i;
  }
}

}  // namespace
