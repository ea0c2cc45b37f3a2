// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/reduce.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "algorithm/reference.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

template <class T>
void same_as_reference_with(auto op, T init) {
  for (const int n : {1,
                      2,
                      3,
                      9,
                      31,
                      32,
                      33,
                      100,
                      255,
                      256,
                      257,
                      1000,
                      1023,
                      1024,
                      1025,
                      4095,
                      4096,
                      4097,
                      100003,
                      1 << 20,
                      (1 << 20) + 12345,
                      (1 << 21) + 77}) {
    const std::vector<T> x = reference::values<T>(static_cast<std::size_t>(n));
    const T expected = reference::reduce(x, init, op);
    shared_data<T> data(x);
    for (const path& p : all_paths()) {
      if (n > 300000 && p.name == "<<<1,1>>>" && on_gpu()) continue;  // slow on a GPU
      const T got = amphi::reduce(p.policy, amphi::view(data.data(), n), init, op);
      EXPECT_TRUE(same_bits<T>({got}, {expected})) << p.name << ", n = " << n;
    }
  }
}

// More tiles than a GPU has blocks at work, and each number of rows.
void many_tiles() {
  for (const int n : {(1 << 23) - 1, (1 << 25) + 4321, 1 << 26}) {
    const std::vector<float> x = reference::values<float>(static_cast<std::size_t>(n));
    const float expected = reference::reduce(x, 0.25f, amphi::plus{});
    shared_data<float> data(x);
    for (const amphi::policy& p : {amphi::policy{}, amphi::policy{.backend = backend::cpu}}) {
      const float got = amphi::reduce(p, amphi::view(data.data(), n), 0.25f, amphi::plus{});
      EXPECT_TRUE(same_bits<float>({got}, {expected})) << n;
    }
  }
}
TEST(reduce, many_tiles_have_the_reference_bits) { many_tiles(); }

TEST(reduce, float_sum_has_the_reference_bits_on_every_path) {
  same_as_reference_with<float>(amphi::plus{}, 0.5f);
}
TEST(reduce, double_sum_has_the_reference_bits_on_every_path) {
  same_as_reference_with<double>(amphi::plus{}, -1.0);
}
TEST(reduce, int_sum) { same_as_reference_with<unsigned>(amphi::plus{}, 7u); }
TEST(reduce, float_maximum) { same_as_reference_with<float>(amphi::maximum{}, -1e30f); }
TEST(reduce, bytes_by_exclusive_or) {
  same_as_reference_with<std::uint8_t>(amphi::bit_xor{}, std::uint8_t{3});
}

void misaligned_views() {
  const std::vector<float> x = reference::values<float>(100100);
  shared_data<float> data(x);
  for (int offset = 1; offset < 8; ++offset)
    for (const int n : {5, 4096, 100003 - 8}) {
      const std::vector<float> part(x.begin() + offset, x.begin() + offset + n);
      const float got = amphi::reduce(amphi::view(data.data() + offset, n), 0.0f, amphi::plus{});
      EXPECT_TRUE(same_bits<float>({got}, {reference::reduce(part, 0.0f, amphi::plus{})}))
          << offset << ' ' << n;
    }
}
TEST(reduce, views_that_are_not_aligned) { misaligned_views(); }

void results_in_memory() {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    const std::vector<double> x = reference::values<double>(20000);
    shared_data<double> data(x);
    shared_data<double> out(2, 99.0);
    amphi::reduce_into(p.policy, amphi::view(data.data(), 20000), out.data(), 1.0, amphi::plus{});
    amphi::reduce_into(p.policy, amphi::view(data.data(), 0), amphi::view(out.data() + 1, 1), 5.0,
                       amphi::plus{});
    EXPECT_TRUE(same_bits(out.on_host(), {reference::reduce(x, 1.0, amphi::plus{}), 5.0}));
  }
}
TEST(reduce, into_memory_and_of_nothing) { results_in_memory(); }

