// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <ostream>
#include <vector>

#include "amphi/verify/verify.hpp"

// Matchers for GoogleTest (gmock):
//   EXPECT_THAT(amphi::verify(computation), amphi::testing::BitIdentical());
//   EXPECT_THAT(result, amphi::testing::BitIdentical(expected));
// This header includes nothing of GoogleTest.

namespace amphi::testing {

// Matches a verify_report whose paths all have the same bits. The explanation is the report.
class identical_report {
 public:
  using is_gtest_matcher = void;

  bool MatchAndExplain(const verify_report& report, std::ostream* why) const {
    if (report.identical()) return true;
    if (why != nullptr) *why << "\n" << report.text();
    return false;
  }
  void DescribeTo(std::ostream* out) const { *out << "has the same bits on every path"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "has different bits on some path"; }
};

// Matches a container with the same elements, compared by bits: NaN equals itself, −0 differs from +0.
template <class T>
class identical_elements {
 public:
  using is_gtest_matcher = void;

  explicit identical_elements(std::vector<T> expected) : expected_(std::move(expected)) {}

  template <class C>
  bool MatchAndExplain(const C& container, std::ostream* why) const {
    const auto v = view(container);
    static_assert(std::is_same_v<typename decltype(v)::value_type, T>, "amphi: the element types differ");
    verify_report report{floating_point_findings()};
    constexpr auto type = detail::element_kind<T>();
    report.add({"expected", {}}, 0, expected_.data(), expected_.size(), type);
    report.add({"actual", {}}, 0, v.data(), v.size(), type);
    if (report.identical()) return true;
    if (why != nullptr) *why << report.rows().back().detail;
    return false;
  }
  void DescribeTo(std::ostream* out) const { *out << "has the expected bits"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "differs from the expected bits"; }

 private:
  std::vector<T> expected_;
};

inline identical_report BitIdentical() { return {}; }

template <class C>
auto BitIdentical(const C& expected) {
  const auto v = view(expected);
  using T = typename decltype(v)::value_type;
  return identical_elements<T>(std::vector<T>(v.begin(), v.end()));
}

}  // namespace amphi::testing
