// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/transform.hpp"

#include <numeric>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/fill.hpp"
#include "amphi/algorithm/for_each.hpp"
#include "amphi/algorithm/iota.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

struct axpy {
  float a;
  AMPHI_HOST_DEVICE float operator()(float x, float y) const { return a * x + y; }
};
struct mix {
  AMPHI_HOST_DEVICE double operator()(float a, std::int16_t b, double c) const {
    return static_cast<double>(a) + 2.0 * b - c;
  }
};
struct odd {
  AMPHI_HOST_DEVICE std::uint8_t operator()(int i) const { return static_cast<std::uint8_t>(i % 7); }
};
struct triple {
  float x, y, z;
};
struct turn {
  AMPHI_HOST_DEVICE triple operator()(triple t) const { return {t.y, t.z, -t.x}; }
};

void one_to_three_inputs() {
  for (const int n : sizes()) {
    const auto count = static_cast<std::size_t>(n);
    const auto x = reference::values<float>(count), y = reference::values<float>(count, 2);
    const auto s = reference::values<std::int16_t>(count);
    const auto d = reference::values<double>(count);
    std::vector<float> sums(count);
    std::vector<double> mixed(count);
    std::vector<std::uint8_t> odds(count);
    for (std::size_t i = 0; i < count; ++i) {
      sums[i] = axpy{2}(x[i], y[i]);
      mixed[i] = mix()(x[i], s[i], d[i]);
      odds[i] = odd()(static_cast<int>(i) + 3);
    }
    shared_data<float> xd(x), yd(y);
    shared_data<std::int16_t> sd(s);
    shared_data<double> dd(d);
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name);
      shared_data<float> sum(count);
      shared_data<double> mixed_out(count);
      shared_data<std::uint8_t> odd_out(count);
      const amphi::view xv(xd.data(), n);
      amphi::transform(p.policy, xv, amphi::view(yd.data(), n), amphi::view(sum.data(), n), axpy{2});
      amphi::transform(p.policy, xv, amphi::view(sd.data(), n), amphi::view(dd.data(), n),
                       amphi::view(mixed_out.data(), n), mix());
      amphi::transform(p.policy, amphi::index_range(3, n + 3), amphi::view(odd_out.data(), n), odd());
      EXPECT_TRUE(same_bits(sum.on_host(), sums)) << n;
      EXPECT_TRUE(same_bits(mixed_out.on_host(), mixed)) << n;
      EXPECT_TRUE(same_bits(odd_out.on_host(), odds)) << n;
    }
  }
}
TEST(transform, one_to_three_inputs) { one_to_three_inputs(); }

// Each offset of inputs and output against each other; what lies around the output stays.
void misaligned() {
  constexpr int room = 5000;
  const auto x = reference::values<float>(room), y = reference::values<float>(room, 2);
  shared_data<float> xd(x), yd(y);
  for (const int n : {1, 3, 7, 1023, 4095})
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < 5; b += 2)
        for (int c = 0; c < 5; ++c) {
          shared_data<float> out(room, -7.0f);
          amphi::transform(amphi::view(xd.data() + a, n), amphi::view(yd.data() + b, n),
                           amphi::view(out.data() + c, n), axpy{3});
          std::vector<float> expected(room, -7.0f);
          for (int i = 0; i < n; ++i)
            expected[static_cast<std::size_t>(c + i)] =
                axpy{3}(x[static_cast<std::size_t>(a + i)], y[static_cast<std::size_t>(b + i)]);
          ASSERT_TRUE(same_bits(out.on_host(), expected)) << n << ' ' << a << ' ' << b << ' ' << c;
        }
}
TEST(transform, every_misalignment) { misaligned(); }

// Elements of other sizes than four bytes, the inputs and the output off by one against each other.
struct xor_of {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
template <class T>
void misaligned_elements() {
  for (const int n : {1, 15, 4096, 70001}) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<T> x(count + 3), expected(count + 4, T(7));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 37 + 11);
    for (std::size_t i = 0; i < count; ++i) expected[i + 3] = xor_of()(x[i + 1], x[i + 2]);
    shared_data<T> in(x), out(count + 4, T(7));
    amphi::transform(amphi::view(in.data() + 1, n), amphi::view(in.data() + 2, n),
                     amphi::view(out.data() + 3, n), xor_of());
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << n << " of " << sizeof(T);
  }
}
TEST(transform, misaligned_elements_of_each_size) {
  misaligned_elements<std::uint8_t>();
  misaligned_elements<std::int16_t>();
  misaligned_elements<std::uint32_t>();
  misaligned_elements<std::int64_t>();
}