TEST(reduce, nothing_gives_init) {
  EXPECT_EQ(amphi::reduce(amphi::view<const float>(), 3.0f, amphi::plus{}), 3.0f);
  EXPECT_EQ(amphi::reduce(amphi::index_range(7, 3), 3, amphi::plus{}), 3);
}

struct square {
  AMPHI_HOST_DEVICE double operator()(std::int64_t i) const { return static_cast<double>(i) * 0.1; }
};

struct bounds {
  std::int64_t low = INT64_MAX, high = INT64_MIN, sum = 0;
  friend bool operator==(const bounds&, const bounds&) = default;
};
struct join {
  AMPHI_HOST_DEVICE bounds operator()(const bounds& a, const bounds& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.sum + b.sum};
  }
};
struct bounds_at {
  AMPHI_HOST_DEVICE static bounds of(std::int64_t v) { return {v, v, v}; }
  AMPHI_HOST_DEVICE bounds operator()(std::int64_t x, std::int64_t y) const { return of(1000 * y + x); }
  AMPHI_HOST_DEVICE bounds operator()(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return of(1000000 * z + 1000 * y + x);
  }
};

void index_spaces() {
  std::vector<double> terms;
  for (int i = -5; i < 70000; ++i) terms.push_back(square()(i));
  bounds flat, boxed, deep;
  for (int y = 0; y < 77; ++y)
    for (int x = 0; x < 130; ++x) flat = join()(flat, bounds_at()(x, y));
  for (int y = 3; y < 40; ++y)
    for (int x = -2; x < 1; ++x) boxed = join()(boxed, bounds_at()(x, y));
  for (int z = 1; z < 9; ++z)
    for (int y = -4; y < 20; ++y)
      for (int x = 5; x < 70; ++x) deep = join()(deep, bounds_at()(x, y, z));
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    EXPECT_TRUE(same_bits<double>(
        {amphi::reduce(p.policy, amphi::index_range(-5, 70000), 0.0, amphi::plus{}, square())},
        {reference::reduce(terms, 0.0, amphi::plus{})}));
    EXPECT_EQ(amphi::reduce(p.policy, amphi::extent2{130, 77}, bounds{}, join(), bounds_at()), flat);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::box2{{-2, 3}, {1, 40}}, bounds{}, join(), bounds_at()), boxed);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::box3{{5, -4, 1}, {70, 20, 9}}, bounds{}, join(), bounds_at()),
              deep);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::extent3{0, 5, 5}, bounds{}, join(), bounds_at()), bounds{});
  }
}
TEST(reduce, index_ranges_extents_and_boxes_with_struct_accumulators) { index_spaces(); }

// Sums over a box have the order of the linear index, x fastest.
struct wave {
  AMPHI_HOST_DEVICE float operator()(std::int64_t x, std::int64_t y) const {
    return static_cast<float>(x) * 0.37f - static_cast<float>(y * y) * 0.11f;
  }
};
void box_sums() {
  std::vector<float> terms;
  for (int y = 0; y < 301; ++y)
    for (int x = 0; x < 333; ++x) terms.push_back(wave()(x, y));
  for (const path& p : all_paths())
    EXPECT_TRUE(
        same_bits<float>({amphi::reduce(p.policy, amphi::extent2{333, 301}, 0.0f, amphi::plus{}, wave())},
                         {reference::reduce(terms, 0.0f, amphi::plus{})}))
        << p.name;
}
TEST(reduce, float_sum_over_an_extent) { box_sums(); }

