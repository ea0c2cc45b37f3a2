// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays between streams, host threads and devices, and in captures.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "memory/array_kernels.hpp"

namespace {

using namespace amphi_test;

TEST(array, orders_streams) {
  const amphi::stream s[3];
  array<int> a(100000, 0);
  for (int i = 0; i < 100; ++i) {
    const amphi::policy p{.stream = s[i % 3]};
    amphi::launch<add<int>>(p, 1, a.read_write(p));
  }
  EXPECT_TRUE(all_are(a.host_read(), 100));
}

TEST(array, makes_readers_wait_for_the_writer) {
  const amphi::stream writer, reader;
  array<int> a(3000), b(3000);
  for (int i = 1; i < 5; ++i) {
    amphi::launch<set_slowly>({.stream = writer}, i, a.write({.stream = writer}));
    amphi::launch<copy>({.stream = reader}, a.read({.stream = reader}), b.write({.stream = reader}));
    EXPECT_TRUE(all_are(b.host_read(), i));
  }
}

TEST(array, makes_the_writer_wait_for_all_readers) {
  const amphi::stream one, two, writer;
  array<int> a(3000), b(3000), c(3000);
  for (int i = 1; i < 5; ++i) {
    amphi::launch<set<int>>({.stream = writer}, i, a.write({.stream = writer}));
    const view<const int> for_one = a.read({.stream = one}), for_two = a.read({.stream = two});
    amphi::launch<copy_slowly>({.stream = one}, for_one, b.write({.stream = one}));
    amphi::launch<copy_slowly>({.stream = two}, for_two, c.write({.stream = two}));
    amphi::launch<set<int>>({.stream = writer}, -1, a.write({.stream = writer}));
    EXPECT_TRUE(all_are(b.host_read(), i));
    EXPECT_TRUE(all_are(c.host_read(), i));
  }
}

TEST(array, remembers_streams_that_are_gone) {
  array<int> a(3000), b(3000);
  {
    const amphi::stream s;
    amphi::launch<set_slowly>({.stream = s}, 3, a.write({.stream = s}));
  }
  amphi::launch<copy>(a.read(), b.write());
  EXPECT_TRUE(all_are(b.host_read(), 3));
  {
    const amphi::stream s;
    amphi::launch<set_slowly>({.stream = s}, 4, a.write({.stream = s}));
  }
  EXPECT_TRUE(all_are(a.host_read(), 4));
  for (int i = 0; i < 100; ++i) {  // a table that many short-lived streams read
    const amphi::stream s;
    amphi::launch<copy>({.stream = s}, a.read({.stream = s}), b.write({.stream = s}));
  }
  {
    const amphi::stream s;
    amphi::launch<set_slowly>({.stream = s}, 5, a.write({.stream = s}));
  }
}  // destroyed while the work may still run

TEST(array, copies_ahead_and_tells_when) {
  const amphi::stream work, copies;
  array<int> a(3000);
  amphi::launch<set_slowly>({.stream = work}, 8, a.write({.stream = work}));
  const amphi::event copied = a.to_host(copies);
  copied.synchronize();
  EXPECT_TRUE(copied.ready());
  EXPECT_TRUE(all_are(a.host_read(), 8));
  // The next write does not disturb a copy that still runs.
  (void)a.to_host(copies);
  amphi::launch<set<int>>({.stream = work}, 9, a.write({.stream = work}));
  (void)a.to_host(copies);
  EXPECT_TRUE(all_are(a.host_read(), 9));
  std::ranges::fill(a.host_write(), 10);
  const amphi::event there = a.to_device(copies);
  work.wait(there);
  array<int> b(3000);
  amphi::launch<copy>({.stream = work}, a.read({.stream = work}), b.write({.stream = work}));
  EXPECT_TRUE(all_are(b.host_read(), 10));
}

TEST(array, serves_the_cpu_in_a_program_with_a_gpu) {
  array<int> a = on_device_only(1000);
  const amphi::policy cpu{.backend = amphi::backend::cpu};
  amphi::launch<add<int>>(cpu, 1, a.read_write(cpu));
  EXPECT_EQ(a.read_write(cpu).data(), a.host_read_write().data());
  amphi::launch<add<int>>(1, a.read_write());
  EXPECT_EQ(content(a), counted(1000, 2));
  if (!on_gpu()) {
    EXPECT_THROW((void)a.read({.backend = amphi::backend::cuda}), amphi::device_error);
  }
}

TEST(array, may_be_read_by_several_host_threads) {
  for (const memory_space space : spaces) {
    array<int> a(20011, space);
    amphi::launch<set<int>>(6, a.write());
    std::vector<std::thread> threads;
    std::vector<int> good(8, 0);
    for (std::size_t t = 0; t < good.size(); ++t)
      threads.emplace_back([&, t] {
        const array<int>& same = a;
        for (int i = 0; i < 20; ++i) {
          good[t] += all_are(same.host_read(), 6);
          good[t] += same.read().size() == 20011;
          same.to_host().synchronize();
        }
      });
    for (std::thread& t : threads) t.join();
    for (const int g : good) EXPECT_EQ(g, 40) << name(space);
  }
}

TEST(array, of_different_threads_are_independent) {
  std::vector<std::thread> threads;
  std::vector<int> good(8, 0);
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&good, t] {
      const amphi::stream_view s = amphi::stream::per_thread();
      for (int i = 0; i < 20; ++i) {
        array<int> a(999, static_cast<int>(t));
        amphi::launch<add<int>>({.stream = s}, i, a.read_write({.stream = s}));
        good[t] += all_are(a.host_read(), static_cast<int>(t) + i);
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int g : good) EXPECT_EQ(g, 20);
}

TEST(array, hands_per_thread_streams_over_to_other_threads) {
  array<int> a(3000);
  std::thread([&] {
    const amphi::policy p{.stream = amphi::stream::per_thread()};
    amphi::launch<set_slowly>(p, 2, a.write(p));
  }).join();
  const amphi::policy p{.stream = amphi::stream::per_thread()};
  amphi::launch<add<int>>(p, 1, a.read_write(p));
  EXPECT_TRUE(all_are(a.host_read(), 3));
}

TEST(array, belongs_to_one_device) {
  if (amphi::device_count() < 2) GTEST_SKIP() << "needs two GPUs";
  amphi::set_device(1);
  array<int> a(1000, 5);
  (void)a.read();
  const amphi::stream other;
  amphi::set_device(0);
  EXPECT_THROW((void)a.read(), amphi::device_error);
  EXPECT_EQ(amphi::current_device(), 0);
  amphi::launch<add<int>>({.stream = other}, 1, a.read_write({.stream = other}));
  EXPECT_EQ(amphi::current_device(), 0);
  EXPECT_TRUE(all_are(a.host_read(), 6));
  array<int> here(1000, 1);
  (void)here.read();
  EXPECT_THROW((void)here.read({.stream = other}), amphi::device_error);
  here.copy_from(a);
  EXPECT_TRUE(all_are(here.host_read(), 6));
  EXPECT_TRUE(all_are(a.clone().host_read(), 6));
}

#if AMPHI_CUDA
TEST(array, that_needs_no_copy_may_be_used_in_a_capture) {
  if (!on_gpu()) GTEST_SKIP() << "without a GPU nothing is captured";
  const amphi::stream s, other;
  const amphi::policy on_s{.stream = s};
  array<int> fresh(10, 1), unused(10), a(10, 1), out(10);
  amphi::launch<add<int>>({.stream = other}, 1, a.read_write({.stream = other}));
  std::ranges::fill(unused.host_write(), 1);

  ASSERT_EQ(cudaStreamBeginCapture(s.native(), cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_THROW((void)fresh.read(on_s), amphi::launch_error);
  EXPECT_THROW((void)unused.read(on_s), amphi::launch_error);
  EXPECT_THROW(s.synchronize(), amphi::launch_error);
  amphi::launch<add<int>>(on_s, 1, a.read_write(on_s));
  amphi::launch<copy>(on_s, a.read(on_s), out.write(on_s));
  EXPECT_THROW((void)out.host_read(), amphi::launch_error);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(s.native(), &graph), cudaSuccess);  // nothing above has broken it

  cudaGraphExec_t replay = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(replay, s.native()), cudaSuccess);
  EXPECT_TRUE(all_are(out.host_read(), 5));
  EXPECT_TRUE(all_are(fresh.host_read(), 1));
  EXPECT_EQ(cudaGraphExecDestroy(replay), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}
#endif

}  // namespace
