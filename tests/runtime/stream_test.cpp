// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/stream.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/policy.hpp"

namespace {

static_assert(!std::is_copy_constructible_v<amphi::stream> &&
              std::is_nothrow_move_constructible_v<amphi::stream>);
static_assert(std::is_trivially_copyable_v<amphi::stream_view>);

bool on_gpu() { return amphi::backend_in_use() == amphi::backend::cuda; }

TEST(stream, has_a_handle_on_a_gpu_only) {
  const amphi::stream a, b;
  EXPECT_EQ(a.native() != nullptr, on_gpu());
  EXPECT_EQ(amphi::stream_view().native(), nullptr);
  if (on_gpu()) {
    EXPECT_NE(a.native(), b.native());
    EXPECT_FALSE(a.view() == b.view());
  }
  EXPECT_EQ(amphi::stream::per_thread().native() != nullptr, on_gpu());
}

TEST(stream, moves) {
  amphi::stream a;
  CUstream_st* const handle = a.native();
  amphi::stream b(std::move(a));
  EXPECT_EQ(b.native(), handle);
  EXPECT_EQ(a.native(), nullptr);
  amphi::stream c;
  c = std::move(b);
  EXPECT_EQ(c.native(), handle);
  amphi::stream& same = c;
  c = std::move(same);
  EXPECT_EQ(c.native(), handle);
  std::vector<amphi::stream> many;
  for (int i = 0; i < 20; ++i) many.emplace_back();
  many.erase(many.begin(), many.begin() + 10);
  for (const amphi::stream& s : many) s.synchronize();
}

TEST(stream, goes_into_a_policy) {
  const amphi::stream s;
  const amphi::policy p{.stream = s};
  EXPECT_EQ(p.stream.native(), s.native());
}

TEST(stream, waits_and_synchronises) {
  const amphi::stream a, b;
  const amphi::event e = a.record();
  b.wait(e);
  amphi::stream_view().wait(e);
  b.synchronize();
  EXPECT_TRUE(e.ready());
  amphi::stream_view().synchronize();
  amphi::stream::per_thread().synchronize();
  a.wait(amphi::event());
}

TEST(stream, belongs_to_the_device_it_was_made_on) {
  EXPECT_EQ(amphi::detail::device_of({}), -1);
  EXPECT_EQ(amphi::detail::device_of(amphi::stream::per_thread()), -1);
  const amphi::stream s;
  EXPECT_EQ(amphi::detail::device_of(s), on_gpu() ? amphi::current_device() : -1);
  if (amphi::device_count() < 2) GTEST_SKIP() << "the rest needs two GPUs";
  amphi::set_device(1);
  const amphi::stream other;
  amphi::set_device(0);
  EXPECT_EQ(amphi::detail::device_of(other), 1);
  other.record().synchronize();
  s.wait(other.record());
  s.synchronize();
  EXPECT_EQ(amphi::current_device(), 0);
}

}  // namespace