void known_traps() {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    for (const int n : {1, 2, 3, 9, 32, 33, 64, 96, 100, 128, 180, 256, 512, 1000, 1024}) {
      shared_data<float> ones(static_cast<std::size_t>(n), 1.0f);
      EXPECT_EQ(amphi::reduce(p.policy, amphi::view(ones.data(), n), 0.0f, amphi::plus{}),
                static_cast<float>(n));
    }
    shared_data<std::int32_t> big(4, 1 << 30);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::view(big.data(), 4), std::int64_t{0}, amphi::plus{}),
              4294967296);
    std::vector<std::int32_t> counting(100000);
    for (int i = 0; i < 100000; ++i) counting[static_cast<std::size_t>(i)] = i;
    shared_data<std::int32_t> all(counting);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::view(all.data(), 100000), std::int64_t{0}, amphi::plus{}),
              4999950000);
    shared_data<std::uint8_t> bytes(256);
    for (int i = 0; i < 256; ++i) bytes.data()[i] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(amphi::reduce(p.policy, amphi::view(bytes.data(), 256), 0, amphi::plus{}), 32640);
    shared_data<float> zeros(3, -0.0f);
    EXPECT_TRUE(std::signbit(amphi::reduce(p.policy, amphi::view(zeros.data(), 3), -0.0f, amphi::plus{})));
  }
}
TEST(reduce, known_traps) { known_traps(); }

void not_a_number_anywhere() {
  for (const int n : {5, 33, 1000})
    for (int at = 0; at < n; ++at) {
      shared_data<float> x(static_cast<std::size_t>(n), 2.0f);
      x.data()[at] = -std::numeric_limits<float>::signaling_NaN();
      for (const auto& policy : {amphi::policy{}, amphi::policy{.workers = 2}}) {
        const float least = amphi::reduce(policy, amphi::view(x.data(), n), 1.0f, amphi::minimum{});
        const float most = amphi::reduce(policy, amphi::view(x.data(), n), 1.0f, amphi::maximum{});
        ASSERT_TRUE(same_bits<float>({least, most}, {std::numeric_limits<float>::quiet_NaN(),
                                                     std::numeric_limits<float>::quiet_NaN()}));
      }
    }
}
TEST(reduce, not_a_number_is_never_lost) { not_a_number_anywhere(); }

struct product_of_place {
  AMPHI_HOST_DEVICE float operator()(std::int64_t x, std::int64_t y) const {
    return static_cast<float>(x * y);
  }
};

void bad_calls() {
  std::vector<float> x(10, 1.0f);
  const auto shared = [&](amphi::policy p) {
    return message_of<amphi::launch_error>([&] { (void)amphi::reduce(p, x, 0.0f, amphi::plus{}); });
  };
  EXPECT_TRUE(says(shared({.shared_bytes = 64, .backend = backend::cpu}), {"reduce", "shared memory"}));
  EXPECT_TRUE(says(shared({.grid = 0, .backend = backend::cpu}), {"grid", "0"}));
  EXPECT_TRUE(says(shared({.block = 2048, .backend = backend::cpu}), {"block", "2048"}));
  char little[4];
  std::vector<float> y(100000, 1.0f);
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] {
             (void)amphi::reduce({.backend = backend::cpu, .workspace = {little, 4}}, y, 0.0f, amphi::plus{});
           }),
           {"workspace", "4", "needs"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>(
                       [&] { (void)amphi::reduce(amphi::view(x.data(), -1), 0.0f, amphi::plus{}); }),
                   {"negative"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::reduce_into({.backend = backend::cpu}, x, amphi::view(x.data(), 0), 0.0f,
                                        amphi::plus{});
                   }),
                   {"amphi::reduce", "the output, which holds 0", "give one of at least 1"}));
  constexpr std::int64_t many = std::int64_t{1} << 32, most = INT64_MAX;
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     (void)amphi::reduce(amphi::extent2{many, many}, 0.0f, amphi::plus{}, product_of_place{});
                   }),
                   {"more than 9223372036854775807"}));
  EXPECT_THROW(
      (void)amphi::reduce(amphi::box2{{-most, 0}, {most, 1}}, 0.0f, amphi::plus{}, product_of_place{}),
      amphi::bounds_error);
}
TEST(reduce, bad_calls_are_named) { bad_calls(); }