void in_place_and_structs() {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    constexpr int n = 70001;
    const auto x = reference::values<float>(n), y = reference::values<float>(n, 2);
    shared_data<float> xd(x), yd(y);
    std::vector<float> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = axpy{2}(x[i], y[i]);
    const amphi::view yv(yd.data(), n);
    amphi::transform(p.policy, amphi::view(xd.data(), n), yv, yv, axpy{2});
    EXPECT_TRUE(same_bits(yd.on_host(), expected));

    shared_data<triple> t(n, triple{1, 2, 3});
    const amphi::view tv(t.data(), n);
    amphi::transform(p.policy, tv, tv, turn());
    EXPECT_TRUE(same_bits(t.on_host(), std::vector<triple>(n, triple{2, 3, -1})));
  }
}
TEST(transform, in_place_and_structs) { in_place_and_structs(); }

void bad_ranges() {
  std::vector<float> x(100), y(99), z(200);
  const amphi::policy cpu{.backend = backend::cpu};
  const auto fails = [&](auto&& f) { return message_of<amphi::bounds_error>(f); };
  EXPECT_TRUE(
      says(fails([&] { amphi::transform(cpu, x, y, amphi::identity()); }), {"transform", "99", "100"}));
  EXPECT_TRUE(says(fails([&] { amphi::transform(cpu, x, y, z, axpy{1}); }), {"99", "100"}));
  EXPECT_TRUE(says(fails([&] {
                     amphi::transform(cpu, amphi::view(z.data(), 100), amphi::view(z.data() + 1, 100),
                                      amphi::identity());
                   }),
                   {"overlaps"}));
  EXPECT_TRUE(says(fails([&] {
                     amphi::transform(cpu, amphi::view(z.data(), 50),
                                      amphi::view(reinterpret_cast<double*>(z.data()), 50),
                                      amphi::identity());
                   }),
                   {"overlaps"}));
  EXPECT_TRUE(
      says(fails([&] { amphi::copy(cpu, amphi::view(x.data(), std::size_t(-3)), z); }), {"negative"}));
  amphi::transform(cpu, amphi::view(z.data(), 100), amphi::view(z.data() + 100, 100), amphi::identity());
}
TEST(transform, bad_ranges_are_named) { bad_ranges(); }

struct add_one {
  AMPHI_HOST_DEVICE void operator()(float& e) const { e += 1; }
};
struct mark {
  int* out;
  AMPHI_HOST_DEVICE void operator()(int i) const { out[i] += i; }
};

void fill_iota_copy_for_each() {
  for (const int n : sizes())
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name);
      const auto count = static_cast<std::size_t>(n);
      shared_data<float> x(count);
      shared_data<int> numbers(count), marks(count);
      shared_data<double> copies(count);
      const amphi::view xv(x.data(), n);
      const amphi::view nv(numbers.data(), n);
      amphi::fill(p.policy, xv, 2);
      amphi::for_each(p.policy, xv, add_one());
      amphi::iota(p.policy, nv, -4);
      amphi::copy(p.policy, nv, amphi::view(copies.data(), n));
      amphi::for_each(p.policy, amphi::index_range(0, n), mark{marks.data()});
      std::vector<int> from(count), zero(count);
      std::iota(from.begin(), from.end(), -4);
      std::iota(zero.begin(), zero.end(), 0);
      EXPECT_TRUE(same_bits(x.on_host(), std::vector<float>(count, 3.0f)));
      EXPECT_TRUE(same_bits(numbers.on_host(), from));
      EXPECT_TRUE(same_bits(copies.on_host(), std::vector<double>(from.begin(), from.end())));
      EXPECT_TRUE(same_bits(marks.on_host(), zero));
    }
}
TEST(transform, fill_iota_copy_for_each) { fill_iota_copy_for_each(); }

}  // namespace
