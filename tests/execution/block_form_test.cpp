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

// Phases of the first few threads and lanes, by numbers of any type; each of them runs once.
AMPHI_LAUNCHABLE void first_few(amphi::block block, std::int64_t count, int* out) {
  AMPHI_SHARED(s, int[1024]);
  amphi::per_lane<int, 300> mine(block, 5);
  const int n = block.size();
  block.for_each_thread([&](int t) { s[t] = 0; });
  block.for_each_thread(count, [&](int t) { s[t] += t + 1; });
  block.for_each_lane<300>(count, [&](int l) { mine[l] += l + 1; });
  block.for_each_thread(static_cast<short>(2), [&](int t) { s[t] += 1000; });
  block.for_each_lane<300>(std::size_t{2}, [&](int l) { mine[l] += 1000; });
  block.for_each_thread([&](int t) { out[t] = s[n - 1 - t]; });
  block.for_each_lane<300>([&](int l) { out[n + l] = mine[l]; });
}

// More than there are: all.
AMPHI_LAUNCHABLE void more_than_all(amphi::block block, std::uint64_t count, int* out) {
  amphi::per_lane<int, 40> mine(block, 0);
  block.for_each_thread(count, [&](int t) { out[t] = t; });
  block.for_each_lane<40>(count, [&](int l) { mine[l] = 2 * l; });
  block.for_each_lane<40>([&](int l) { out[40 + l] = mine[l]; });
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

// Each of the phases as the last one. A kernel that ends in several ways has several.
AMPHI_LAUNCHABLE void ends(amphi::block block, int phase, int* out) {
  AMPHI_SHARED(s, int[1024]);
  const int n = block.size(), first = static_cast<int>(block.index().x) * n;
  block.for_each_thread([&](int t) { s[t] = 3 * t + 1; });
  if (phase == 0) {
    block.for_each_thread(amphi::last_phase, [&](int t) { out[first + t] = s[n - 1 - t]; });
  } else if (phase == 1) {
    block.for_each_lane<40>(amphi::last_phase, [&](int l) {
      if (l < n) out[first + l] = s[n - 1 - l];
    });
  } else {
    block.single(amphi::last_phase, [&] {
      for (int t = 0; t < n; ++t) out[first + t] = s[n - 1 - t];
    });
  }
}

// Threads and lanes by number, in blocks of any shape.
AMPHI_LAUNCHABLE void numbers_of_threads(amphi::block block, int* out) {
  AMPHI_SHARED(s, int[1024]);
  amphi::per_lane<int, 300> mine(block, -1);
  const int n = block.size();
  block.for_each_thread([&](int t) { s[t] = t; });
  block.for_each_lane<300>([&](int l) { mine[l] = 7 * l + s[(l + 1) % n]; });
  block.for_each_lane<300>([&](int l) { out[n + l] = mine[l]; });
  block.for_each_thread([&](int t) { out[t] = s[n - 1 - t]; });
  block.single([&] { out[n + 300] = s[n - 1]; });
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
// Half of the threads come to a barrier.
[[maybe_unused]] AMPHI_LAUNCHABLE void syncs_in_a_phase(amphi::block block, int* out) {
  block.for_each_thread([&](int t) {
    if (t % 2 == 0) block.sync();
    if (t % 2 == 0 && block.sync_and(t > 0) && block.sync_or(false)) ++out[t];
  });
}
AMPHI_LAUNCHABLE void phase_of_every_thread(int* out, int which) {
  const auto block = amphi::this_block();
  if (which == 0) block.for_each_thread([&](int t) { ++out[t]; });
  if (which == 1) block.for_each_thread(2, [&](int t) { ++out[t]; });
  if (which == 2) block.for_each_lane<3>([&](int l) { ++out[l]; });
  if (which == 3) block.single([&] { ++out[0]; });
}

[[maybe_unused]] AMPHI_LAUNCHABLE void phase_in_a_phase(amphi::block block, int* out, int which) {
  if (which == 0) block.for_each_thread([&](int) { block.for_each_thread([&](int t) { ++out[t]; }); });
  if (which == 1) block.for_each_lane<8>([&](int) { block.single([&] { ++out[0]; }); });
  if (which == 2) block.single([&] { block.for_each_lane<8>([&](int l) { ++out[l]; }); });
}

[[maybe_unused]] AMPHI_LAUNCHABLE void goes_on_after_the_last_phase(amphi::block block, int* out) {
  block.for_each_thread(amphi::last_phase, [&](int t) { out[t] = t; });
  block.single([&] { out[0] = 1; });
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

TEST(BlockForm, FirstFew) {
  for (const int n : {1, 2, 40, 300, 512}) {
    for (const std::int64_t count : {std::int64_t{-3}, std::int64_t{0}, std::int64_t{1}, std::int64_t{39},
                                     std::int64_t{300}, std::int64_t{1} << 40}) {
      std::vector<int> expected;
      for (int t = n - 1; t >= 0; --t) expected.push_back((t < count ? t + 1 : 0) + (t < 2 ? 1000 : 0));
      for (int l = 0; l < 300; ++l) expected.push_back(5 + (l < count ? l + 1 : 0) + (l < 2 ? 1000 : 0));
      for (const path& p : block_paths(1, n)) {
        SCOPED_TRACE(p.name + ", block of " + std::to_string(n) + ", the first " + std::to_string(count));
        shared_data<int> out(expected.size(), -1);
        amphi::launch<kernels::first_few>(p.policy, count, out.data());
        EXPECT_TRUE(same_bits(out.on_host(), expected));
      }
    }
  }
}

TEST(BlockForm, MoreThreadsThanThereAre) {
  std::vector<int> expected(80);
  for (int i = 0; i < 40; ++i)
    expected[static_cast<std::size_t>(i)] = i, expected[static_cast<std::size_t>(40 + i)] = 2 * i;
  for (const std::uint64_t count : {std::uint64_t{41}, std::uint64_t{1} << 63, UINT64_MAX}) {
    for (const path& p : block_paths(1, 40)) {
      SCOPED_TRACE(p.name + ", the first " + std::to_string(count));
      shared_data<int> out(80, -1);
      amphi::launch<kernels::more_than_all>(p.policy, count, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
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

TEST(BlockForm, EndsWithAnyPhase) {
  for (int n : {1, 33, 40, 1024}) {
    std::vector<int> expected;
    for (int i = 0; i < 2 * n; ++i) expected.push_back(3 * (n - 1 - i % n) + 1);
    for (int phase : {0, 1, 2}) {
      if (phase == 1 && n > 40) continue;
      for (const path& p : block_paths(2, n)) {
        SCOPED_TRACE(p.name + ", block of " + std::to_string(n) + ", phase " + std::to_string(phase));
        shared_data<int> out(expected.size(), -1);
        amphi::launch<kernels::ends>(p.policy, phase, out.data());
        EXPECT_TRUE(same_bits(out.on_host(), expected));
      }
    }
  }
}

TEST(BlockForm, NumbersDoNotDependOnTheShapeOfTheBlock) {
  std::vector<int> expected;
  constexpr int n = 64;
  for (int t = 0; t < n; ++t) expected.push_back(n - 1 - t);
  for (int l = 0; l < 300; ++l) expected.push_back(7 * l + (l + 1) % n);
  expected.push_back(n - 1);
  for (const amphi::extent3& shape :
       {amphi::extent3{64}, {8, 8}, {1, 64}, {4, 4, 4}, {1, 1, 64}, {2, 1, 32}}) {
    for (const path& p : block_paths(1, shape)) {
      SCOPED_TRACE(p.name + ", block of " + std::to_string(shape.x) + " x " + std::to_string(shape.y) +
                   " x " + std::to_string(shape.z));
      shared_data<int> out(expected.size(), -1);
      amphi::launch<kernels::numbers_of_threads>(p.policy, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
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
  // Each time, and in that block only.
  shared_data<int> numbers(5 * 64, -1);
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_TRUE(says(message_of<amphi::bounds_error>(
                         [&] { amphi::launch<kernels::goes_on_after_the_last_phase>(p, numbers.data()); }),
                     {"single() after the last phase",
                      "block_form_test.cpp:", "kernels::goes_on_after_the_last_phase", "last_phase"}));
    EXPECT_EQ(numbers.on_host()[63], 63);
    EXPECT_EQ(numbers.on_host()[0], 0);
    EXPECT_NO_THROW(amphi::launch<kernels::ends>(cpu_block(5, 64), 0, numbers.data()));
  }
#endif
}

// On a GPU each thread would do its part; on the CPU each did all of it.
TEST(BlockForm, PhasesOfAKernelInThreadFormAreAnErrorOnTheCpu) {
  constexpr const char* names[] = {"for_each_thread()", "for_each_thread()", "for_each_lane()", "single()"};
  for (int which = 0; which < 4; ++which) {
    std::vector<int> out(40, 0);
    EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                       amphi::launch<kernels::phase_of_every_thread>(cpu_block(2, 40), out.data(), which);
                     }),
                     {names[which], "in a kernel in thread form", "block_form_test.cpp:",
                      "kernels::phase_of_every_thread", "thread (0, 0, 0)", "amphi::block"}));
    EXPECT_TRUE(same_bits(out, std::vector<int>(40, 0)));
    // One thread is the whole block.
    amphi::launch<kernels::phase_of_every_thread>(cpu_block(1, 1), out.data(), which);
    kernels::phase_of_every_thread(out.data(), which);
    EXPECT_EQ(out[0], 2);
  }
}

#if AMPHI_CHECKED
TEST(BlockForm, APhaseInAPhaseIsAnErrorOnTheCpu) {
  constexpr const char* names[] = {"for_each_thread()", "single()", "for_each_lane()"};
  for (const path& p : block_paths(3, 40)) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    for (int which = 0; which < 3; ++which) {
      std::vector<int> out(40, 0);
      EXPECT_TRUE(
          says(message_of<amphi::bounds_error>(
                   [&] { amphi::launch<kernels::phase_in_a_phase>(p.policy, out.data(), which); }),
               {names[which], "inside another phase", "block_form_test.cpp:", "kernels::phase_in_a_phase"}));
      EXPECT_TRUE(same_bits(out, std::vector<int>(40, 0)));
      // The next launch starts outside of phases.
      EXPECT_NO_THROW(amphi::launch<kernels::ends>(cpu_block(2, 20), 0, out.data()));
    }
  }
}
#endif

// There a barrier on the block that the kernel got is recorded, and left out.
TEST(BlockForm, BarriersAreAnErrorOnAGpuInCheckedBuilds) {
  if (!AMPHI_CHECKED || amphi::backend_in_use() != amphi::backend::cuda)
    GTEST_SKIP() << "needs a GPU and a checked build";
  shared_data<int> out(64, 0);
  const policy p{.grid = 1, .block = 64};
  const auto message = [&](const auto& launch) {
    return message_of<amphi::bounds_error>([&] {
      launch();
      amphi::synchronize();
    });
  };
  EXPECT_TRUE(says(message([&] { amphi::launch<kernels::syncs>(p, out.data()); }),
                   {"block.sync()", "block form", "block_form_test.cpp:", "on the GPU", "for_each_thread"}));
  EXPECT_TRUE(says(message([&] { amphi::launch<kernels::votes>(p, out.data()); }),
                   {"block.sync_count()", "block form", "on the GPU"}));
  EXPECT_TRUE(says(message([&] { amphi::launch<kernels::syncs_in_a_phase>(p, out.data()); }),
                   {"block.sync", "block form", "on the GPU"}));
  // Correct kernels are not taken for such, in either form.
  amphi::launch<kernels::ends>(p, 0, out.data());
  EXPECT_NO_THROW(amphi::synchronize());
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
