// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels in block form: phases, values that live across them, and what they may not do.
#include <stdexcept>

#include "amphi/core/error.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/warp.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

AMPHI_LAUNCHABLE void tree(amphi::block block, const int* x, int* out) {
  AMPHI_SHARED(s, int[1024]);
  const int n = block.size(), first = static_cast<int>(block.index().x) * n;
  block.for_each_thread([&](int t) { s[t] = x[first + t]; });
  for (int m = n; m > 1; m = (m + 1) / 2) {
    const int half = (m + 1) / 2;
    block.for_each_thread([&](int t) {
      if (t < m / 2) s[t] += s[t + half];
    });
  }
  block.single([&] { out[block.index().x] = s[0]; });
}

// The same sum whatever the size of the block: 256 lanes.
AMPHI_LAUNCHABLE void lanes(amphi::block block, int n, const float* x, float* out) {
  constexpr int width = 256;
  AMPHI_SHARED(s, float[width]);
  amphi::per_lane<float, width> sum(block);
  amphi::per_lane<int, width> visits;
  for (int row = 0; row < n; row += width) {
    block.for_each_lane<width>([&](int l) {
      if (row + l < n) {
        sum[l] += x[row + l];
        visits[l] += 1;
      }
    });
  }
  block.for_each_lane<width>([&](int l) { s[l] = visits[l] > 0 ? sum[l] : 0.0f; });
  for (int d = width / 2; d > 0; d /= 2) {
    block.for_each_lane<width>([&](int l) {
      if (l < d) s[l] += s[l + d];
    });
  }
  block.single([&] { out[block.index().x] = s[0]; });
}

struct big {
  double values[5];
};

AMPHI_LAUNCHABLE void thread_values(amphi::block block, int rounds, int* out) {
  AMPHI_SHARED(s, int[512]);
  amphi::per_thread<int> v(block, 3);
  amphi::per_thread<big> b;
  const int n = block.size();
  for (int r = 0; r < rounds; ++r) {
    block.for_each_thread([&](int t) {
      v[t] = v[t] * 3 + t;
      b[t].values[r % 5] += v[t] % 17;
      s[t] = v[t];
    });
    block.for_each_thread([&](int t) { v[t] = (v[t] + s[(t + 1) % n]) % 1009; });
  }
  block.for_each_thread([&](int t) { out[t] = v[t] * 100 + static_cast<int>(b[t].values[2]); });
}

AMPHI_LAUNCHABLE void coordinates(amphi::block block, int* out) {
  const amphi::launch_index e = block.extent();
  const int w = static_cast<int>(e.x), h = static_cast<int>(e.y);
  block.for_each_thread([&](int x, int y, int z) { out[(z * h + y) * w + x] = x + 10 * y + 100 * z; });
  block.for_each_thread([&](const amphi::launch_index& i) {
    out[(static_cast<int>(i.z) * h + static_cast<int>(i.y)) * w + static_cast<int>(i.x)] += 1000;
  });
  if (e.z == 1) block.for_each_thread([&](int x, int y) { out[y * w + x] += 10000; });
}

AMPHI_LAUNCHABLE void dynamic(amphi::block block, int n, int* out) {
  const auto s = block.shared<int>(n);
  block.for_each_thread([&](int t) {
    for (int i = t; i < n; i += block.size()) s[i] = 2 * i;
  });
  block.for_each_thread([&](int t) {
    for (int i = t; i < n; i += block.size()) out[i] = s[n - 1 - i];
  });
}

AMPHI_LAUNCHABLE void syncs(amphi::block block, int* out) {
  out[0] = 1;
  block.sync();
}
AMPHI_LAUNCHABLE void votes(amphi::block block, int* out) { out[0] = block.sync_count(true); }
AMPHI_LAUNCHABLE void warps(amphi::block, int* out) { out[0] = amphi::this_warp().reduce(1, amphi::plus{}); }
[[maybe_unused]] AMPHI_LAUNCHABLE void asks(amphi::block, int* out) {
  out[0] = static_cast<int>(amphi::thread_index().x);
}

}  // namespace kernels

namespace {

std::vector<int> numbers(std::size_t n) {
  std::vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<int>(i * 7919 % 1013);
  return x;
}

}  // namespace

