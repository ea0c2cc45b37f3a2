// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/texture.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "support/paths.hpp"

namespace {

using amphi::address_mode;
using amphi::read_mode;
using amphi::sampling;
using amphi::texture;
using amphi::texture_options;
using amphi_test::message_of;
using amphi_test::says;

template <class View>
struct sample_each {
  View t;
  const float* at;
  typename View::value_type* to;
  int dimensions;
  AMPHI_HOST_DEVICE void operator()(int i) const {
    if constexpr (requires(View v) { v(0.0f); })
      to[i] = t(at[i]);
    else if constexpr (requires(View v) { v(0.0f, 0.0f); })
      to[i] = t(at[2 * i], at[2 * i + 1]);
    else
      to[i] = t(at[3 * i], at[3 * i + 1], at[3 * i + 2]);
  }
};

// Samples at coordinates, `D` numbers each, on one path.
template <class Texel, int D, read_mode Read>
auto sampled(const texture<Texel, D, Read>& t, std::vector<float> at, const amphi::policy& p) {
  using value = typename texture<Texel, D, Read>::value_type;
  const int n = static_cast<int>(at.size()) / D;
  const amphi::array<float> coordinates{std::span<const float>(at)};
  amphi::array<value> results(n);
  // Not const: with clang 14 a struct that holds a const class is not trivially copyable.
  auto view = t.view(p);
  amphi::parallel_for(
      p, 0, n, sample_each<decltype(view)>{view, coordinates.read(p).data(), results.write(p).data(), D});
  std::vector<value> v(static_cast<std::size_t>(n));
  results.copy_to(v);
  return v;
}

std::vector<amphi_test::path> paths() {
  return {{"automatic", {}},
          {"serial", amphi::serial},
          {"cpu", {.backend = amphi::backend::cpu}},
          {"cpu, 3 workers", {.backend = amphi::backend::cpu, .workers = 3}}};
}

template <class Texel, int D, read_mode Read>
void expect_samples(const texture<Texel, D, Read>& t, const std::vector<float>& at,
                    const std::vector<typename texture<Texel, D, Read>::value_type>& expected) {
  for (const amphi_test::path& p : paths()) {
    SCOPED_TRACE(p.name);
    EXPECT_TRUE(amphi_test::same_bits(sampled(t, at, p.policy), expected));
  }
}

texture<float, 1> ramp(const texture_options& options) {
  texture<float, 1> t(8, options);
  const float texels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  t.copy_from(texels);
  return t;
}

TEST(texture, ramp_unnormalised_clamp) {
  const std::vector<float> x = {0, 0.25f, 0.5f, 1, 1.5f, 7.5f, 7.75f, 8, -1, 9};
  expect_samples(ramp({}), x, {0, 0, 0, 1, 1, 7, 7, 7, 0, 7});
  expect_samples(ramp({.sampling = sampling::linear}), x, {0, 0, 0, 0.5f, 1, 7, 7, 7, 0, 7});
  expect_samples(ramp({.sampling = sampling::exact}), x, {0, 0, 0, 0.5f, 1, 7, 7, 7, 0, 7});
}

TEST(texture, coordinates_that_are_no_numbers_or_far_away) {
  const float nan = std::nanf(""), inf = INFINITY, max = std::numeric_limits<float>::max();
  const std::vector<float> x = {nan, -nan, inf, -inf, max, -max, 1e-40f};
  for (const sampling s : {sampling::point, sampling::linear, sampling::exact}) {
    expect_samples(ramp({.sampling = s}), x, {0, 0, 7, 0, 7, 0, 0});
    expect_samples(ramp({.sampling = s, .address = address_mode::border}), {inf, -inf, max, -max},
                   {0, 0, 0, 0});
  }
  expect_samples(ramp({.address = address_mode::wrap, .normalized = true}), x, {0, 0, 0, 0, 0, 0, 0});
}

TEST(texture, normalised_seams) {
  for (const sampling s : {sampling::linear, sampling::exact}) {
    const auto with = [s](address_mode mode) {
      return ramp({.sampling = s, .address = mode, .normalized = true});
    };
    expect_samples(with(address_mode::wrap), {0, 1, -2, 0.0625f, 1.0625f, -0.9375f},
                   {3.5f, 3.5f, 3.5f, 0, 0, 0});
    expect_samples(with(address_mode::mirror), {0, 1, -0.1875f, 1.9375f, 2.1875f, 1000000},
                   {0, 7, 1, 0, 1, 0});
    expect_samples(with(address_mode::border), {0, 1, 1.0625f, 0.5f}, {0, 3.5f, 0, 3.5f});
  }
}

template <class Texel>
std::vector<Texel> table(int w, int h, int d) {
  std::vector<Texel> v;
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) v.push_back(static_cast<Texel>(x + 10 * y + 100 * z));
  return v;
}

