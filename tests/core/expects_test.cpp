// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/expects.hpp"

#include <gtest/gtest.h>

#include <string>

#include "amphi/core/error.hpp"

namespace {

int checked_half(int i) {
  AMPHI_EXPECTS(i % 2 == 0, "only even numbers have a half");
  return i / 2;
}

TEST(expects, lets_pass_what_holds) { EXPECT_EQ(checked_half(8), 4); }

TEST(expects, throws_with_text_condition_and_place) {
  try {
    checked_half(7);
    FAIL() << "no error";
  } catch (const amphi::bounds_error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("only even numbers have a half"), std::string::npos) << text;
    EXPECT_NE(text.find("i % 2 == 0"), std::string::npos) << text;
    EXPECT_NE(text.find("expects_test.cpp:14"), std::string::npos) << text;
    EXPECT_EQ(text.find("kernel"), std::string::npos) << "there is no launch: " << text;
  }
}

TEST(expects, evaluates_the_condition_once_and_is_an_expression) {
  int evaluated = 0;
  const int result = (AMPHI_EXPECTS(++evaluated > 0, "counts"), 5);
  EXPECT_EQ(result, 5);
  EXPECT_EQ(evaluated, 1);
  if (evaluated == 1)
    AMPHI_EXPECTS(evaluated, "no braces needed");
  else
    FAIL();
}

}  // namespace