TEST(BlockForm, Tree) {
  for (int n : {1, 2, 3, 9, 33, 96, 100, 180, 256, 1000, 1024}) {
    const std::vector<int> x = numbers(3 * static_cast<std::size_t>(n));
    std::vector<int> expected(3, 0);
    for (std::size_t i = 0; i < x.size(); ++i) expected[i / static_cast<std::size_t>(n)] += x[i];
    for (const path& p : block_paths(3, n)) {
      SCOPED_TRACE(p.name + ", block of " + std::to_string(n));
      shared_data<int> in(x), out(3, -1);
      amphi::launch<kernels::tree>(p.policy, in.data(), out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
  }
}

TEST(BlockForm, LanesDoNotDependOnTheBlock) {
  for (int n : {1, 255, 256, 257, 10000}) {
    std::vector<float> x, sums(256, 0.0f);
    for (int v : numbers(static_cast<std::size_t>(n))) x.push_back(static_cast<float>(v) * 0.1f);
    for (std::size_t i = 0; i < x.size(); ++i) sums[i % 256] += x[i];
    for (std::size_t d = 128; d > 0; d /= 2)
      for (std::size_t l = 0; l < d; ++l) sums[l] += sums[l + d];
    for (int threads : {1, 2, 32, 100, 255, 256, 257, 1024}) {
      for (const path& p : block_paths(2, threads)) {
        SCOPED_TRACE(p.name + ", block of " + std::to_string(threads));
        shared_data<float> in(x), out(2, -1.0f);
        amphi::launch<kernels::lanes>(p.policy, n, in.data(), out.data());
        EXPECT_TRUE(same_bits(out.on_host(), std::vector<float>(2, sums[0])));
      }
    }
    // Automatic and serial launches too.
    for (const path& p : {path{"automatic", {}}, path{"serial", amphi::serial}}) {
      SCOPED_TRACE(p.name);
      shared_data<float> in(x), out(100000, -1.0f);
      amphi::launch<kernels::lanes>(p.policy, n, in.data(), out.data());
      EXPECT_EQ(out.on_host()[0], sums[0]);
    }
  }
}

TEST(BlockForm, ValuesOfThreads) {
  for (int n : {1, 33, 512}) {
    std::vector<int> v(static_cast<std::size_t>(n), 3), twos(v.size(), 0), expected;
    for (int r = 0; r < 9; ++r) {
      for (std::size_t t = 0; t < v.size(); ++t) {
        v[t] = v[t] * 3 + static_cast<int>(t);
        if (r % 5 == 2) twos[t] += v[t] % 17;
      }
      const std::vector<int> s = v;
      for (std::size_t t = 0; t < v.size(); ++t) v[t] = (v[t] + s[(t + 1) % s.size()]) % 1009;
    }
    for (std::size_t t = 0; t < v.size(); ++t) expected.push_back(v[t] * 100 + twos[t]);
    for (const path& p : block_paths(1, n)) {
      SCOPED_TRACE(p.name);
      shared_data<int> out(v.size(), -1);
      amphi::launch<kernels::thread_values>(p.policy, 9, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
  }
}

TEST(BlockForm, Coordinates) {
  for (int depth : {1, 3}) {
    std::vector<int> expected;
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x)
          expected.push_back(x + 10 * y + 100 * z + 1000 + (depth == 1 ? 10000 : 0));
    for (const path& p : block_paths(1, {8, 4, depth})) {
      SCOPED_TRACE(p.name);
      shared_data<int> out(expected.size(), -1);
      amphi::launch<kernels::coordinates>(p.policy, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
  }
}

TEST(BlockForm, DynamicSharedMemory) {
  std::vector<int> expected;
  for (int i = 0; i < 1000; ++i) expected.push_back(2 * (999 - i));
  for (const path& p : block_paths(1, 96, 4000)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(1000, -1);
    amphi::launch<kernels::dynamic>(p.policy, 1000, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(BlockForm, WhatThreadsDoIsAnErrorOnTheCpu) {
  shared_data<int> out(1, -1);
  const policy p = cpu_block(1, 64);
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { amphi::launch<kernels::syncs>(p, out.data()); }),
           {"block.sync()", "block form", "block_form_test.cpp:", "kernels::syncs", "for_each_thread"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::launch<kernels::votes>(p, out.data()); }),
                   {"block.sync_count()", "block form"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::launch<kernels::warps>(p, out.data()); }),
                   {"this_warp()", "block form"}));
#if AMPHI_CHECKED
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::launch<kernels::asks>(p, out.data()); }),
                   {"thread_index()", "block form", "block_form_test.cpp:"}));
#endif
}

namespace kernels {

// The body of a lambda may have a block as well.
void launch_lambda(const policy& p, int factor, int* out) {
  amphi::launch(
      p,
      [=] AMPHI_LAMBDA(amphi::block block, int offset) {
        AMPHI_SHARED(s, int[64]);
        block.for_each_thread([&](int t) { s[t] = factor * t + offset; });
        block.for_each_thread([&](int t) { out[t] = s[63 - t]; });
      },
      1000);
}

#if !AMPHI_CUDA
int reached = 0;
void throws(amphi::block block) {
  block.for_each_thread([&](int t) {
    if (t == 37 || t == 12 || t == 60) throw std::runtime_error(std::to_string(t));
    ++reached;
  });
  reached = -1000;
}
#endif

}  // namespace kernels

TEST(BlockForm, Lambdas) {
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) expected.push_back(3 * (63 - t) + 1000);
  for (const path& p : block_paths(1, 64)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(64, -1);
    kernels::launch_lambda(p.policy, 3, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

#if !AMPHI_CUDA
TEST(BlockForm, ExceptionOfTheLowestThread) {
  for (const path& p : block_paths(1, 64)) {
    SCOPED_TRACE(p.name);
    kernels::reached = 0;
    EXPECT_EQ(message_of<std::runtime_error>([&] { amphi::launch<kernels::throws>(p.policy); }), "12");
    EXPECT_GE(kernels::reached, 0);
  }
}
#endif
