// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "algorithm/allocation_count.hpp"
#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"
#if AMPHI_CUDA
#  include <cuda_runtime_api.h>
#endif

namespace {

using namespace amphi_test;

// Of the current device; 0 without one. Nobody else uses it while this program runs, or the test says so.
std::size_t free_device_memory() {
  std::size_t unused = 0;
#if AMPHI_CUDA
  std::size_t all = 0;
  if (on_gpu()) {
    EXPECT_EQ(cudaMemGetInfo(&unused, &all), cudaSuccess);
  }
#endif
  return unused;
}

AMPHI_LAUNCHABLE void add_at(int i, int* x, int amount) { x[i] += amount; }

struct is_even {
  AMPHI_HOST_DEVICE bool operator()(int v) const { return v % 2 == 0; }
};

TEST(capture, runs_nothing_and_keeps_arguments_by_value) {
  const amphi::stream s;
  shared_data<int> x(1000, 1);
  int amount = 5;
  amphi::graph g = s.capture([&] {
    amphi::parallel_for<add_at>({.stream = s}, 0, 1000, x.data(), amount);
    amount = 1000;
  });
  EXPECT_EQ(g.size(), 1);
  EXPECT_EQ(x.on_host(), std::vector<int>(1000, 1));
  g.replay();
  g.replay();
  EXPECT_EQ(x.on_host(), std::vector<int>(1000, 11));
  amphi::graph other = std::move(g);
  other.replay(s.view());
  EXPECT_EQ(x.on_host(), std::vector<int>(1000, 16));
}

TEST(capture, a_graph_moves_and_leaves_none_behind) {
  const amphi::stream s;
  shared_data<int> x(10, 1);
  amphi::graph g = s.capture([&] { amphi::parallel_for<add_at>({.stream = s}, 0, 10, x.data(), 1); });
  amphi::graph& same = g;
  g = std::move(same);
  g.replay();
  amphi::graph other = std::move(g);
  EXPECT_EQ(g.size(), 0);
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { g.replay(); }), {"moved"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { g.replay(s); }), {"moved"}));
  EXPECT_EQ(x.on_host(), std::vector<int>(10, 2));
  g = std::move(other);
  EXPECT_EQ(other.size(), 0);
  g.replay();
  EXPECT_EQ(x.on_host(), std::vector<int>(10, 3));
}

// Each replay gives the bits of the same calls on the data of that time.
void replay_algorithms() {
  constexpr int n = 50000, bin_count = 40;
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  shared_data<float> x(n), scanned(n), sorted(n), sum(1);
  shared_data<int> bins(n), kept(n), number(1);
  shared_data<double> sums(bin_count);
  for (int i = 0; i < n; ++i) bins.data()[i] = i * 7 % bin_count;
  const amphi::view xs(x.data(), n);
  const amphi::scatter_plan plan(p, amphi::view(bins.data(), n), bin_count);
  s.synchronize();
  amphi::graph g = s.capture([&] {
    amphi::reduce_into(p, xs, sum.data(), 1.0f, amphi::plus{});
    amphi::inclusive_scan(p, xs, amphi::view(scanned.data(), n));
    amphi::copy_bytes(sorted.data(), x.data(), n * sizeof(float), s);
    amphi::sort(p, amphi::view(sorted.data(), n));
    amphi::copy_if_into(p, amphi::view(bins.data(), n), amphi::view(kept.data(), n), number.data(),
                        is_even());
    plan.reduce(p, xs, amphi::view(sums.data(), bin_count), 0.5, amphi::plus{});
  });
  for (const unsigned seed : {1u, 2u, 3u}) {
    s.synchronize();
    const auto values = reference::values<float>(n, seed);
    std::copy(values.begin(), values.end(), x.data());
    number.data()[0] = -1;
    // Other calls use scratch memory meanwhile; the graph has its own.
    const float between = amphi::reduce(p, amphi::view(x.data(), 1000), 0.0f, amphi::plus{});
    EXPECT_EQ(between, reference::reduce(std::vector<float>(values.begin(), values.begin() + 1000), 0.0f,
                                         amphi::plus{}));
    g.replay();
    EXPECT_TRUE(same_bits(sum.on_host(), {reference::reduce(values, 1.0f, amphi::plus{})}));
    EXPECT_TRUE(same_bits(scanned.on_host(), reference::scan(values, {}, amphi::plus{}).inclusive));
    auto expected = values;
    std::stable_sort(expected.begin(), expected.end());
    EXPECT_TRUE(same_bits(sorted.on_host(), expected));
    EXPECT_EQ(number.on_host()[0], n / 2);
    std::vector<std::vector<double>> lists(bin_count);
    for (std::size_t i = 0; i < n; ++i) lists[i * 7 % bin_count].push_back(values[i]);
    std::vector<double> totals;
    for (const auto& list : lists) totals.push_back(reference::reduce(list, 0.5, amphi::plus{}));
    EXPECT_TRUE(same_bits(sums.on_host(), totals));
  }
}
TEST(capture, replays_algorithms) { replay_algorithms(); }

