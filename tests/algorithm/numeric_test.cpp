// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/transform_reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/count.hpp"
#include "amphi/algorithm/gather.hpp"
#include "amphi/algorithm/min_max_element.hpp"
#include "amphi/algorithm/moments.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

// What stands on reduce, and gather and scatter.

namespace {

using namespace amphi_test;

struct half {
  AMPHI_HOST_DEVICE double operator()(float x) const { return 0.5 * static_cast<double>(x); }
};
struct weighted {
  AMPHI_HOST_DEVICE double operator()(float x, int w) const { return static_cast<double>(x) * w; }
};

void sums_of_functions() {
  for (const int n : {0, 1, 33, 5000, 100003}) {
    const auto count = static_cast<std::size_t>(n);
    const auto x = reference::values<float>(count), y = reference::values<float>(count, 2);
    const auto w = reference::values<int>(count, 3);
    std::vector<double> halves(count), weights(count);
    std::vector<float> products(count), squares(count);
    for (std::size_t i = 0; i < count; ++i) {
      halves[i] = half()(x[i]);
      weights[i] = weighted()(x[i], w[i]);
      products[i] = x[i] * y[i];
      squares[i] = x[i] * x[i];
    }
    shared_data<float> xd(x), yd(y);
    shared_data<int> wd(w);
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name);
      const amphi::view xv(xd.data(), n), yv(yd.data(), n);
      EXPECT_TRUE(same_bits<double>({amphi::transform_reduce(p.policy, xv, 1.0, amphi::plus{}, half())},
                                    {reference::reduce(halves, 1.0, amphi::plus{})}));
      EXPECT_TRUE(same_bits<double>(
          {amphi::transform_reduce(p.policy, xv, amphi::view(wd.data(), n), 1.0, amphi::plus{}, weighted())},
          {reference::reduce(weights, 1.0, amphi::plus{})}));
      EXPECT_TRUE(same_bits<float>({amphi::dot(p.policy, xv, yv, 0.0f)},
                                   {reference::reduce(products, 0.0f, amphi::plus{})}));
      EXPECT_TRUE(same_bits<float>({amphi::norm2(p.policy, xv)},
                                   {std::sqrt(reference::reduce(squares, 0.0f, amphi::plus{}))}));
    }
  }
}
TEST(transform_reduce, sums_of_functions_dot_norm) { sums_of_functions(); }

TEST(transform_reduce, sizes_must_agree) {
  std::vector<float> x(5), y(6);
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { (void)amphi::dot(x, y, 0.0f); }), {"dot", "5", "6"}));
}

struct above {
  float limit;
  AMPHI_HOST_DEVICE bool operator()(float x) const { return x > limit; }
};

void counts() {
  const auto x = reference::values<float>(70001);
  const auto expected = std::count_if(x.begin(), x.end(), above{0.25f});
  shared_data<float> xd(x);
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    const amphi::view v(xd.data(), 70001);
    EXPECT_EQ(amphi::count_if(p.policy, v, above{0.25f}), expected);
    EXPECT_TRUE(amphi::all_of(p.policy, v, above{-1e9f}));
    EXPECT_FALSE(amphi::all_of(p.policy, v, above{0.0f}));
    EXPECT_TRUE(amphi::any_of(p.policy, v, above{0.0f}));
    EXPECT_FALSE(amphi::any_of(p.policy, v, above{1e9f}));
    EXPECT_TRUE(amphi::none_of(p.policy, v, above{1e9f}));
    const amphi::view nothing = v.first(0);
    EXPECT_TRUE(amphi::all_of(p.policy, nothing, above{0}) && amphi::none_of(p.policy, nothing, above{0}) &&
                !amphi::any_of(p.policy, nothing, above{0}));
  }
}
TEST(count, count_all_any_none) { counts(); }

void extremes() {
  const auto x = reference::values<std::int32_t>(100003);
  std::vector<std::int32_t> few(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) few[i] = x[i] % 50;
  const auto low = std::min_element(few.begin(), few.end()) - few.begin();
  const auto high =
      std::find(few.begin(), few.end(), *std::max_element(few.begin(), few.end())) - few.begin();
  shared_data<std::int32_t> xd(few);
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    const amphi::view v(xd.data(), few.size());
    EXPECT_EQ(amphi::min_element(p.policy, v).index, low);
    EXPECT_EQ(amphi::max_element(p.policy, v).index, high);
    EXPECT_EQ(amphi::max_element(p.policy, v).value, few[static_cast<std::size_t>(high)]);
    EXPECT_EQ(amphi::min_element(p.policy, v.first(0)).index, -1);
  }
}
TEST(min_max_element, lowest_index_of_equal_ones) { extremes(); }

