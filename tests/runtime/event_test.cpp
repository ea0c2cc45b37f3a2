// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/event.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/backend.hpp"

namespace {

static_assert(!std::is_copy_constructible_v<amphi::event> &&
              std::is_nothrow_move_constructible_v<amphi::event>);

TEST(event, made_by_default_is_reached) {
  const amphi::event e;
  EXPECT_TRUE(e.ready());
  e.synchronize();
  EXPECT_EQ(e.native(), nullptr);
}

TEST(event, moves) {
  amphi::event a = amphi::stream_view().record();
  CUevent_st* const handle = a.native();
  amphi::event b(std::move(a));
  EXPECT_EQ(b.native(), handle);
  a = std::move(b);
  EXPECT_EQ(a.native(), handle);
  a.synchronize();
  EXPECT_TRUE(a.ready());
}

AMPHI_LAUNCHABLE void churn(int n, int rounds, amphi::view<unsigned> x) {
  for (const int i : amphi::grid_stride_range(0, n)) {
    unsigned v = static_cast<unsigned>(i);
    for (int r = 0; r < rounds; ++r) v = v * 1664525u + 1013904223u;
    x[i] = v;
  }
}

TEST(event, elapsed_time_grows_with_the_work) {
  constexpr int n = 1 << 16;
  amphi::array<unsigned> x(n);
  const amphi::stream s;
  amphi::launch<churn>({.stream = s}, n, 1, x.write({.stream = s}));
  const auto time_of = [&](int rounds) {
    const amphi::event before = s.record();
    amphi::launch<churn>({.stream = s}, n, rounds, x.write({.stream = s}));
    const amphi::event after = s.record();
    return amphi::elapsed(before, after);
  };
  const std::chrono::duration<double, std::milli> little = time_of(10), much = time_of(4000);
  EXPECT_GE(little.count(), 0.0);
  EXPECT_GT(much, little);
}

TEST(event, time_runs_forward) {
  const amphi::event first = amphi::stream_view().record();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const amphi::event second = amphi::stream_view().record();
  EXPECT_GT(amphi::elapsed(first, second).count(), 0.0);
  EXPECT_LT(amphi::elapsed(second, first).count(), 0.0);
  if (amphi::backend_in_use() == amphi::backend::cpu) {
    EXPECT_GE(amphi::elapsed(first, second), std::chrono::milliseconds(5));
  }
}

}  // namespace
