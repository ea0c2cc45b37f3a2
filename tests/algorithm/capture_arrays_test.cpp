// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/fill.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"

// Arrays in captured work: replays use them as the accesses in it said.

namespace {

using namespace amphi_test;

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

}  // namespace