#if !AMPHI_CUDA  // a device has no long double
TEST(min_max_element, of_long_doubles) {
  std::vector<long double> x(30000, 2.0L);
  x[100] = 0.0L, x[200] = -0.0L, x[300] = -0.0L, x[7000] = 3.0L, x[8000] = 3.0L;
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(amphi::min_element(p.policy, x).index, 200);
    EXPECT_EQ(amphi::max_element(p.policy, x).index, 7000);
  }
  x[20000] = x[25000] = std::numeric_limits<long double>::quiet_NaN();
  EXPECT_EQ(amphi::min_element(x).index, 20000);
  EXPECT_EQ(amphi::max_element(x).index, 20000);
}
#endif

void not_a_number_comes_first() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const int n : {5, 33, 1000})
    for (int at = 0; at < n; at += 3) {
      shared_data<float> x(static_cast<std::size_t>(n), 1.0f);
      for (int i = at; i < n; i += 2) x.data()[i] = nan;
      const amphi::view v(x.data(), n);
      ASSERT_EQ(amphi::min_element(v).index, at);
      ASSERT_EQ(amphi::max_element({.workers = 2}, v).index, at);
    }
  shared_data<float> zeros(std::vector<float>{0.0f, -0.0f, 0.0f, -0.0f});
  EXPECT_EQ(amphi::min_element(amphi::view(zeros.data(), 4)).index, 1);
  EXPECT_EQ(amphi::max_element(amphi::view(zeros.data(), 4)).index, 0);
}
TEST(min_max_element, not_a_number_comes_first) { not_a_number_comes_first(); }

void moments() {
  std::vector<double> x(100003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1e9 + static_cast<double>(i % 1000);
  shared_data<double> xd(x);
  const amphi::view v(xd.data(), x.size());
  long double mean = 0, squares = 0;
  for (const double e : x) mean += e;
  mean /= static_cast<long double>(x.size());
  for (const double e : x) squares += (e - mean) * (e - mean);
  const amphi::moments first = amphi::moments_of(v);
  EXPECT_EQ(first.count, 100003);
  EXPECT_NEAR(first.mean, static_cast<double>(mean), 1e-6);
  EXPECT_NEAR(first.variance() / static_cast<double>(squares / 100003), 1.0, 1e-12);
  EXPECT_NEAR(first.sample_variance() / static_cast<double>(squares / 100002), 1.0, 1e-12);
  for (const path& p : all_paths()) {
    const amphi::moments m = amphi::moments_of(p.policy, v);
    EXPECT_TRUE(same_bits<double>({m.mean, m.squares}, {first.mean, first.squares})) << p.name;
  }
  EXPECT_EQ(amphi::moments_of(v.first(0)).variance(), 0.0);
  EXPECT_EQ(amphi::moments_of(v.first(1)).sample_variance(), 0.0);
}
TEST(moments, mean_and_variance_in_one_pass) { moments(); }

void permutations() {
  constexpr int n = 100003;
  const auto x = reference::values<float>(n);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<float> gathered(n);
  for (std::size_t i = 0; i < n; ++i) gathered[i] = x[static_cast<std::size_t>(order[i])];
  shared_data<float> xd(x);
  shared_data<int> od(order);
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<float> there(n), back(n);
    const amphi::view tv(there.data(), n);
    amphi::gather(p.policy, amphi::view(xd.data(), n), amphi::view(od.data(), n), tv);
    EXPECT_TRUE(same_bits(there.on_host(), gathered));
    amphi::scatter(p.policy, tv, amphi::view(od.data(), n), amphi::view(back.data(), n));
    EXPECT_TRUE(same_bits(back.on_host(), x));
  }
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::gather(amphi::view(xd.data(), 10), amphi::view(od.data(), 10),
                                   amphi::view(xd.data() + 9, 10));
                   }),
                   {"gather", "overlaps"}));
}
TEST(gather, and_scatter_undo_each_other) { permutations(); }

}  // namespace
