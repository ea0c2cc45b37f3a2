// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// What a failed block leaves behind: nothing. Each kernel here fails in a way of its own; what its threads
// see while they are unwound, and what the next launch on the same worker sees, must be right.
#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/warp.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

// On whatever way its destructor runs, the thread is the one that it was.
struct knows_its_thread {
  unsigned thread;
  std::atomic<int>* wrong;
  ~knows_its_thread() {
    if (amphi::thread_index().x != thread) ++*wrong;
  }
};

struct synchronises {
  ~synchronises() { amphi::this_block().sync(); }
};

struct throws_on_seven {
  int operator()(int a, int b) const {
    if (a == 7 || b == 7) throw std::runtime_error("seven");
    return a + b;
  }
};

inline void one_throws_while_others_vote() {
  if (amphi::thread_index().x == 3) throw std::runtime_error("three");
  (void)amphi::this_block().sync_count(true);
}

// Its threads wait at two barriers, and can't be unwound.
inline void copies_and_stays(const int* in, int* out) noexcept {
  const unsigned t = amphi::thread_index().x;
  out[t] = in[t];
  if (t < 32) {
    amphi::this_block().sync();
  } else {
    amphi::this_block().sync();
  }
}

inline void votes(int* count, int* all) {
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x;
  count[t] = block.sync_count(t % 2 == 0);
  all[t] = block.sync_and(t != 0);
}

inline void operator_throws_after_some_have_returned() {
  const unsigned t = amphi::thread_index().x;
  if (t % 32 == 0) return;
  (void)amphi::this_warp().reduce(t == 5 || t == 40 ? 7 : 0, throws_on_seven{});
}

// The barrier that they meet is another one than that of the first four threads.
inline void destructors_meet_another_barrier() {
  const unsigned t = amphi::thread_index().x;
  if (t >= 4) {
    const synchronises s;
    throw static_cast<int>(t);
  }
  amphi::this_block().sync();
}

struct votes_with_its_warp {
  ~votes_with_its_warp() { (void)amphi::this_warp().any(true); }
};

inline void destructors_meet_a_warp_operation() {
  const unsigned t = amphi::thread_index().x;
  if (t >= 4) {
    const votes_with_its_warp v;
    throw static_cast<int>(t);
  }
  amphi::this_block().sync();
}

inline void one_throws_while_another_is_unwound() {
  const unsigned t = amphi::thread_index().x;
  if (t == 6) throw 6;
  if (t == 2) {
    const synchronises s;
    throw 2;
  }
  amphi::this_block().sync();
}

// The exception ends in the kernel; what comes after it follows from the failure.
inline void throws_because_the_block_has_failed(std::atomic<int>* caught) {
  if (amphi::thread_index().x < 4) return amphi::this_block().sync();
  try {
    const synchronises s;
    throw 1;
  } catch (int) {
    ++*caught;
  }
  try {
    amphi::this_block().sync();
  } catch (...) {
    throw std::runtime_error("no barrier");
  }
}

struct synchronises_for_ever {
  ~synchronises_for_ever() {
    for (;;) amphi::this_block().sync();
  }
};

inline void destructors_never_end() {
  if (amphi::thread_index().x >= 4) {
    const synchronises_for_ever s;
    throw 1;
  }
  amphi::this_block().sync();
}

// Two barriers, so that no thread comes to the end.
inline void parts_at_barriers(std::atomic<int>* ended) {
  if (amphi::thread_index().x >= 4) {
    amphi::this_block().sync();
  } else {
    (void)amphi::this_block().sync_count(true);
  }
  ++*ended;
}

// Launches while an exception of the caller's is in flight.
struct launches {
  const amphi::policy* policy;
  std::atomic<int>* ended;
  bool* failed;
  ~launches() {
    try {
      amphi::launch<parts_at_barriers>(*policy, ended);
    } catch (const amphi::barrier_error&) {
      *failed = true;
    }
  }
};

inline void count_uncaught(int* out) {
  amphi::this_block().sync();
  out[amphi::thread_index().x] = std::uncaught_exceptions();
}

[[gnu::noinline]] inline void waits_and_may_not_throw() noexcept { amphi::this_block().sync(); }

inline void some_can_not_be_unwound(std::atomic<int>* wrong) {
  const unsigned t = amphi::thread_index().x;
  const knows_its_thread k{t, wrong};
  if (t % 2 == 1) {
    waits_and_may_not_throw();
  } else {
    amphi::this_block().sync();
  }
}

inline void goes_on_after_a_bad_lane() {
  const unsigned t = amphi::thread_index().x;
  if (t == 1) return;
  try {
    (void)amphi::this_warp().shuffle(t, 1);
  } catch (const amphi::barrier_error&) {
  }
  // clang-format off
  if (t == 2) { amphi::this_block().sync(); } else { amphi::this_block().sync_count(true); }
  // clang-format on
}

inline void waits() { amphi::this_block().sync(); }

}  // namespace kernels

namespace {

std::vector<amphi::policy> policies(int block) {
  std::vector<amphi::policy> all;
  for (const amphi::thread_order order :
       {amphi::thread_order::forward, amphi::thread_order::reverse, amphi::thread_order::random(3)}) {
    amphi::policy p{.grid = 1, .block = block, .backend = amphi::backend::cpu, .workers = 1};
    p.order = order;
    all.push_back(p);
  }
  return all;
}

}  // namespace

