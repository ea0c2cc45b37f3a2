// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <type_traits>

namespace {

template <class E>
constexpr bool has_the_root = std::is_base_of_v<amphi::error, E>&& std::is_nothrow_copy_constructible_v<E>;

TEST(error, all_types_have_one_root) {
  static_assert(std::is_base_of_v<std::runtime_error, amphi::error>);
  static_assert(has_the_root<amphi::cuda_error> && has_the_root<amphi::device_error> &&
                has_the_root<amphi::launch_error> && has_the_root<amphi::barrier_error> &&
                has_the_root<amphi::bounds_error> && has_the_root<amphi::memory_error>);
}

TEST(error, keeps_text_and_code) {
  try {
    throw amphi::cuda_error(700, "an illegal address");
  } catch (const std::exception& e) {
    EXPECT_STREQ(e.what(), "an illegal address");
    EXPECT_EQ(dynamic_cast<const amphi::cuda_error&>(e).code(), 700);
  }
}

}  // namespace
