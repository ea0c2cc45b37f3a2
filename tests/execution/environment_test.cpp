// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/launch_observer.hpp"
#include "amphi/runtime/settings.hpp"
#include "support/paths.hpp"

// Switches and OpenMP's variables, one test each, run by its own ctest with that environment. Where a test's
// variable is not set, it is skipped, and its ctest fails on that.

using namespace amphi_test;
using amphi::extent3;

namespace switched {

AMPHI_LAUNCHABLE void count(int i, unsigned* counts) { count_visit(&counts[i]); }
AMPHI_LAUNCHABLE void nothing() {}

AMPHI_LAUNCHABLE void write_rank(long long* ranks, unsigned* next) {
#if AMPHI_DEVICE_CODE
  ranks[atomicAdd(next, 1u)] = amphi::global_thread_index();
#else
  ranks[__atomic_fetch_add(next, 1u, __ATOMIC_RELAXED)] = amphi::global_thread_index();
#endif
}

}  // namespace switched

namespace {

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

#define NEEDS(name, value) \
  if (variable(name) != (value)) GTEST_SKIP() << "without " << (name) << "=" << (value)

// Geometry of the last launch.
struct geometry {
  amphi::backend where;
  extent3 grid, block;
};

template <class Launch>
geometry geometry_of(const Launch& launch) {
  geometry g{};
  amphi::set_launch_observer(
      [](const amphi::launch_record& r, void* user) {
        *static_cast<geometry*>(user) = {r.backend, r.grid, r.block};
      },
      &g);
  launch();
  amphi::set_launch_observer(nullptr);
  return g;
}

void expect_all_work_is_done() {
  for (const policy& p : {policy{}, policy{.workers = 16}, policy{.backend = backend::cpu, .workers = 16},
                          policy{.grid = 50, .block = 8, .backend = backend::cpu, .workers = 16}}) {
    shared_data<unsigned> counts(10007);
    amphi::parallel_for<switched::count>(p, 0, 10007, counts.data());
    ASSERT_TRUE(same_bits(counts.on_host(), std::vector<unsigned>(10007, 1u)));
  }
}

TEST(environment, backend_cpu_rules_over_every_policy) {
  NEEDS("AMPHI_BACKEND", "cpu");
  EXPECT_EQ(amphi::backend_in_use(), backend::cpu);
  for (const backend asked : {backend::automatic, backend::cpu, backend::cuda})
    EXPECT_EQ(geometry_of([&] { amphi::launch<switched::nothing>({.backend = asked}); }).where, backend::cpu);
}

TEST(environment, backend_cuda_without_a_gpu_is_an_error) {
  NEEDS("AMPHI_BACKEND", "cuda");
  try {
    amphi::launch<switched::nothing>();
    EXPECT_TRUE(on_gpu());
  } catch (const amphi::device_error& e) {
    EXPECT_TRUE(says(e.what(), {"AMPHI_BACKEND=cuda", "GPU"}));
  }
}

TEST(environment, serial_makes_automatic_launches_serial) {
  NEEDS("AMPHI_SERIAL", "1");
  const geometry automatic = geometry_of([] { amphi::launch<switched::nothing>(); });
  EXPECT_EQ(automatic.grid, extent3(1));
  EXPECT_EQ(automatic.block, extent3(1));
  const geometry exact = geometry_of([] { amphi::launch<switched::nothing>({.grid = 3, .block = 32}); });
  EXPECT_EQ(exact.grid, extent3(3)) << "an explicit geometry stays";
  EXPECT_EQ(exact.block, extent3(32));
  shared_data<unsigned> counts(100);
  amphi::parallel_for<switched::count>(0, 100, counts.data());
  EXPECT_TRUE(same_bits(counts.on_host(), std::vector<unsigned>(100, 1u)));
}

TEST(environment, workers_are_as_many_as_said) {
  NEEDS("AMPHI_WORKERS", "5");
  EXPECT_EQ(geometry_of([] { amphi::launch<switched::nothing>({.backend = backend::cpu}); }).grid,
            extent3(5));
  EXPECT_EQ(
      geometry_of([] { amphi::launch<switched::nothing>({.backend = backend::cpu, .workers = 3}); }).grid,
      extent3(3))
      << "a policy beats the environment";
  expect_all_work_is_done();
}

TEST(environment, omp_num_threads_counts) {
  NEEDS("OMP_NUM_THREADS", "3");
  EXPECT_EQ(geometry_of([] { amphi::launch<switched::nothing>({.backend = backend::cpu}); }).grid,
            extent3(3));
  expect_all_work_is_done();
}

TEST(environment, a_smaller_team_does_all_the_work) {
  NEEDS("OMP_THREAD_LIMIT", "2");
  expect_all_work_is_done();
}

TEST(environment, a_dynamic_team_does_all_the_work) {
  NEEDS("OMP_DYNAMIC", "true");
  expect_all_work_is_done();
}

std::vector<long long> ranks_in_order(const policy& p) {
  shared_data<long long> ranks(4 * 8, -1);
  shared_data<unsigned> next(1);
  amphi::launch<switched::write_rank>(p, ranks.data(), next.data());
  return ranks.on_host();
}

TEST(environment, order_permutes_blocks_and_threads) {
  NEEDS("AMPHI_ORDER", "reverse");
  const policy p{.grid = 4, .block = 8, .backend = backend::cpu, .workers = 1};
  std::vector<long long> forward(32), reverse(32);
  for (std::size_t i = 0; i < 32; ++i) forward[i] = static_cast<long long>(i), reverse[i] = 31 - forward[i];
  EXPECT_TRUE(same_bits(ranks_in_order(p), reverse));
  policy explicit_order = p;
  explicit_order.order = amphi::thread_order::forward;
  EXPECT_TRUE(same_bits(ranks_in_order(explicit_order), forward)) << "a policy beats the environment";
}

TEST(environment, random_order_is_a_permutation_of_its_seed) {
  NEEDS("AMPHI_ORDER", "random:12");
  const policy p{.grid = 4, .block = 8, .backend = backend::cpu, .workers = 1};
  std::vector<long long> got = ranks_in_order(p), forward(32);
  for (std::size_t i = 0; i < 32; ++i) forward[i] = static_cast<long long>(i);
  EXPECT_TRUE(same_bits(ranks_in_order(p), got)) << "the same each time";
  EXPECT_FALSE(same_bits(got, forward));
  std::sort(got.begin(), got.end());
  EXPECT_TRUE(same_bits(got, forward));
}

TEST(environment, limits_are_those_of_another_device) {
  NEEDS("AMPHI_LIMITS", "sm_75");
  const policy good{.grid = 1, .block = 32, .shared_bytes = 65536, .backend = backend::cpu};
  EXPECT_NO_THROW(amphi::launch<switched::nothing>(good));
  policy bad = good;
  bad.shared_bytes = 65537;
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] { amphi::launch<switched::nothing>(bad); }),
                   {"65537", "sm_75", "65536"}));
}