TEST(AfterFailure, VotesAreForgotten) {
  for (const amphi::policy& p : policies(4)) {
    EXPECT_THROW(amphi::launch<kernels::one_throws_while_others_vote>(p), std::runtime_error);
    std::vector<int> count(4, -1), all(4, -1);
    amphi::launch<kernels::votes>(p, count.data(), all.data());
    EXPECT_EQ(count, std::vector<int>(4, 2));
    EXPECT_EQ(all, std::vector<int>(4, 0));
  }
}

TEST(AfterFailure, OperatorsOfLanesThatStillWaitMayThrow) {
  for (const amphi::policy& p : policies(64))
    EXPECT_THROW(amphi::launch<kernels::operator_throws_after_some_have_returned>(p), std::runtime_error);
}

TEST(AfterFailure, NoExceptionIsInFlight) {
  // Nobody can free what a thread was throwing that can't be unwound; LeakSanitizer says so.
  if (AMPHI_ASAN) GTEST_SKIP() << "exceptions in flight of such threads stay allocated";
  for (const amphi::policy& p : policies(8)) {
    EXPECT_THROW(amphi::launch<kernels::destructors_never_end>(p), amphi::barrier_error);
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<int> uncaught(8, -1);
      amphi::launch<kernels::count_uncaught>(p, uncaught.data());
      EXPECT_EQ(uncaught, std::vector<int>(8, 0));
    }
  }
}

// What a thread was throwing when its block failed reaches the caller.
TEST(AfterFailure, ExceptionsThatDestructorsHoldUpAreKept) {
  const auto thrown = [](const auto& launch) {
    try {
      launch();
    } catch (int thread) {
      return thread;
    }
    return -1;
  };
  for (const amphi::policy& p : policies(8)) {
    EXPECT_EQ(thrown([&] { amphi::launch<kernels::destructors_meet_another_barrier>(p); }), 4);
    EXPECT_EQ(thrown([&] { amphi::launch<kernels::destructors_meet_a_warp_operation>(p); }), 4);
    EXPECT_EQ(thrown([&] { amphi::launch<kernels::one_throws_while_another_is_unwound>(p); }), 2);
  }
}

TEST(AfterFailure, WhatFollowsFromTheFailureIsNotKept) {
  for (const amphi::policy& p : policies(8)) {
    std::atomic<int> caught{0};
    EXPECT_THROW(amphi::launch<kernels::throws_because_the_block_has_failed>(p, &caught),
                 amphi::barrier_error);
    EXPECT_EQ(caught, 4);
  }
}

TEST(AfterFailure, ExceptionsOfTheCallerAreNotTheThreads) {
  for (const amphi::policy& p : policies(8)) {
    std::atomic<int> ended{0};
    bool failed = false;
    try {
      const kernels::launches l{&p, &ended, &failed};
      throw 1;
    } catch (int) {
    }
    EXPECT_TRUE(failed);
    EXPECT_EQ(ended, 0);
  }
}

TEST(AfterFailure, DestructorsRunInTheirThread) {
  for (const amphi::policy& p : policies(8)) {
    std::atomic<int> wrong{0};
    EXPECT_THROW(amphi::launch<kernels::some_can_not_be_unwound>(p, &wrong), amphi::barrier_error);
    EXPECT_EQ(wrong, 0);
  }
}

TEST(AfterFailure, ABadLaneIsNoLongerPartOfTheReport) {
  for (const amphi::policy& p : policies(4)) {
    const std::string text =
        message_of<amphi::barrier_error>([&] { amphi::launch<kernels::goes_on_after_a_bad_lane>(p); });
    EXPECT_NE(text.find("threads wait at different barriers"), std::string::npos) << text;
    EXPECT_EQ(text.find("warp operation"), std::string::npos) << text;
    EXPECT_NE(text.find("1 thread at block.sync() at "), std::string::npos) << text;
    EXPECT_NE(text.find("2 threads at block.sync_count() at "), std::string::npos) << text;
  }
}

// Under ThreadSanitizer: what a thread did that was given up, it did before the launch failed.
TEST(AfterFailure, ThreadsThatWereGivenUpAreOver) {
  std::vector<int> in(64, 1), out(64, 0);
  for (int round = 1; round < 4; ++round) {
    EXPECT_THROW(amphi::launch<kernels::copies_and_stays>(cpu_block(1, 64), in.data(), out.data()),
                 amphi::barrier_error);
    EXPECT_EQ(out, std::vector<int>(64, round));
    for (int& e : in) e = round + 1;
  }
}

// OS threads that have run large blocks and live on without work do not keep the stacks of the process.
TEST(AfterFailure, IdleThreadsKeepNoStacksThatOthersNeed) {
  if (AMPHI_TSAN || AMPHI_ASAN) GTEST_SKIP() << "a sanitizer's stacks are too large for so many";
  std::atomic<bool> end{false};
  std::vector<std::thread> idle;
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i) {
    idle.emplace_back([&] {
      amphi::launch<kernels::waits>({.grid = 1, .block = 1024, .backend = amphi::backend::cpu, .workers = 1});
      ++done;
      while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    while (done <= i) std::this_thread::yield();
  }
  EXPECT_NO_THROW(amphi::launch<kernels::waits>(
      {.grid = 1, .block = 1024, .backend = amphi::backend::cpu, .workers = 1}));
  end = true;
  for (std::thread& t : idle) t.join();
}
