// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/verify/verify.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/verify/testing.hpp"

namespace {

using amphi::testing::BitIdentical;

// Each thread adds up its own part, so the result depends on how many there are.
AMPHI_LAUNCHABLE void sum_by_parts(int n, const float* x, float* parts) {
  float sum = 0;
  for (auto i : amphi::grid_stride_range(0, n)) sum += x[i];
  parts[amphi::global_thread_index()] = sum;
}

amphi::array<float> numbers(int n) {
  amphi::array<float> x(n);
  const auto v = x.host_write();
  for (int i = 0; i < n; ++i) v[i] = 1.0f / static_cast<float>(i + 1);
  return x;
}

void reproducible() {
  const int n = 100003;
  const auto x = numbers(n);
  const auto report =
      amphi::verify([&](const amphi::policy& p) { return amphi::reduce(p, x.read(p), 0.0f, amphi::plus{}); });
  EXPECT_THAT(report, BitIdentical());
  EXPECT_GE(report.rows().size(), 10u);
  EXPECT_TRUE(report.floating_point().host.measured);
  EXPECT_THAT(amphi::verify([&](const amphi::policy& p) {
                amphi::array<float> y(n);
                amphi::inclusive_scan(p, x.read(p), y.write(p));
                const auto v = y.host_read();
                return std::vector<float>(v.begin(), v.end());
              }),
              BitIdentical());
}
TEST(verify, algorithms_are_identical_on_every_path) { reproducible(); }

void irreproducible() {
  const int n = 100003;
  const auto x = numbers(n);
  const auto report = amphi::verify([&](const amphi::policy& p) {
    amphi::array<float> parts(1 << 21, 0.0f);
    amphi::launch<sum_by_parts>(p, n, x.read(p), parts.read_write(p));
    const auto v = parts.host_read();
    return std::accumulate(v.begin(), v.end(), 0.0f);
  });
  EXPECT_FALSE(report.identical());
  EXPECT_THAT(report, testing::Not(BitIdentical()));
  EXPECT_THAT(report.text(), testing::HasSubstr("ULP apart"));
  EXPECT_THAT(report.text(), testing::HasSubstr("DIFFERS"));
}
TEST(verify, an_order_dependent_sum_is_found) { irreproducible(); }

std::vector<amphi::verify_path> two_paths() { return {{"first", {}}, {"second", {.workers = 2}}}; }

TEST(verify, says_what_differs) {
  int call = 0;
  const auto floats = amphi::verify(two_paths(), [&](const amphi::policy&) {
    return std::vector<float>{1.0f, ++call == 1 ? 2.0f : 2.0000002f, -0.0f};
  });
  EXPECT_EQ(floats.rows()[1].first, 1u);
  EXPECT_EQ(floats.rows()[1].differences, 1u);
  EXPECT_THAT(floats.rows()[1].detail, testing::HasSubstr("0x40000001"));
  EXPECT_THAT(floats.rows()[1].detail, testing::HasSubstr("1 ULP apart"));
  call = 0;
  const auto zeros =
      amphi::verify(two_paths(), [&](const amphi::policy&) { return ++call == 1 ? 0.0 : -0.0; });
  EXPECT_THAT(zeros.rows()[1].detail, testing::HasSubstr("0 ULP apart"));
  call = 0;
  const auto sizes = amphi::verify(
      two_paths(), [&](const amphi::policy&) { return std::vector<int>(static_cast<std::size_t>(++call)); });
  EXPECT_FALSE(sizes.identical());
  call = 0;
  const auto integers =
      amphi::verify(two_paths(), [&](const amphi::policy&) { return static_cast<short>(-++call); });
  EXPECT_THAT(integers.rows()[1].detail, testing::HasSubstr("-2 (0xfffe)"));
}

TEST(verify, long_names_keep_their_rows) {
  const std::string name(1000, 'n');
  const auto report = amphi::verify(std::vector<amphi::verify_path>{{name, {}}, {name + "2", {}}},
                                    [](const amphi::policy&) { return 1; });
  EXPECT_THAT(report.text(), testing::HasSubstr(name + " automatic "));
  EXPECT_THAT(report.text(), testing::HasSubstr(name + "2 automatic "));
  const std::string text = report.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(verify, refusals_are_no_faults_and_failures_are) {
  int call = 0;
  const auto refused = amphi::verify(two_paths(), [&](const amphi::policy&) {
    if (++call == 2) throw amphi::launch_error("not this geometry");
    return 1;
  });
  EXPECT_TRUE(refused.identical());
  EXPECT_THAT(refused.text(), testing::HasSubstr("not this geometry"));
  call = 0;
  const auto failed = amphi::verify(two_paths(), [&](const amphi::policy&) {
    if (++call == 2) throw amphi::barrier_error("lines differ");
    return 1;
  });
  EXPECT_FALSE(failed.identical());
  call = 0;
  const auto other = amphi::verify(two_paths(), [&](const amphi::policy&) {
    if (++call == 2) throw 42;
    return 1;
  });
  EXPECT_FALSE(other.identical());
  EXPECT_EQ(other.rows()[1].result, amphi::verify_row::outcome::failed);
  EXPECT_THAT(other.text(), testing::HasSubstr("no std::exception"));
  const auto none =
      amphi::verify(two_paths(), [](const amphi::policy&) -> int { throw amphi::launch_error("no"); });
  EXPECT_FALSE(none.identical());
}

TEST(verify, containers_are_matched_by_bits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {nan, 1.0f, -0.0f};
  EXPECT_THAT(x, BitIdentical(std::vector<float>{nan, 1.0f, -0.0f}));
  EXPECT_THAT(x, testing::Not(BitIdentical(std::vector<float>{nan, 1.0f, 0.0f})));
  EXPECT_THAT(x, testing::Not(BitIdentical(std::vector<float>{nan, 1.0f})));
}

}  // namespace