void lent_workspace() {
  const std::vector<float> x = reference::values<float>(200000);
  shared_data<float> data(x);
  shared_data<char> lent(8192, 'x');
  for (int i = 0; i < 3; ++i) {
    const float got = amphi::reduce({.workspace = {lent.data(), lent.size()}},
                                    amphi::view(data.data(), 200000), 0.0f, amphi::plus{});
    EXPECT_TRUE(same_bits<float>({got}, {reference::reduce(x, 0.0f, amphi::plus{})}));
  }
}
TEST(reduce, works_in_lent_memory) { lent_workspace(); }

struct reduce_inside {
  const float* x;
  AMPHI_HOST_DEVICE float operator()(std::int64_t i) const {
#if AMPHI_DEVICE_CODE
    return static_cast<float>(i);
#else
    return amphi::reduce({.backend = backend::cpu}, amphi::view(x, 5000), static_cast<float>(i),
                         amphi::plus{});
#endif
  }
};
TEST(reduce, inside_a_body_on_the_cpu) {
  const std::vector<float> x(5000, 1.0f);
  EXPECT_EQ(amphi::reduce({.backend = backend::cpu}, amphi::index_range(0, 10000), 0.0, amphi::plus{},
                          reduce_inside{x.data()}),
            5000.0 * 10000 + 9999.0 * 5000);
}

// Accumulators of 8 to 160 bytes whose sums depend on their order.
template <int Count>
struct doubles {
  double v[Count];
};
template <int Count>
struct doubles_from {
  AMPHI_HOST_DEVICE doubles<Count> operator()(double x) const {
    doubles<Count> r;
    for (int i = 0; i < Count; ++i) r.v[i] = x * (i + 1);
    return r;
  }
};
struct add_doubles {
  template <int Count>
  AMPHI_HOST_DEVICE doubles<Count> operator()(const doubles<Count>& a, const doubles<Count>& b) const {
    doubles<Count> r;
    for (int i = 0; i < Count; ++i) r.v[i] = a.v[i] + b.v[i];
    return r;
  }
};
template <int Count>
void wide_accumulators() {
  const doubles<Count> init = doubles_from<Count>()(0.1);
  for (const int n :
       {1, 2, 15, 16, 17, 33, 500, 1023, 1024, 1025, 1040, 2047, 4095, 4096, 4097, 9000, 50021}) {
    const std::vector<double> x = reference::values<double>(static_cast<std::size_t>(n));
    std::vector<doubles<Count>> wide;
    for (const double e : x) wide.push_back(doubles_from<Count>()(e));
    const doubles<Count> expected = reference::reduce(wide, init, add_doubles());
    const std::vector<double> bits(expected.v, expected.v + Count);
    shared_data<double> data(x);
    for (const path& p : all_paths()) {
      const doubles<Count> got = amphi::reduce(p.policy, amphi::view<const double>(data.data(), n), init,
                                               add_doubles(), doubles_from<Count>());
      ASSERT_TRUE(same_bits(std::vector<double>(got.v, got.v + Count), bits)) << p.name << ", n = " << n;
    }
  }
}
TEST(reduce, wide_accumulators) {
  wide_accumulators<1>();
  wide_accumulators<5>();
  wide_accumulators<8>();
  wide_accumulators<20>();
}

// Where a running sum is 100958.34375.
TEST(reduce, a_million_tenths) {
  std::vector<float> x(1000000, 0.1f);
  float running = 0.0f;
  for (const float e : x) running += e;
  EXPECT_EQ(running, 100958.34375f);
  EXPECT_EQ(amphi::reduce({.backend = backend::cpu}, x, 0.0f), 100000.0f);
}

#if !AMPHI_CUDA
struct throws_at {
  AMPHI_HOST_DEVICE double operator()(std::int64_t i) const {
    if (i == 77777) throw std::runtime_error("at 77777");
    return 1.0;
  }
};
TEST(reduce, exceptions_reach_the_caller) {
  EXPECT_THROW((void)amphi::reduce(amphi::index_range(0, 100000), 0.0, amphi::plus{}, throws_at()),
               std::runtime_error);
  EXPECT_EQ(amphi::reduce(amphi::index_range(0, 70000), 0.0, amphi::plus{}, throws_at()), 70000.0);
}
#endif

}  // namespace
