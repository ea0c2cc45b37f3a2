// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/launch_observer.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/settings.hpp"
#include "support/paths.hpp"

using namespace amphi_test;
using amphi::extent3;
using amphi::launch_record;

namespace observed {

AMPHI_LAUNCHABLE void function() {}
AMPHI_LAUNCHABLE void indexed(int) noexcept {}

template <class T, int N>
AMPHI_LAUNCHABLE void templated(T) {}

struct functor {
  AMPHI_HOST_DEVICE void operator()() const {}
};

struct element_functor {
  AMPHI_HOST_DEVICE void operator()(int) const {}
};

template <class T>
struct templated_functor {
  AMPHI_HOST_DEVICE void operator()() const {}
};

inline void launch_lambda() {
  amphi::launch([] AMPHI_LAMBDA() {});
}

inline void loop_over_lambda() {
  amphi::parallel_for(0, 10, [] AMPHI_LAMBDA(int) {});
}

}  // namespace observed

namespace {

AMPHI_LAUNCHABLE void in_anonymous_namespace() {}

struct seen {
  std::string kernel;
  backend where;
  extent3 grid, block;
  std::int64_t shared_bytes;
  bool finished;
  double milliseconds;
};

// Records what is launched while it lives.
class recorder {
 public:
  explicit recorder(bool measure = false) {
    amphi::set_launch_observer(
        [](const launch_record& r, void* user) {
          static_cast<recorder*>(user)->records.push_back(
              {r.kernel, r.backend, r.grid, r.block, r.shared_bytes, r.finished, r.milliseconds});
        },
        this, measure);
  }
  ~recorder() { amphi::set_launch_observer(nullptr); }
  std::vector<seen> records;
};

template <class Launch>
std::string name_of(const Launch& launch) {
  recorder r;
  launch();
  EXPECT_EQ(r.records.size(), 2u);
  return r.records.empty() ? std::string() : r.records.back().kernel;
}

TEST(launch_observer, sees_a_launch_before_and_after) {
  recorder r;
  amphi::launch<observed::function>({.grid = {3, 2},
                                     .block = {8, 4, 2},
                                     .shared_bytes = 100,
                                     .shared_bytes_per_thread = 4,
                                     .backend = backend::cpu});
  ASSERT_EQ(r.records.size(), 2u);
  for (const seen& s : r.records) {
    EXPECT_EQ(s.kernel, "observed::function");
    EXPECT_EQ(s.where, backend::cpu);
    EXPECT_EQ(s.grid, extent3(3, 2));
    EXPECT_EQ(s.block, extent3(8, 4, 2));
    EXPECT_EQ(s.shared_bytes, 100 + 4 * 64);
  }
  EXPECT_FALSE(r.records[0].finished);
  EXPECT_EQ(r.records[0].milliseconds, -1);
  EXPECT_TRUE(r.records[1].finished);
  EXPECT_GE(r.records[1].milliseconds, 0);
}

TEST(launch_observer, sees_what_was_chosen) {
  recorder r(true);
  amphi::launch<observed::function>();
  amphi::launch<observed::function>({.grid = 5});
  amphi::launch<observed::function>({.block = 96});
  amphi::launch<observed::function>(amphi::serial);
  ASSERT_EQ(r.records.size(), 8u);
  for (const seen& s : r.records) {
    EXPECT_EQ(s.where, amphi::backend_in_use());
    EXPECT_GE(s.grid.size(), 1);
    EXPECT_GE(s.block.size(), 1);
    EXPECT_EQ(s.milliseconds >= 0, s.finished);
  }
  EXPECT_EQ(r.records[2].grid, extent3(5));
  EXPECT_EQ(r.records[4].block, extent3(96));
  EXPECT_EQ(r.records[6].grid, extent3(1));
  EXPECT_EQ(r.records[6].block, extent3(1));
}

TEST(launch_observer, sees_how_the_cpu_spreads_work) {
  recorder r;
  amphi::launch<observed::function>({.backend = backend::cpu, .workers = 3});
  amphi::parallel_for<observed::indexed>({.backend = backend::cpu, .workers = 3}, 0, 2);
  amphi::parallel_for<observed::indexed>({.grid = 7, .backend = backend::cpu}, 0, 2);
  amphi::parallel_for<observed::indexed>({.block = 100, .backend = backend::cpu, .workers = 9}, 0, 250);
  ASSERT_EQ(r.records.size(), 8u);
  EXPECT_EQ(r.records[0].grid, extent3(3));
  EXPECT_EQ(r.records[0].block, extent3(1));
  EXPECT_EQ(r.records[2].grid, extent3(2)) << "no worker without work";
  EXPECT_EQ(r.records[4].grid, extent3(7));
  EXPECT_EQ(r.records[4].block, extent3(256));
  EXPECT_EQ(r.records[6].grid, extent3(3));
}

TEST(launch_observer, names_functions) {
  EXPECT_EQ(name_of([] { amphi::launch<observed::function>(); }), "observed::function");
  EXPECT_EQ(name_of([] { amphi::launch<&observed::function>(); }), "observed::function");
  EXPECT_EQ(name_of([] { amphi::parallel_for<observed::indexed>(0, 5); }), "observed::indexed");
  // clang++ 14 leaves the template arguments out.
  EXPECT_TRUE(
      says(name_of([] { amphi::launch<observed::templated<float, 3>>(1.0f); }), {"observed::templated"}));
  const std::string hidden = name_of([] { amphi::launch<in_anonymous_namespace>(); });
  EXPECT_TRUE(says(hidden, {"in_anonymous_namespace"}));
  EXPECT_LT(hidden.size(), 60u) << hidden;
}

TEST(launch_observer, names_bodies) {
  EXPECT_EQ(name_of([] { amphi::launch(observed::functor{}); }), "observed::functor");
  EXPECT_EQ(name_of([] { amphi::parallel_for(0, 5, observed::element_functor{}); }),
            "observed::element_functor");
  EXPECT_EQ(name_of([] { amphi::launch(observed::templated_functor<double>{}); }),
            "observed::templated_functor<double>");
  // A lambda is named by its function or, with clang++, by its place.
  const std::string lambda = name_of(observed::launch_lambda), other = name_of(observed::loop_over_lambda);
  for (const std::string& name : {lambda, other}) {
    EXPECT_TRUE(says(name, {"lambda"}));
    EXPECT_TRUE(says(name, {"_lambda"}) || says(name, {"launch_observer_test.cpp:"})) << name;
    EXPECT_EQ(name.find("__nv"), std::string::npos) << name;
  }
  EXPECT_NE(lambda, other);
}

struct throws_on_the_cpu {
  AMPHI_HOST_DEVICE void operator()() const {
#if !AMPHI_DEVICE_CODE
    throw std::runtime_error("body");
#endif
  }
};

TEST(launch_observer, sees_the_end_of_a_launch_that_throws) {
  recorder r;
  EXPECT_THROW(amphi::launch({.grid = 2, .backend = backend::cpu}, throws_on_the_cpu{}), std::runtime_error);
  ASSERT_EQ(r.records.size(), 2u);
  EXPECT_TRUE(r.records[1].finished);
  EXPECT_THROW(amphi::launch({.grid = 0}, throws_on_the_cpu{}), amphi::launch_error);
  EXPECT_EQ(r.records.size(), 2u) << "a refused launch is none";
}

TEST(launch_observer, is_gone_when_taken_away) {
  std::size_t before = 0;
  {
    recorder r;
    amphi::launch<observed::function>();
    before = r.records.size();
  }
  amphi::launch<observed::function>();
  EXPECT_EQ(before, 2u);
}

int count = 0;

TEST(launch_observer, may_change_while_others_launch) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) amphi::launch<observed::function>(amphi::serial);
    });
  for (int i = 0; i < 500; ++i) {
    amphi::set_launch_observer(
        [](const launch_record&, void*) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); });
    amphi::set_launch_observer(nullptr);
  }
  for (std::thread& t : threads) t.join();
  EXPECT_GE(count, 0);
}

}  // namespace
