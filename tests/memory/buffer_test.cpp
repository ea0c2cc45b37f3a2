// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/buffer.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "amphi/runtime/stream.hpp"

namespace {

static_assert(!std::is_copy_constructible_v<amphi::buffer> &&
              std::is_nothrow_move_constructible_v<amphi::buffer>);

TEST(buffer, owns_bytes_of_a_space) {
  const amphi::buffer b(1003, amphi::memory_space::pinned);
  EXPECT_NE(b.data(), nullptr);
  EXPECT_EQ(b.bytes(), 1003u);
  EXPECT_EQ(b.space(), amphi::memory_space::pinned);
  EXPECT_EQ(b.as<int>().size(), 250u);
  EXPECT_EQ(static_cast<void*>(b.as<int>().data()), b.data());
  b.as<int>()[249] = 5;
  EXPECT_EQ(b.as<int>()[249], 5);
  EXPECT_EQ(amphi::buffer().data(), nullptr);
  EXPECT_EQ(amphi::buffer(0).data(), nullptr);
  EXPECT_EQ(amphi::buffer(8).space(), amphi::memory_space::device);
}

TEST(buffer, moves_and_swaps) {
  amphi::buffer a(64), b(32, amphi::memory_space::pageable);
  void* const of_a = a.data();
  void* const of_b = b.data();
  a.swap(b);
  EXPECT_EQ(b.data(), of_a);
  EXPECT_EQ(a.data(), of_b);
  EXPECT_EQ(a.space(), amphi::memory_space::pageable);
  amphi::buffer c(std::move(b));
  EXPECT_EQ(c.data(), of_a);
  EXPECT_EQ(b.data(), nullptr);
  EXPECT_EQ(b.bytes(), 0u);
  a = std::move(c);
  EXPECT_EQ(a.data(), of_a);
  EXPECT_EQ(a.bytes(), 64u);
}

}  // namespace