TEST(texture, table_of_three_dimensions) {
  const std::vector<float> texels = table<float>(4, 4, 4);
  for (const sampling s : {sampling::linear, sampling::exact}) {
    texture<float, 3> t({4, 4, 4}, {.sampling = s});
    t.copy_from(amphi::view3<const float>(texels.data(), {4, 4, 4}));
    expect_samples(t, {3.5f, 3.5f, 3.5f, 4,  4, 4, 100, 100,  100,  0.5f, 0.5f,
                       0.5f, -3,   -3,   -3, 2, 2, 2,   1.5f, 2.5f, 3.5f},
                   {333, 333, 333, 0, 0, 166.5f, 321});
  }
}

TEST(texture, exact_filtering_has_full_weights) {
  // A weight that 8 bits can't hold.
  const float f = 0.3f, x = 2.5f + f, expected = 2 * (1.0f - (x - 2.5f)) + 3 * (x - 2.5f);
  expect_samples(ramp({.sampling = sampling::exact}), {x}, {expected});
  EXPECT_NE(sampled(ramp({.sampling = sampling::linear}), {x}, {})[0], expected);
}

template <class Texel, read_mode Read, class Value>
void expect_point_read(const std::vector<Texel>& texels, const std::vector<Value>& expected) {
  texture<Texel, 1, Read> t(amphi::extent3(static_cast<int>(texels.size())));
  t.copy_from(amphi::view<const Texel>(texels.data(), texels.size()));
  std::vector<float> at;
  for (std::size_t i = 0; i < texels.size(); ++i) at.push_back(static_cast<float>(i) + 0.5f);
  expect_samples(t, at, expected);
  // Linear memory gives the same, and zeros outside.
  const amphi::linear_texture<Texel, Read> linear(amphi::view<const Texel>(texels.data(), texels.size()));
  for (std::size_t i = 0; i < texels.size(); ++i) EXPECT_EQ(linear(i), expected[i]) << i;
  EXPECT_EQ(linear(-1), Value{});
  EXPECT_EQ(linear(texels.size()), Value{});
}

TEST(texture, integers_as_they_are_and_normalised) {
  constexpr auto element = read_mode::element, normalized = read_mode::normalized;
  expect_point_read<std::uint8_t, element>({0, 1, 255}, std::vector<std::uint8_t>{0, 1, 255});
  expect_point_read<std::int8_t, element>({-128, -1, 127}, std::vector<std::int8_t>{-128, -1, 127});
  expect_point_read<std::int32_t, element>({INT32_MIN, 7}, std::vector<std::int32_t>{INT32_MIN, 7});
  expect_point_read<std::uint32_t, element>({4000000000u, 7}, std::vector<std::uint32_t>{4000000000u, 7});
  expect_point_read<std::uint8_t, normalized>({0, 51, 255}, std::vector<float>{0, 0.2f, 1});
  expect_point_read<std::int8_t, normalized>({-128, -127, 0, 127}, std::vector<float>{-1, -1, 0, 1});
  expect_point_read<std::uint16_t, normalized>({0, 13107, 65535}, std::vector<float>{0, 0.2f, 1});
  expect_point_read<std::int16_t, normalized>({-32768, -32767, 32767}, std::vector<float>{-1, -1, 1});
  expect_point_read<amphi::half, element>({amphi::half(1.5f), amphi::half(-65504.0f)},
                                          std::vector<float>{1.5f, -65504.0f});
}