// Threads that wait, so that the block engine takes part.
AMPHI_LAUNCHABLE void reverse_block(int* x) {
  const auto block = amphi::this_block();
  const unsigned n = amphi::block_extent().x, t = amphi::thread_index().x;
  int* const own = x + amphi::block_index().x * n;
  const int mine = own[t];
  block.sync();
  own[n - 1 - t] = mine;
}

// Launches, algorithms and copies, replayed a hundred times: the C library is not asked for memory, nor is
// CUDA.
void replays_allocate_nothing() {
  constexpr int n = 50000;
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  shared_data<int> x(n), scanned(n), bins(n), sums(40), sum(1);
  for (int i = 0; i < n; ++i) x.data()[i] = i, bins.data()[i] = i % 40;
  const amphi::view xs(x.data(), n);
  const amphi::scatter_plan plan(p, amphi::view(bins.data(), n), 40);
  const amphi::graph g = s.capture([&] {
    amphi::parallel_for<add_at>(p, 0, n, x.data(), 1);
    amphi::launch<reverse_block>({.grid = 7, .block = 96, .stream = s}, x.data());
    amphi::inclusive_scan(p, xs, amphi::view(scanned.data(), n), amphi::maximum{});
    amphi::reduce_into(p, xs, sum.data(), 0, amphi::maximum{});
    plan.reduce(p, xs, amphi::view(sums.data(), 40), 0, amphi::maximum{});
    amphi::copy_bytes(bins.data(), scanned.data(), n * sizeof(int), s);
  });
  // A worker makes its stacks when it first gets a block with threads that wait, in whichever replay that is.
  int replays = 0;
  std::int64_t allocated = -1;
  std::size_t device_before = 0, device_after = 1;
  // Other programs may use the GPU too, so the memory that it has left is read more than once.
  for (int batch = 0; batch < 20 && (allocated != 0 || device_after != device_before); ++batch) {
    const std::int64_t before = allocations();
    device_before = free_device_memory();
    for (int i = 0; i < 100; ++i, ++replays) g.replay();
    s.synchronize();
    allocated = on_gpu() ? 0 : allocations() - before;  // CUDA's own host code may ask for memory
    device_after = free_device_memory();
  }
  EXPECT_EQ(allocated, 0);
  EXPECT_EQ(device_after, device_before);
  EXPECT_EQ(sum.on_host()[0], n - 1 + replays);
}
TEST(capture, replays_allocate_nothing) {
  if (!counts_allocations()) GTEST_SKIP() << "sanitizers count differently";
  const std::int64_t before = allocations();
  ASSERT_NE(std::make_unique<std::vector<int>>(1000)->data(), nullptr);
  ASSERT_EQ(allocations() - before, 2);
  replays_allocate_nothing();
}

TEST(capture, what_cannot_be_captured_throws_before_it_touches_anything) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  shared_data<int> x(100, 1);
  const amphi::view xs(x.data(), 100);
  EXPECT_TRUE(says(message_of<amphi::launch_error>(
                       [&] { (void)s.capture([&] { (void)amphi::reduce(p, xs, 0, amphi::plus{}); }); }),
                   {"captured"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { s.synchronize(); }); }),
                   {"captured"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { (void)s.capture([] {}); }); }),
                   {"captured"}));
  const amphi::graph g = s.capture([&] { amphi::parallel_for<add_at>(p, 0, 100, x.data(), 1); });
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { g.replay(); }); }), {"replayed"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] {
                     (void)s.capture(
                         [&] { amphi::parallel_for<add_at>({.grid = 0, .stream = s}, 0, 100, x.data(), 1); });
                   }),
                   {"grid"}));
  std::vector<int> bins(100);
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] {
                     (void)s.capture([&] {
                       const amphi::scatter_plan plan(p, xs, 2);
                       plan.reduce(p, xs, amphi::view(bins.data(), 2), 0, amphi::plus{});
                     });
                   }),
                   {"scatter_plan", "captured", "before the capture"}));
  const amphi::event before = s.record();
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { amphi::synchronize(); }); }),
                   {"captured"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { before.synchronize(); }); }),
                   {"captured"}));
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { (void)s.capture([&] { (void)elapsed(before, before); }); }),
           {"captured"}));
  EXPECT_EQ(bins, std::vector<int>(100));
  // The stream is as good as before.
  EXPECT_EQ(x.on_host(), std::vector<int>(100, 1));
  amphi::parallel_for<add_at>(p, 0, 100, x.data(), 1);
  g.replay();
  EXPECT_EQ(x.on_host(), std::vector<int>(100, 3));
}

