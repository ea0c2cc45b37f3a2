// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "amphi/core/function_objects.hpp"
#include "scan_ladder/sections.hpp"
#include "support/block_paths.hpp"

namespace {

using amphi_test::path;
using ladder::method;

constexpr method methods[] = {method::kogge_stone, method::brent_kung};
const std::vector<int> blocks = {1, 2, 3, 9, 32, 33, 64, 96, 100, 180, 256, 1000, 1024};

const char* name(method m) { return m == method::kogge_stone ? "Kogge-Stone" : "Brent-Kung"; }

template <class Op, class T>
std::vector<T> sections_of(method m, const amphi::policy& p, int block, const std::vector<T>& x,
                           std::vector<T>* last = nullptr) {
  const auto n = static_cast<std::int64_t>(x.size());
  const amphi::array<T> in{std::span<const T>(x)};
  amphi::array<T> out(n), sums(amphi::ceil_div(n, ladder::section_length(m, block)));
  ladder::scan_sections<Op>(m, p, block, n, in.read(p).data(), out.write(p).data(), sums.write(p).data(),
                            ladder::uncounted{});
  if (last != nullptr) last->assign(sums.host_read().begin(), sums.host_read().end());
  return {out.host_read().begin(), out.host_read().end()};
}

template <class Op, class T>
std::vector<T> scan_of(method m, const amphi::policy& p, int block, const std::vector<T>& x) {
  const amphi::array<T> in{std::span<const T>(x)};
  amphi::array<T> out(x.size());
  ladder::scan_levels<T> levels(m, block, static_cast<std::int64_t>(x.size()));
  levels.template scan<Op>(p, in, out);
  return {out.host_read().begin(), out.host_read().end()};
}

TEST(scan_ladder, sections_are_scanned_on_every_path) {
  for (const method m : methods) {
    for (const int block : blocks) {
      const auto length = static_cast<std::size_t>(ladder::section_length(m, block));
      std::vector<int> x(2 * length + length / 3 + 1), expected(x.size()), last;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * i % 1009) - 300;
      for (std::size_t i = 0; i < x.size(); ++i) expected[i] = x[i] + (i % length == 0 ? 0 : expected[i - 1]);
      for (const path& p : amphi_test::block_paths(1, block)) {
        SCOPED_TRACE(std::string(name(m)) + ", block of " + std::to_string(block) + ", " + p.name);
        ASSERT_TRUE(
            amphi_test::same_bits(sections_of<amphi::plus<int>>(m, p.policy, block, x, &last), expected));
        ASSERT_EQ(last, (std::vector<int>{expected[length - 1], expected[2 * length - 1], expected.back()}));
      }
    }
  }
}

TEST(scan_ladder, each_number_of_values_is_right) {
  for (const method m : methods) {
    for (int n = 1; n <= 256; n = n < 70 ? n + 1 : n + 31) {
      std::vector<int> x(static_cast<std::size_t>(n)), expected(x.size());
      std::iota(x.begin(), x.end(), 1);
      std::partial_sum(x.begin(), x.end(), expected.begin());
      ASSERT_EQ(sections_of<amphi::plus<int>>(m, {}, 256, x), expected) << name(m) << ", " << n << " values";
    }
  }
}

TEST(scan_ladder, scans_have_any_length) {
  for (const method m : methods) {
    for (const int block : {2, 33, 256}) {
      for (const int n : {1, 2, 255, 256, 257, 4096, 65537}) {
        std::vector<std::int64_t> x(static_cast<std::size_t>(n)), expected(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i * i % 1009) << 30;
        std::partial_sum(x.begin(), x.end(), expected.begin());
        ASSERT_EQ(scan_of<amphi::plus<std::int64_t>>(m, {}, block, x), expected)
            << name(m) << ", block of " << block << ", n = " << n;
      }
    }
    EXPECT_EQ(ladder::scan_levels<int>(m, 256, 256).levels(), 1u);
    EXPECT_EQ(ladder::scan_levels<int>(m, 256, 513).levels(), 2u);
    EXPECT_EQ(ladder::scan_levels<int>(m, 256, 256 * 512).levels(), m == method::kogge_stone ? 3u : 2u);
  }
  EXPECT_THROW(ladder::scan_levels<int>(method::kogge_stone, 1, 100), std::invalid_argument);
}

TEST(scan_ladder, floats_have_the_bits_of_their_serial_order) {
  for (const method m : methods) {
    for (const int block : {2, 9, 96, 256, 1000}) {
      for (const int n : {1, 1000, 5003}) {
        std::vector<float> x(static_cast<std::size_t>(n));
        std::uint32_t random = 12345;
        for (float& v : x) {
          random = random * 1664525u + 1013904223u;
          v = std::ldexp(static_cast<float>(random >> 8), -static_cast<int>(random % 37u));
          if ((random & 0x100u) != 0) v = -v;
        }
        std::vector<float> expected = x;
        ladder::serial_scan<amphi::plus<float>>(m, block, std::span<float>(expected));
        for (const path& p : amphi_test::block_paths(1, block)) {
          SCOPED_TRACE(std::string(name(m)) + ", block of " + std::to_string(block) +
                       ", n = " + std::to_string(n) + ", " + p.name);
          ASSERT_TRUE(amphi_test::same_bits(scan_of<amphi::plus<float>>(m, p.policy, block, x), expected));
        }
      }
    }
  }
}

// x → a x + b modulo 2^32; `then` is associative and does not commute.
struct affine {
  std::uint32_t a, b;
  bool operator==(const affine&) const = default;
};
struct then {
  AMPHI_HOST_DEVICE affine operator()(const affine& first, const affine& second) const {
    return {second.a * first.a, second.a * first.b + second.b};
  }
};

TEST(scan_ladder, operands_keep_their_order) {
  for (const method m : methods) {
    for (const int n : {5, 257, 3000}) {
      std::vector<affine> x(static_cast<std::size_t>(n)), expected(x.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = {static_cast<std::uint32_t>(2 * i + 3), static_cast<std::uint32_t>(i * i)};
      std::partial_sum(x.begin(), x.end(), expected.begin(), then());
      for (const int block : {4, 33, 256})
        ASSERT_EQ(scan_of<then>(m, {}, block, x), expected)
            << name(m) << ", block of " << block << ", n = " << n;
    }
  }
}

// By hand: Kogge and Stone 7 + 6 + 4, Brent and Kung 4 + 2 + 1 upwards and 1 + 3 downwards.
TEST(scan_ladder, eight_elements_take_17_and_11_operations) {
  for (const method m : methods) {
    for (const path& p : amphi_test::block_paths(1, 4)) {
      const amphi::array<int> in(8, 1);
      amphi::array<int> out(8);
      amphi::array<std::int64_t> total(1, 0);
      int* const no_sums = nullptr;
      ladder::scan_sections<amphi::plus<int>>(m, p.policy, m == method::kogge_stone ? 8 : 4, 8,
                                              in.read(p.policy).data(), out.write(p.policy).data(), no_sums,
                                              ladder::counted{total.read_write(p.policy).data()});
      EXPECT_EQ(total.host_read()[0], m == method::kogge_stone ? 17 : 11) << p.name;
      for (int i = 0; i < 8; ++i) EXPECT_EQ(out.host_read()[i], i + 1);
    }
  }
}

}  // namespace
