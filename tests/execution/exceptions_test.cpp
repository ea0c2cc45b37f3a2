// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/core/expects.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "support/paths.hpp"

// Exceptions of bodies reach the caller of a launch on the CPU.

using namespace amphi_test;

namespace {

struct failed_at {
  std::int64_t where;
};

AMPHI_LAUNCHABLE void fail([[maybe_unused]] std::int64_t where) {
#if !AMPHI_DEVICE_CODE
  throw failed_at{where};
#endif
}

// Throws at each of three places of a range.
struct fail_at_indices {
  std::int64_t a, b, c;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    if (i == a || i == b || i == c) fail(i);
  }
};

template <class Launch>
std::int64_t failure_of(const Launch& launch) {
  try {
    launch();
  } catch (const failed_at& f) {
    return f.where;
  }
  ADD_FAILURE() << "no exception";
  return -1;
}

struct count {
  unsigned* counts;
  AMPHI_HOST_DEVICE void operator()(int i) const { ++counts[i]; }
};

// The whole machine works again: all workers, every path.
void expect_works() {
  EXPECT_EQ(amphi::global_thread_count(), 1);
  std::vector<unsigned> counts(1000, 0u);
  amphi::parallel_for({.backend = backend::cpu, .workers = 3}, 0, 1000, count{counts.data()});
  EXPECT_TRUE(same_bits(counts, std::vector<unsigned>(1000, 1u)));
}

TEST(exceptions, reach_the_caller) {
  for (const path& p : cpu_paths()) {
    SCOPED_TRACE(p.name);
    for (int repeat = 0; repeat < 20; ++repeat)
      ASSERT_EQ(failure_of([&] { amphi::parallel_for(p.policy, 0, 1000, fail_at_indices{37, -1, -1}); }), 37);
    expect_works();
  }
}

// In an automatic launch the chunks of the workers are in order, so the first place wins.
TEST(exceptions, of_three_places_the_first_wins_in_an_automatic_launch) {
  for (const int workers : {1, 2, 3, 7})
    for (int repeat = 0; repeat < 20; ++repeat) {
      const policy p{.backend = backend::cpu, .workers = workers};
      ASSERT_EQ(failure_of([&] { amphi::parallel_for(p, 0, 1000, fail_at_indices{990, 41, 500}); }), 41);
      ASSERT_EQ(failure_of([&] { amphi::parallel_for(p, 0, 1000, fail_at_indices{999, 998, 0}); }), 0);
    }
  expect_works();
}

// Every thread of some blocks throws its rank.
struct fail_in_blocks {
  unsigned first_block, first_thread;
  AMPHI_HOST_DEVICE void operator()() const {
    if (amphi::block_index().x >= first_block && amphi::thread_index().x >= first_thread)
      fail(amphi::global_thread_index());
  }
};

TEST(exceptions, of_an_exact_geometry_come_from_the_lowest_block_and_thread) {
  using amphi::thread_order;
  for (const int workers : {1, 3})
    for (const thread_order order : {thread_order::forward, thread_order::reverse, thread_order::random(3)})
      for (const unsigned block : {0u, 1u, 7u, 99u})
        for (const unsigned thread : {0u, 5u, 31u}) {
          const policy p{
              .grid = 100, .block = 32, .backend = backend::cpu, .workers = workers, .order = order};
          ASSERT_EQ(failure_of([&] {
                      amphi::launch(p, fail_in_blocks{block, thread});
                    }),
                    block * 32 + thread);
        }
  expect_works();
}

// Blocks below the one that threw always run, whole.
struct mark_and_fail {
  unsigned* ran;
  unsigned bad_block;
  AMPHI_HOST_DEVICE void operator()() const {
    ran[amphi::global_thread_index()] = 1;
    if (amphi::block_index().x == bad_block && amphi::thread_index().x == 2) fail(0);
  }
};

TEST(exceptions, let_lower_blocks_and_the_whole_block_run) {
  using amphi::thread_order;
  for (const thread_order order : {thread_order::forward, thread_order::reverse, thread_order::random(8)}) {
    std::vector<unsigned> ran(64 * 8, 0u);
    const policy p{.grid = 64, .block = 8, .backend = backend::cpu, .workers = 4, .order = order};
    EXPECT_THROW(amphi::launch(p, mark_and_fail{ran.data(), 40}), failed_at);
    for (std::size_t i = 0; i < 41 * 8; ++i) ASSERT_EQ(ran[i], 1u) << "thread " << i;
  }
}

struct fail_with_message {
  AMPHI_HOST_DEVICE void operator()(int i) const {
    (void)i;
#if !AMPHI_DEVICE_CODE
    if (i == 37) throw std::out_of_range("element 37 is bad");
#endif
  }
};

TEST(exceptions, keep_their_type_and_text) {
  EXPECT_EQ(message_of<std::out_of_range>([] {
              amphi::parallel_for({.backend = backend::cpu, .workers = 3}, 0, 1000, fail_with_message{});
            }),
            "element 37 is bad");
}

struct expects_small {
  AMPHI_HOST_DEVICE void operator()(int i) const { AMPHI_EXPECTS(i < 50, "the index must be small"); }
};

TEST(exceptions, of_a_condition_name_the_place) {
  const std::string text = message_of<amphi::bounds_error>(
      [] { amphi::parallel_for({.grid = 4, .block = 20, .backend = backend::cpu}, 0, 80, expects_small{}); });
  EXPECT_TRUE(says(text, {"the index must be small", "i < 50", "exceptions_test.cpp:", "expects_small",
                          "block (2, 0, 0), thread (10, 0, 0)"}));
  const std::string outside = message_of<amphi::bounds_error>([] { expects_small{}(50); });
  EXPECT_TRUE(says(outside, {"the index must be small"}));
  EXPECT_EQ(outside.find("block ("), std::string::npos) << outside;  // a path may hold the word
}

#if !AMPHI_CUDA_UNIT  // nvcc would compile the body for the device
TEST(exceptions, pass_through_nested_launches) {
  for (const path& p : cpu_paths()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(failure_of([&] {
                amphi::parallel_for(p.policy, 0, 10, [](int i) {
                  amphi::parallel_for({.backend = backend::cpu, .workers = 2}, 0, 10, [=](int j) {
                    if (i == 0 && j == 7) throw failed_at{107};
                  });
                });
              }),
              107);
    expect_works();
  }
  // Caught inside, it ends there.
  int caught = 0;
  amphi::parallel_for({.grid = 2, .block = 8, .backend = backend::cpu}, 0, 100, [&](int i) {
    try {
      amphi::parallel_for({.grid = 2, .block = 3}, 0, 10, [](int j) {
        if (j == 9) throw failed_at{9};
      });
    } catch (const failed_at& f) {
      if (f.where == 9 && i >= 0) __atomic_fetch_add(&caught, 1, __ATOMIC_RELAXED);
    }
  });
  EXPECT_EQ(caught, 100);
}
#endif

}  // namespace