TEST(texture, several_components) {
  using color = amphi::vec4<std::uint8_t>;
  texture<color, 2, read_mode::normalized> t({2, 1}, {.sampling = sampling::linear});
  const color texels[2] = {{0, 255, 0, 51}, {255, 255, 0, 51}};
  t.copy_from(amphi::view2<const color>(texels, {2, 1}));
  expect_samples(t, {0.5f, 0.5f, 1.5f, 0.5f}, {{0, 1, 0, 0.2f}, {1, 1, 0, 0.2f}});
  texture<amphi::vec2<float>, 1> two(amphi::extent3(2), {.sampling = sampling::linear});
  const amphi::vec2<float> pairs[2] = {{0, 10}, {1, 20}};
  two.copy_from(pairs);
  expect_samples(two, {1.0f}, {{0.5f, 15}});
}

TEST(texture, copies_with_pitch_there_and_back) {
  const int w = 5, h = 3, d = 2, pitch = 7, plane = 28;
  std::vector<float> padded(static_cast<std::size_t>(plane * d), -1.0f);
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        padded[static_cast<std::size_t>(z * plane + y * pitch + x)] =
            static_cast<float>(x + 10 * y + 100 * z);
  texture<float, 3> t({w, h, d});
  t.copy_from(amphi::view3<const float>(padded.data(), {w, h, d}, pitch, plane));
  expect_samples(t, {4.5f, 2.5f, 1.5f, 0.5f, 1.5f, 0.5f}, {124, 10});
  std::vector<float> dense(30);
  t.copy_to(amphi::view3<float>(dense.data(), {w, h, d}));
  EXPECT_EQ(dense, table<float>(w, h, d));

  // The same through memory of the device.
  amphi::array<float> source{std::span<const float>(padded)}, target(30);
  texture<float, 3> u({w, h, d});
  u.copy_from(amphi::view3<const float>(source.read().data(), {w, h, d}, pitch, plane));
  u.copy_to(amphi::view3<float>(target.write().data(), {w, h, d}));
  std::vector<float> got(30);
  target.copy_to(got);
  EXPECT_EQ(got, dense);
  expect_samples(u, {4.5f, 2.5f, 1.5f}, {124});

  texture<float, 2> flat({w, h});
  flat.copy_from(amphi::view2<const float>(padded.data(), {w, h}, pitch));
  std::vector<float> rows(static_cast<std::size_t>(pitch * h), -2.0f);
  flat.copy_to(amphi::view2<float>(rows.data(), {w, h}, pitch));
  EXPECT_EQ(rows[static_cast<std::size_t>(2 * pitch + 4)], 24);
  EXPECT_EQ(rows[5], -2);  // between the rows nothing is written
}

TEST(texture, other_texels_are_seen_by_the_same_view) {
  texture<float, 1> t(amphi::extent3(3));
  const float first[3] = {1, 2, 3}, second[3] = {4, 5, 6};
  t.copy_from(first);
  const auto cpu = t.view({.backend = amphi::backend::cpu});
  expect_samples(t, {1.5f}, {2});
  t.copy_from(second);
  EXPECT_EQ(cpu(1.5f), 5);
  expect_samples(t, {1.5f}, {5});

  // Linear memory is bound anew by assignment.
  amphi::linear_texture<float> linear{amphi::view<const float>(first)};
  EXPECT_EQ(linear(2), 3);
  linear = amphi::view<const float>(second);
  EXPECT_EQ(linear(2), 6);
}

TEST(texture, moves_and_ends) {
  texture<float, 1> a = ramp({});
  const auto view = a.view({.backend = amphi::backend::cpu});
  texture<float, 1> b = std::move(a);
  EXPECT_EQ(view(3.5f), 3);  // the texels did not move
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { a.view(); }), {"moved from"}));
  b = texture<float, 1>();
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { view(3.5f); }), {"after its end", "must live"}));
  {
    texture<float, 1> other = ramp({});  // may use the same memory
    EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { view(3.5f); }), {"after its end"}));
  }
  EXPECT_TRUE(says(message_of<amphi::memory_error>([] { amphi::texture_view<float, 1>()(0.0f); }),
                   {"names no texture"}));
}

