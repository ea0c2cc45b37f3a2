// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "algorithm/allocation_count.hpp"
#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/fill.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
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

AMPHI_LAUNCHABLE void add_to(int n, int* x, int amount) {
  for (auto i : amphi::grid_stride_range(0, n)) x[i] += amount;
}

// On both backends: an array that a GPU would have to copy or fill can't be used in a capture.
TEST(capture, arrays_that_need_a_copy_are_refused_and_stay_as_they_are) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  amphi::array<int> fresh(10, 1), filled(10), used(10, 1), out(10, 7);
  for (int& v : filled.host_write()) v = 2;
  (void)used.read_write(p);
  const auto refuses = [&](auto&& access, const char* word) {
    return says(message_of<amphi::launch_error>([&] {
                  (void)s.capture([&] {
                    amphi::launch<add_to>(p, 10, used.read_write(p), 1);
                    access();
                  });
                }),
                {"captured", word});
  };
  std::vector<int> there(10);
  EXPECT_TRUE(refuses([&] { (void)fresh.read(p); }, "to_device"));
  EXPECT_TRUE(refuses([&] { (void)filled.read(p); }, "to_device"));
  EXPECT_TRUE(refuses([&] { (void)filled.read_write(p); }, "to_device"));
  EXPECT_TRUE(refuses([&] { (void)used.host_read(); }, "replay"));
  EXPECT_TRUE(refuses([&] { (void)used.host_read_write(); }, "replay"));
  EXPECT_TRUE(refuses([&] { (void)used.to_host(s); }, "replay"));
  EXPECT_TRUE(refuses([&] { used.copy_to(there); }, "replay"));
  for (auto [a, value] : {std::pair{&fresh, 1}, {&filled, 2}, {&used, 1}, {&out, 7}})
    for (const int v : a->host_read()) EXPECT_EQ(v, value);
  // What needs no copy may be used, and a replay computes on it.
  (void)out.to_device(s);
  (void)used.to_device(s);
  const amphi::graph g = s.capture([&] {
    amphi::launch<add_to>(p, 10, used.read_write(p), 1);
    amphi::launch<add_to>(p, 10, out.read_write(p), 10);
  });
  g.replay();
  g.replay();
  for (const int v : used.host_read()) EXPECT_EQ(v, 3);
  for (const int v : out.host_read()) EXPECT_EQ(v, 27);
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

AMPHI_LAUNCHABLE void add_two(int n, const int* a, const int* b, int* sum, int* runs) {
  for (auto i : amphi::grid_stride_range(0, n)) sum[i] = a[i] + b[i];
  for (auto i : amphi::grid_stride_range(0, 1)) runs[i] += 1;
}

// Nothing but host accesses stands between replays: what is written on the host reaches the work, and what
// the work has written the host, each time.
void replays_through_arrays() {
  const int n = 1000;
  const amphi::stream s, other;
  const amphi::policy p{.stream = s};
  amphi::array<int> a(n, 1), b(n, 2), sum(n), runs(1, 0), last(n);
  (void)a.read(p), (void)b.read(p), (void)runs.read(p);
  const amphi::graph g = s.capture([&] {
    amphi::launch<add_two>(p, n, a.read(p), b.read(p), sum.write(p), runs.read_write(p));
    amphi::copy(p, sum.read(p), last.write(p));
  });
  const amphi::array<int> moved = std::move(sum);
  int expected_runs = 0;
  for (int round = 0; round < 6; ++round) {
    SCOPED_TRACE(round);
    // In turns the one, the other, both and no input.
    if (round % 4 == 0 || round % 4 == 2)
      for (int& v : a.host_write()) v = 100 * round;
    if (round % 4 == 1 || round % 4 == 2)
      for (int& v : b.host_read_write()) v += 7;
    if (round == 4) runs.host_read_write()[0] = expected_runs = 50;
    const std::vector<int> expected(n, a.host_read()[n - 1] + b.host_read()[0]);
    if (round % 2 == 0) {
      g.replay();
    } else {
      g.replay(other);
    }
    ++expected_runs;
    const auto x = moved.host_read(), y = last.host_read();
    EXPECT_EQ(std::vector<int>(x.begin(), x.end()), expected);
    EXPECT_EQ(std::vector<int>(y.begin(), y.end()), expected);
    EXPECT_EQ(runs.host_read()[0], expected_runs);
  }
  // And what a launch writes in between.
  amphi::fill({.stream = other}, a.write({.stream = other}), -5);
  g.replay();
  EXPECT_EQ(last.host_read()[n - 1], -5 + b.host_read()[0]);
}
TEST(capture, replays_through_arrays) { replays_through_arrays(); }