TEST(environment, break_stops_at_the_thread) {
  NEEDS("AMPHI_BREAK", "2:17");
  const auto signal_of = [](const policy& p) {
    const pid_t child = fork();
    if (child == 0) {
      amphi::launch<switched::nothing>(p);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  };
  EXPECT_EQ(signal_of({.grid = 3, .block = 18, .backend = backend::cpu}), SIGTRAP);
  EXPECT_EQ(signal_of({.grid = 3, .block = {6, 3}, .backend = backend::cpu}), SIGTRAP) << "linear in 2-D too";
  EXPECT_EQ(signal_of({.grid = 2, .block = 18, .backend = backend::cpu}), 0) << "no such block";
  EXPECT_EQ(signal_of({.grid = 3, .block = 17, .backend = backend::cpu}), 0) << "no such thread";
}

TEST(environment, a_bad_value_is_an_error_at_each_use) {
  NEEDS("AMPHI_WORKERS", "many");
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(says(message_of<amphi::error>([] { amphi::launch<switched::nothing>(); }),
                     {"AMPHI_WORKERS=many", "1 … 4096"}));
}

TEST(environment, trace_and_profile_print) {
  if (variable("AMPHI_TRACE") != "1" && variable("AMPHI_PROFILE") != "1") GTEST_SKIP() << "without trace";
  amphi::launch<switched::nothing>({.grid = {3, 2}, .block = 8, .shared_bytes = 48});
  amphi::launch<switched::nothing>({.grid = {3, 2}, .block = 8, .shared_bytes = 48});
  amphi::parallel_for<switched::count>(0, 0, nullptr);  // no launch
}

}  // namespace