struct is_positive {
  AMPHI_HOST_DEVICE bool operator()(float v) const { return v > 0; }
};

// Algorithms of a graph share memory that is cleared once: on a GPU a replay runs kernels and nothing else,
// and each finds the counters zero, whichever algorithm or size came before it.
void algorithms_in_a_graph_share_scratch() {
  constexpr int sizes[] = {1000, 70000, 3, 300000, 5000};
  const amphi::stream s, other;
  const amphi::policy p{.stream = s};
  const auto values = reference::values<float>(300000, 4);
  shared_data<float> x(300000), scanned(300000), sums(5);
  std::copy(values.begin(), values.end(), x.data());
  shared_data<std::int64_t> number(1);
  shared_data<float> kept(300000);
  const auto xs = [&](int n) { return amphi::view<const float>(x.data(), n); };
  const auto make = [&] {
    return s.capture([&] {
      for (int i = 0; i < 5; ++i) {
        amphi::reduce_into(p, xs(sizes[i]), sums.data() + i, 0.5f, amphi::plus{});
        amphi::inclusive_scan(p, xs(sizes[i]), amphi::view(scanned.data(), sizes[i]));
        amphi::copy_if_into(p, xs(sizes[i]), amphi::view(kept.data(), sizes[i]), number.data(),
                            is_positive());
      }
    });
  };
  const amphi::graph first = make(), second = make();
  const std::vector<float> last(values.begin(), values.begin() + sizes[4]);
  for (int round = 0; round < 4; ++round) {
    std::fill(sums.data(), sums.data() + 5, -1.0f);
    number.data()[0] = -1;
    if (round % 2 == 0) {
      first.replay();
    } else {
      second.replay(other);
    }
    s.synchronize(), other.synchronize();
    std::vector<float> expected;
    for (const int n : sizes)
      expected.push_back(
          reference::reduce(std::vector<float>(values.begin(), values.begin() + n), 0.5f, amphi::plus{}));
    EXPECT_TRUE(same_bits(std::vector<float>(sums.data(), sums.data() + 5), expected));
    EXPECT_TRUE(same_bits(std::vector<float>(scanned.data(), scanned.data() + sizes[4]),
                          reference::scan(last, {}, amphi::plus{}).inclusive));
    EXPECT_EQ(number.data()[0], std::count_if(last.begin(), last.end(), is_positive()));
  }
  if (on_gpu()) {
    EXPECT_EQ(s.capture([&] { amphi::reduce_into(p, xs(1000), sums.data(), 0.5f, amphi::plus{}); }).size(),
              1);
    EXPECT_EQ(
        s.capture([&] { amphi::inclusive_scan(p, xs(5000), amphi::view(scanned.data(), 5000)); }).size(), 1);
  }
}
TEST(capture, algorithms_in_a_graph_share_scratch) { algorithms_in_a_graph_share_scratch(); }

#if AMPHI_CUDA
TEST(capture, work_of_the_cpu_is_no_part_of_a_cuda_graph) {
  if (!on_gpu()) GTEST_SKIP() << "no GPU";
  const amphi::stream s;
  std::vector<int> x(10, 1);
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] {
                     (void)s.capture(
                         [&] { amphi::parallel_for<add_at>({.backend = backend::cpu}, 0, 10, x.data(), 1); });
                   }),
                   {"CPU", "captured"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { (void)amphi::stream_view().capture([] {}); }),
                   {"default stream"}));
  EXPECT_EQ(x, std::vector<int>(10, 1));
}
#endif

}  // namespace