// Capturing runs nothing: before the first replay arrays hold what they held.
TEST(capture, arrays_are_not_written_before_a_replay) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  amphi::array<int> fresh(10), held(10), copy(10);
  for (int& v : held.host_write()) v = 8;
  const amphi::graph g = s.capture([&] {
    amphi::fill(p, fresh.write(p), 1);
    amphi::fill(p, held.write(p), 2);
    amphi::launch<add_to>(p, 10, held.read_write(p), 3);
    amphi::copy(p, held.read(p), copy.write(p));
    amphi::launch<add_to>(p, 10, fresh.read_write(p), 1);
  });
  EXPECT_THROW((void)fresh.host_read(), amphi::memory_error);
  EXPECT_THROW((void)copy.read(p), amphi::memory_error);
  for (const int v : held.host_read()) EXPECT_EQ(v, 8);
  EXPECT_EQ(amphi::reduce(p, held.read(p), 0, amphi::plus{}), 80);
  for (int replay = 0; replay < 2; ++replay) {
    g.replay();
    for (const int v : fresh.host_read()) EXPECT_EQ(v, 2);
    for (const int v : held.host_read()) EXPECT_EQ(v, 5);
    for (const int v : copy.host_read()) EXPECT_EQ(v, 5);
    for (int& v : held.host_write()) v = 9;
  }
}

// Neither of two arrays changes when the other one can't be read.
TEST(capture, a_refused_replay_changes_no_array) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  amphi::array<int> written(10), added(10), never(10);
  for (int& v : added.host_write()) v = 4;
  (void)added.read(p);
  const amphi::graph g = s.capture([&] {
    amphi::fill(p, written.write(p), 1);
    amphi::launch<add_to>(p, 10, added.read_write(p), 1);
  });
  for (int& v : written.host_write()) v = 9;
  added.copy_from(never);
  EXPECT_THROW(g.replay(), amphi::memory_error);
  for (const int v : written.host_read()) EXPECT_EQ(v, 9);
  for (int& v : added.host_write()) v = 6;
  g.replay();
  for (const int v : written.host_read()) EXPECT_EQ(v, 1);
  for (const int v : added.host_read()) EXPECT_EQ(v, 7);
}

// A policy that asks for the CPU, where the work is captured: the same rules.
TEST(capture, arrays_of_policies_for_the_cpu) {
  if (on_gpu()) GTEST_SKIP() << "work of the CPU is no part of a CUDA graph";
  const amphi::stream s;
  const amphi::policy p{.stream = s, .backend = amphi::backend::cpu};
  amphi::array<int> fresh(10), started(10, 3), held(10);
  for (int& v : held.host_write()) v = 8;
  auto ends = std::make_unique<amphi::array<int>>(10);
  const amphi::graph g = s.capture([&] {
    amphi::fill(p, fresh.write(p), 1);
    amphi::launch<add_to>(p, 10, fresh.read_write(p), 1);
    amphi::launch<add_to>(p, 10, started.read_write(p), 1);
    amphi::copy(p, held.read(p), ends->write(p));
  });
  EXPECT_THROW((void)fresh.host_read(), amphi::memory_error);
  EXPECT_THROW((void)ends->host_read(), amphi::memory_error);
  for (const int v : started.host_read()) EXPECT_EQ(v, 3);
  g.replay();
  for (int& v : held.host_write()) v = 9;
  g.replay();
  for (const int v : fresh.host_read()) EXPECT_EQ(v, 2);
  for (const int v : started.read(p)) EXPECT_EQ(v, 5);
  for (const int v : ends->host_read()) EXPECT_EQ(v, 9);
  ends.reset();
  EXPECT_THROW(g.replay(), amphi::launch_error);
  for (const int v : started.host_read()) EXPECT_EQ(v, 5);
}

TEST(capture, arrays_of_a_graph_must_stay) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  amphi::array<int> stays(10, 0);
  (void)stays.read(p);
  const auto refuses = [&](auto&& change) {
    auto x = std::make_unique<amphi::array<int>>(10, 1);
    (void)x->read(p);
    const amphi::graph g = s.capture([&] {
      amphi::launch<add_to>(p, 10, stays.read_write(p), 1);
      amphi::launch<add_to>(p, 10, x->read_write(p), 1);
    });
    g.replay();
    const int before = stays.host_read()[9];
    change(x);
    EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { g.replay(); }),
                     {"graph", "array", "destroyed or has got another size"}));
    EXPECT_EQ(stays.host_read()[9], before);
  };
  using owner = std::unique_ptr<amphi::array<int>>;
  refuses([](owner& x) { x.reset(); });
  refuses([](owner& x) { x->resize(11); });
  refuses([](owner& x) { *x = amphi::array<int>(10, 5); });
  refuses([](owner& x) { x->copy_from(std::vector<int>(3)); });
  // One that only lives within the capture.
  const amphi::graph g = s.capture([&] {
    amphi::array<int> x(10);
    amphi::fill(p, x.write(p), 3);
  });
  EXPECT_THROW(g.replay(), amphi::launch_error);
  // Memory that an array has adopted outlives it, and an array of no elements has none.
  shared_data<int> memory(10, 1);
  const amphi::graph good = s.capture([&] {
    auto x = amphi::array<int>::adopt(
        memory.data(), 10, on_gpu() ? amphi::memory_space::managed : amphi::memory_space::pageable);
    amphi::fill(p, x.write(p), 4);
    amphi::array<int> none(0);
    amphi::fill(p, none.write(p), 4);
  });
  good.replay();
  EXPECT_EQ(memory.on_host(), std::vector<int>(10, 4));
}

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
