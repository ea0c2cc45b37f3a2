// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// What the CPU finds in a kernel, and how kernels end that fail.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

constexpr int first_line = __LINE__ + 4, second_line = __LINE__ + 6;
AMPHI_LAUNCHABLE void diverges(int limit, int* out) {
  const int t = static_cast<int>(amphi::thread_index().x);
  if (t < limit) {
    amphi::this_block().sync();
  } else {
    amphi::this_block().sync();
  }
  out[amphi::global_thread_index()] = t;
}

AMPHI_LAUNCHABLE void diverges_no_throw(int limit, int* out) noexcept { diverges(limit, out); }

AMPHI_LAUNCHABLE void good(int* out) {
  AMPHI_SHARED(s, int[64]);
  const unsigned t = amphi::thread_index().x;
  s[t] = static_cast<int>(t);
  amphi::this_block().sync();
  out[64 * amphi::block_index().x + t] = s[63 - t];
}

// Other kinds of barriers at one line of one helper are other barriers.
AMPHI_LAUNCHABLE void different_calls(int* out) {
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x;
  // clang-format off
  if (t % 2 == 0) { block.sync(); } else { out[t] = block.sync_count(true); }
  // clang-format on
}

AMPHI_LAUNCHABLE void loop_diverges(int* out) {
  const auto block = amphi::this_block();
  const int t = static_cast<int>(amphi::thread_index().x);
  for (int i = 0; i < 3 + t / 16; ++i) block.sync();
  out[t] = 1;
}

}  // namespace kernels

namespace {

// Counts objects that live on the stacks of threads.
std::atomic<int> alive{0};
struct counted {
  counted() { ++alive; }
  ~counted() { --alive; }
};

AMPHI_LAUNCHABLE void check_good_kernel() {
  shared_data<int> out(128, -1);
  amphi::launch<kernels::good>(cpu_block(2, 64), out.data());
  for (int i = 0; i < 128; ++i) ASSERT_EQ(out.on_host()[static_cast<std::size_t>(i)], 63 - i % 64);
}

}  // namespace

TEST(Engine, DivergentBarriersAreNamed) {
  shared_data<int> out(100, -1);
  const std::string text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::diverges>(cpu_block(1, 100), 32, out.data()); });
  EXPECT_TRUE(
      says(text, {"kernels::diverges", "block (0, 0, 0)", "32 threads at block.sync()",
                  "engine_test.cpp:" + std::to_string(kernels::first_line), "(0, 0, 0) … (31, 0, 0)",
                  "68 threads at block.sync()", "engine_test.cpp:" + std::to_string(kernels::second_line),
                  "(32, 0, 0) … (99, 0, 0)"}));
  EXPECT_EQ(out.on_host(), std::vector<int>(100, -1));
  check_good_kernel();
}

TEST(Engine, DivergenceIsFoundInEveryOrder) {
  for (const path& p : block_paths(3, 48)) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    shared_data<int> out(144, -1);
    for (int limit : {1, 17, 47}) {
      const std::string text = message_of<amphi::barrier_error>(
          [&] { amphi::launch<kernels::diverges>(p.policy, limit, out.data()); });
      EXPECT_TRUE(says(text, {"block (0, 0, 0)", std::to_string(48 - limit) + " thread"}));
    }
    // All threads on one side: nothing is wrong.
    amphi::launch<kernels::diverges>(p.policy, 0, out.data());
    amphi::launch<kernels::diverges>(p.policy, 48, out.data());
  }
}

TEST(Engine, DifferentCallsAtOneLineDiffer) {
  shared_data<int> out(64, -1);
  const std::string text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::different_calls>(cpu_block(1, 64), out.data()); });
  EXPECT_TRUE(says(
      text, {"32 threads at block.sync()", "32 threads at block.sync_count()", "(0, 0, 0), (2, 0, 0)", "…"}));
}

TEST(Engine, ThreadsThatLeaveALoopCountAsArrived) {
  shared_data<int> out(64, -1);
  amphi::launch<kernels::loop_diverges>(cpu_block(1, 64), out.data());
  EXPECT_EQ(out.on_host(), std::vector<int>(64, 1));
}