TEST(texture, bad_requests_say_what_is_wrong) {
  const auto error = [](auto f) { return message_of<amphi::memory_error>(f); };
  EXPECT_TRUE(says(error([] { texture<float, 1>(4, {.address = address_mode::wrap}); }),
                   {"address_mode::wrap", "normalised", ".normalized = true"}));
  EXPECT_TRUE(says(error([] {
                     texture<float, 2>({4, 4}, {.address = {address_mode::clamp, address_mode::mirror}});
                   }),
                   {"address_mode::mirror in y"}));
  EXPECT_TRUE(says(error([] { texture<std::uint8_t, 1>(4, {.sampling = sampling::linear}); }),
                   {"integer texels", "read_mode::normalized"}));
  EXPECT_TRUE(says(error([] { texture<float, 2>({4, 0}); }), {"4 x 0", "no texels in y"}));
  EXPECT_TRUE(says(error([] { texture<float, 1>(-3); }), {"-3", "no texels in x"}));
  EXPECT_TRUE(says(error([] { texture<float, 3>({1, 1, 16385}); }), {"16385", "z", "16384"}));
  EXPECT_TRUE(says(error([] { texture<float, 1>(131073); }), {"131073", "131072"}));
  EXPECT_TRUE(says(error([] { texture<float, 1>(4).view(); }), {"before anybody wrote"}));
  texture<float, 2> t({4, 2});
  std::vector<float> v(16);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     t.copy_from(amphi::view2<const float>(v.data(), {4, 2}, 3));
                   }),
                   {"pitch of 3", "row of 4"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     t.copy_from(amphi::view2<const float>(v.data(), {2, 4}));
                   }),
                   {"2 x 4", "4 x 2"}));
  EXPECT_TRUE(says(error([&] { t.copy_from(amphi::view2<const float>(nullptr, {4, 2})); }), {"null"}));
}

TEST(vector, sizes_and_alignments_are_those_of_cuda) {
  static_assert(sizeof(amphi::vec3<float>) == 12 && alignof(amphi::vec3<float>) == 4);
  static_assert(sizeof(amphi::vec4<float>) == 16 && alignof(amphi::vec4<float>) == 16);
  static_assert(sizeof(amphi::vec2<float>) == 8 && alignof(amphi::vec2<float>) == 8);
  static_assert(sizeof(amphi::vec4<double>) == 32 && alignof(amphi::vec4<double>) == 16);
  static_assert(sizeof(amphi::vec2<double>) == 16 && alignof(amphi::vec2<double>) == 16);
  static_assert(sizeof(amphi::vec4<std::uint8_t>) == 4 && alignof(amphi::vec4<std::uint8_t>) == 4);
  struct mixed {
    char c;
    amphi::vec4<float> v;
  };
  static_assert(offsetof(mixed, v) == 16);
  EXPECT_EQ((amphi::vec3<int>{1, 2, 3} + 2 * amphi::vec3<int>{1, 1, 1}), (amphi::vec3<int>{3, 4, 5}));
}

TEST(half, rounds_to_nearest_even_and_back) {
  // Every half survives; halfway cases go to the even one; beyond the largest is infinity.
  for (unsigned b = 0; b < 65536; ++b) {
    const auto h = amphi::half::from_bits(static_cast<std::uint16_t>(b));
    if ((b & 0x7c00u) != 0x7c00u || (b & 0x3ffu) == 0) {
      ASSERT_EQ(amphi::half(static_cast<float>(h)).bits, b);
    }
  }
  EXPECT_EQ(amphi::half(1.0f + 0x1p-11f).bits, 0x3c00);
  EXPECT_EQ(amphi::half(1.0f + 3 * 0x1p-11f).bits, 0x3c02);
  EXPECT_EQ(amphi::half(65519.996f).bits, 0x7bff);
  EXPECT_EQ(amphi::half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(amphi::half(0x1p-25f).bits, 0);
  EXPECT_EQ(amphi::half(std::nextafter(0x1p-25f, 1.0f)).bits, 1);
  EXPECT_EQ(static_cast<float>(amphi::half::from_bits(1)), 0x1p-24f);
}

}  // namespace
