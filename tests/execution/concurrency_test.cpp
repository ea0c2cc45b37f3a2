// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "support/paths.hpp"

using namespace amphi_test;

namespace {

// Distinct launchables with 3000 bytes of captures.
template <int Id>
struct large_functor {
  int values[748];
  long long* out;
  AMPHI_HOST_DEVICE void operator()(int i) const { out[i] = values[i % 748] + Id; }
};

constexpr int launches = 1000, elements = 64;

template <int Id>
void launch_many(std::atomic<int>& wrong) {
  large_functor<Id> body{};
  shared_data<long long> out(elements, -1);
  body.out = out.data();
  amphi::stream own;
  for (int k = 0; k < launches; ++k) {
    for (int i = 0; i < 748; ++i) body.values[i] = Id * 1000000 + k * 1000 + i;
    policy p{.stream = own, .workers = 2};
    if (k % 2 == 1) p.grid = 3, p.block = 32;
    amphi::parallel_for(p, 0, elements, body);
    own.synchronize();
    for (int i = 0; i < elements; ++i)
      if (out.data()[i] != body.values[i] + Id) ++wrong;
  }
}

template <int... Id>
int launch_from_threads(std::integer_sequence<int, Id...>) {
  std::atomic<int> wrong{0};
  std::array<std::thread, sizeof...(Id)> threads{std::thread([&wrong] { launch_many<Id>(wrong); })...};
  for (std::thread& t : threads) t.join();
  return wrong;
}

TEST(concurrency, sixteen_threads_launch_a_thousand_times) {
  EXPECT_EQ(launch_from_threads(std::make_integer_sequence<int, 16>()), 0);
}

template <int Id>
struct throws_its_own {
  AMPHI_HOST_DEVICE void operator()(int i) const {
    (void)i;
#if !AMPHI_DEVICE_CODE
    if (i == 37) throw Id;
#endif
  }
};

// Each thread gets its own launch's exception.
template <int Id>
void catch_many(std::atomic<int>& right) {
  for (int k = 0; k < 100; ++k) {
    try {
      amphi::parallel_for({.backend = backend::cpu, .workers = 2}, 0, 1000, throws_its_own<Id>{});
    } catch (int id) {
      right += id == Id;
    }
  }
}

TEST(concurrency, exceptions_reach_their_own_caller) {
  std::atomic<int> right{0};
  std::array<std::thread, 3> threads{std::thread([&] { catch_many<1>(right); }),
                                     std::thread([&] { catch_many<2>(right); }),
                                     std::thread([&] { catch_many<3>(right); })};
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 300);
}

// Which of the system's threads each worker is.
AMPHI_LAUNCHABLE void note_workers(long* threads) {
#if !AMPHI_DEVICE_CODE
  threads[amphi::global_thread_index()] = syscall(SYS_gettid);
#endif
}

// OpenMP ends the threads that a smaller team leaves out; launches of few elements between large ones must
// not make them anew each time.
TEST(concurrency, a_smaller_launch_keeps_the_other_workers) {
  constexpr backend cpu = backend::cpu;
  std::vector<long> first(4, 0), again(4, 0), exact(2, 0);
  amphi::launch<note_workers>({.backend = cpu, .workers = 4}, first.data());
  if (std::find(first.begin(), first.end(), 0) != first.end()) GTEST_SKIP() << "OpenMP gives fewer threads";
  for (int i = 0; i < 5; ++i) {
    std::vector<long> few(4, 0);
    amphi::launch<note_workers>({.backend = cpu, .workers = 2}, few.data());
    EXPECT_EQ(few, (std::vector<long>{first[0], first[1], 0, 0}));
    amphi::launch<note_workers>({.grid = 2, .block = 1, .backend = cpu, .workers = 4}, exact.data());
    EXPECT_EQ(std::count(exact.begin(), exact.end(), 0), 0);
    amphi::launch<note_workers>({.backend = cpu, .workers = 4}, again.data());
    EXPECT_EQ(again, first);
  }
}

// The shared memory limit is raised once, whoever comes first.
AMPHI_LAUNCHABLE void with_shared_memory() {}

TEST(concurrency, two_threads_ask_for_large_shared_memory) {
  std::atomic<int> refused{0};
  const auto launch = [&] {
    for (const int bytes : {0, 49151, 49152, 49153, 65536})
      amphi::launch<with_shared_memory>({.grid = 2, .block = 32, .shared_bytes = bytes});
    try {
      amphi::launch<with_shared_memory>({.grid = 2, .block = 32, .shared_bytes = 1 << 20});
    } catch (const amphi::launch_error&) {
      ++refused;
    }
    amphi::synchronize();
  };
  std::thread other(launch);
  launch();
  other.join();
  EXPECT_EQ(refused, 2);
}

#if !AMPHI_TSAN  // which refuses a child of a process with threads
struct count_index {
  unsigned* counts;
  AMPHI_HOST_DEVICE void operator()(int i) const { ++counts[i]; }
};

// In a forked child the OpenMP runtime has lost its threads; the work must be done all the same.
int status_of_child(bool launch_before) {
  if (launch_before) {
    std::vector<unsigned> warm(1000, 0u);
    amphi::parallel_for({.backend = backend::cpu, .workers = 4}, 0, 1000, count_index{warm.data()});
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a hang ends as a failure
    std::vector<unsigned> counts(1000, 0u);
    amphi::parallel_for({.backend = backend::cpu, .workers = 4}, 0, 1000, count_index{counts.data()});
    amphi::parallel_for({.grid = 7, .block = 32, .backend = backend::cpu}, 0, 1000,
                        count_index{counts.data()});
    _exit(counts == std::vector<unsigned>(1000, 2u) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(concurrency, a_forked_child_does_its_work) {
  EXPECT_EQ(status_of_child(true), 0);
  EXPECT_EQ(status_of_child(false), 0);
}
#endif

}  // namespace