TEST(Engine, CancelledThreadsAreUnwound) {
  const auto body = [] {
    const counted local;
    if (amphi::thread_index().x < 10) {
      amphi::this_block().sync();
    } else {
      amphi::this_block().sync();
    }
  };
  EXPECT_THROW(amphi::launch(cpu_block(4, 64), body), amphi::barrier_error);
  EXPECT_EQ(alive, 0);
  check_good_kernel();
}

TEST(Engine, NoexceptKernelsAreAbandoned) {
  shared_data<int> out(700, -1);
  const std::string text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::diverges_no_throw>(cpu_block(1, 100), 32, out.data()); });
  EXPECT_TRUE(says(text, {"32 threads at block.sync()", "100 threads could not be unwound", "noexcept"}));
  check_good_kernel();
  // Again, on the stacks that were given up, and by several workers.
  for (int i = 0; i < 3; ++i)
    EXPECT_THROW(amphi::launch<kernels::diverges_no_throw>(cpu_block(7, 100), 32, out.data()),
                 amphi::barrier_error);
  check_good_kernel();
}

TEST(Engine, SwallowedCancellationIsThrownAgain) {
  std::atomic<int> swallowed{0};
  const auto body = [&] {
    const counted local;
    if (amphi::thread_index().x == 0) {
      amphi::this_block().sync();
      return;
    }
    for (int i = 0; i < 3; ++i) {
      try {
        amphi::this_block().sync();
      } catch (...) {
        ++swallowed;
      }
    }
  };
  EXPECT_THROW(amphi::launch(cpu_block(1, 8), body), amphi::barrier_error);
  EXPECT_EQ(swallowed, 7 * 3);
  EXPECT_EQ(alive, 0);
}

TEST(Engine, EndlessSwallowingDoesNotHang) {
  const auto body = [] {
    if (amphi::thread_index().x == 0) {
      amphi::this_block().sync();
      return;
    }
    for (;;) {
      try {
        amphi::this_block().sync();
      } catch (...) {
      }
    }
  };
  const std::string text = message_of<amphi::barrier_error>([&] { amphi::launch(cpu_block(1, 8), body); });
  EXPECT_TRUE(says(text, {"7 threads could not be unwound"}));
  check_good_kernel();
}

TEST(Engine, ExceptionWhileOthersWait) {
  for (const path& p : block_paths(3, 64)) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    std::atomic<int> reached{0};
    const auto body = [&] {
      const counted local;
      amphi::this_block().sync();
      const unsigned t = amphi::thread_index().x, b = amphi::block_index().x;
      if (b >= 1 && (t == 37 || t == 12 || t == 60))
        throw std::runtime_error(std::to_string(b) + ":" + std::to_string(t));
      if (b == 1) ++reached;
      amphi::this_block().sync();
      if (b == 1) ++reached;
    };
    const std::string text = message_of<std::runtime_error>([&] { amphi::launch(p.policy, body); });
    EXPECT_EQ(text, "1:12");  // the lowest block, its first interval with a throw, the lowest thread
    EXPECT_EQ(reached, 61);   // the interval ran to its end, the next did not begin
    EXPECT_EQ(alive, 0);
  }
  check_good_kernel();
}

TEST(Engine, ExceptionOfTheFirstInterval) {
  // A thread that throws later in the order, but in an earlier interval, wins.
  const auto body = [] {
    const unsigned t = amphi::thread_index().x;
    if (t == 50) throw std::runtime_error("first");
    amphi::this_block().sync();
    if (t == 3) throw std::runtime_error("second");
  };
  EXPECT_EQ(message_of<std::runtime_error>([&] { amphi::launch(cpu_block(1, 64), body); }), "first");
}

TEST(Engine, ExceptionsBeatDivergence) {
  const auto body = [] {
    const unsigned t = amphi::thread_index().x;
    if (t == 20) throw std::runtime_error("mine");
    if (t < 10) {
      amphi::this_block().sync();
    } else {
      amphi::this_block().sync();
    }
  };
  EXPECT_EQ(message_of<std::runtime_error>([&] { amphi::launch(cpu_block(2, 64), body); }), "mine");
}

TEST(Engine, BarrierInsideCatchKeepsTheExceptionsApart) {
  shared_data<int> out(64, -1);
  int* const o = out.data();
  const auto body = [=] {
    const int t = static_cast<int>(amphi::thread_index().x);
    try {
      throw t;
    } catch (int caught) {
      amphi::this_block().sync();
      try {
        throw std::to_string(t);
      } catch (const std::string& s) {
        amphi::this_block().sync();
        if (s != std::to_string(t)) caught = -1;
      }
      amphi::this_block().sync();
      try {
        throw;
      } catch (int again) {
        o[t] = caught == again ? again : -2;
      }
    }
  };
  for (int i = 0; i < 2; ++i) {
    amphi::launch(cpu_block(1, 64), body);
    for (int t = 0; t < 64; ++t) EXPECT_EQ(out.on_host()[static_cast<std::size_t>(t)], t);
  }
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(Engine, LaunchesInsideKernels) {
  // A thread between two barriers launches a kernel that has barriers itself.
  std::vector<int> sums(16, 0);
  const auto body = [&] {
    const unsigned t = amphi::thread_index().x;
    amphi::this_block().sync();
    int inner[8] = {};
    amphi::launch(cpu_block(1, 8), [&] {
      const unsigned i = amphi::thread_index().x;
      inner[i] = static_cast<int>(i + t);
      amphi::this_block().sync();
      const int other = inner[7 - i];
      amphi::this_block().sync();
      inner[i] += 10 * other;
    });
    if (amphi::thread_index().x != t) throw std::runtime_error("another thread");
    amphi::this_block().sync();
    for (int v : inner) sums[t] += v;
  };
  amphi::launch(cpu_block(1, 16), body);
  for (int t = 0; t < 16; ++t) EXPECT_EQ(sums[static_cast<std::size_t>(t)], 11 * (28 + 8 * t));
}

TEST(Engine, SeveralHostThreads) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        std::vector<int> out(256, -1);
        amphi::policy p = cpu_block(4, 64);
        p.workers = 2;
        amphi::launch<kernels::good>(p, out.data());
        for (int j = 0; j < 256; ++j) wrong += out[static_cast<std::size_t>(j)] != 63 - j % 64;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

namespace kernels {
__attribute__((noinline)) static int eat_stack(int depth) {
  volatile char bytes[4096];
  bytes[0] = static_cast<char>(depth);
  if (depth == 0) return bytes[0];
  return eat_stack(depth - 1) + bytes[0];
}
}  // namespace kernels

TEST(Engine, StackOverflowIsExplained) {
  const auto body = [] {
    amphi::this_block().sync();
    if (amphi::thread_index().x == 5) (void)kernels::eat_stack(100000);
  };
  amphi::policy p = cpu_block(2, 8);
  p.workers = 1;
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(amphi::launch(p, body),
               "stack overflow in kernel .*, block \\(0, 0, 0\\), thread \\(5, 0, 0\\).* AMPHI_STACK=");
}

// On whichever stack: that of the first thread of a block is the caller's, others have their own; and on
// whichever thread of the host.
TEST(Engine, AThreadOfABlockMayEndTheProgram) {
  if (AMPHI_TSAN || AMPHI_ASAN) GTEST_SKIP() << "sanitizers report what such a program leaves behind";
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const int workers : {1, 3})
    for (const unsigned who : {0u, 3u, 31u})
      for (const int waits : {0, 1, 2})
        EXPECT_EXIT(
            {
              amphi::policy p = cpu_block(20, 32);
              p.workers = workers;
              amphi::launch(p, [=] {
                for (int i = 0; i < waits; ++i) amphi::this_block().sync();
                if (amphi::thread_index().x == who && amphi::block_index().x == 7) std::exit(5);
                amphi::this_block().sync();
              });
            },
            ::testing::ExitedWithCode(5), "")
            << workers << " workers, thread " << who << ", after " << waits << " barriers";
}

TEST(Engine, BigButFittingStacks) {
  shared_data<int> out(4, 0);
  int* const o = out.data();
  amphi::launch(cpu_block(1, 4), [=] {
    amphi::this_block().sync();
    volatile char bytes[32768];
    bytes[0] = 1;
    bytes[32767] = 2;
    amphi::this_block().sync();
    o[amphi::thread_index().x] = bytes[0] + bytes[32767];
  });
  EXPECT_EQ(out.on_host(), std::vector<int>(4, 3));
}
