// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "amphi/memory/detail/texture_filter.hpp"

namespace {

using amphi::address_mode;
using amphi::sampling;
using amphi::texture_options;

float sample_ramp(int size, float x, texture_options how) {
  const auto texels = [](std::int64_t i, std::int64_t, std::int64_t) { return static_cast<float>(i); };
  return amphi::detail::sampled<1>(texels, {size}, {x}, how);
}

// x + 10 y + 100 z, on a grid of four a side.
float sample_table(float x, float y, float z) {
  const auto texels = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<float>(i + 10 * j + 100 * k);
  };
  return amphi::detail::sampled<3>(texels, {4, 4, 4}, {x, y, z}, {.sampling = sampling::linear});
}

TEST(texture_filter, ramp_unnormalised_clamp) {
  const float x[] = {0, 0.25f, 0.5f, 1, 1.5f, 7.5f, 7.75f, 8, -1, 9};
  const float point[] = {0, 0, 0, 1, 1, 7, 7, 7, 0, 7};
  const float linear[] = {0, 0, 0, 0.5f, 1, 7, 7, 7, 0, 7};
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sample_ramp(8, x[i], {}), point[i]) << x[i];
    EXPECT_EQ(sample_ramp(8, x[i], {.sampling = sampling::linear}), linear[i]) << x[i];
  }
}

TEST(texture_filter, table_of_three_dimensions) {
  EXPECT_EQ(sample_table(3.5f, 3.5f, 3.5f), 333.0f);
  EXPECT_EQ(sample_table(4, 4, 4), 333.0f);
  EXPECT_EQ(sample_table(100, 100, 100), 333.0f);
  EXPECT_EQ(sample_table(0.5f, 0.5f, 0.5f), 0.0f);
  EXPECT_EQ(sample_table(-3, -3, -3), 0.0f);
  EXPECT_EQ(sample_table(2, 2, 2), 166.5f);
  EXPECT_EQ(sample_table(1.5f, 2.5f, 3.5f), 321.0f);
}

TEST(texture_filter, the_last_512th_of_a_cell_belongs_to_the_next) {
  // Weights have 8 bits, rounded half up: just below 1/512 nothing, from 1/512 on one step.
  const float step = 1.0f / 256, half = 1.0f / 512;
  EXPECT_EQ(sample_ramp(8, std::nextafter(2.5f + half, 0.0f), {.sampling = sampling::linear}), 2.0f);
  EXPECT_EQ(sample_ramp(8, 2.5f + half, {.sampling = sampling::linear}), 2.0f + step);
  EXPECT_EQ(sample_ramp(8, std::nextafter(3.5f - half, 0.0f), {.sampling = sampling::linear}), 3.0f - step);
  EXPECT_EQ(sample_ramp(8, 3.5f - half, {.sampling = sampling::linear}), 3.0f);
}

TEST(texture_filter, address_modes_on_indices) {
  struct expected {
    address_mode mode;
    int index[12];  // of -5 .. 6 in a texture of three texels
  };
  const expected cases[] = {
      {address_mode::clamp, {0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2}},
      {address_mode::wrap, {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}},
      {address_mode::mirror, {1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}},
      {address_mode::border, {-1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1}},
  };
  for (const expected& c : cases)
    for (int i = -5; i <= 6; ++i)
      EXPECT_EQ(amphi::detail::texel_index(i, 3, c.mode), c.index[i + 5])
          << static_cast<int>(c.mode) << " " << i;
}

TEST(texture_filter, normalised_seams) {
  const auto at = [](float x, address_mode mode) {
    return sample_ramp(8, x, {.sampling = sampling::linear, .address = mode, .normalized = true});
  };
  EXPECT_EQ(at(0.0f, address_mode::wrap), 3.5f);  // halfway between the last and the first texel
  EXPECT_EQ(at(1.0f, address_mode::wrap), 3.5f);
  EXPECT_EQ(at(-2.0f, address_mode::wrap), 3.5f);
  EXPECT_EQ(at(0.0f, address_mode::mirror), 0.0f);
  EXPECT_EQ(at(1.0f, address_mode::mirror), 7.0f);
  EXPECT_EQ(at(-0.1875f, address_mode::mirror), 1.0f);
  EXPECT_EQ(at(0.0f, address_mode::border), 0.0f);
  EXPECT_EQ(at(1.0f, address_mode::border), 3.5f);
  EXPECT_EQ(at(1.0625f, address_mode::border), 0.0f);
}

TEST(texture_filter, weights_sum_to_256_and_none_is_negative) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      int w[4];
      amphi::detail::corner_weights({a, b}, w);
      ASSERT_EQ(w[0] + w[1] + w[2] + w[3], 256);
      ASSERT_EQ(w[1] + w[3], a);
      for (const int e : w) ASSERT_GE(e, 0) << a << " " << b;
      for (int c = 0; c < 256; c += 51) {
        int v[8], sum = 0;
        amphi::detail::corner_weights({a, b, c}, v);
        for (const int e : v) ASSERT_GE(e, 0) << a << " " << b << " " << c;
        for (const int e : v) sum += e;
        ASSERT_EQ(sum, 256);
        ASSERT_EQ(v[4] + v[5] + v[6] + v[7], c);
      }
    }
}

TEST(texture_filter, texels_are_cut_off_four_bits_below_the_largest) {
  using amphi::detail::filtered;
  // The smaller texel keeps bits down to 2^-27 of the larger: halves of 1 and of 2^-27, 2^-28.
  EXPECT_EQ(filtered<2>({1.0f, 0x1p-20f}, {128, 128}), 0.5f + 0x1p-21f);
  EXPECT_EQ(filtered<2>({1.0f, 0x1p-25f}, {1, 255}), 0x1p-8f + 255 * 0x1p-33f);
  EXPECT_EQ(filtered<2>({1.0f, 0x1p-28f}, {1, 255}), 0x1p-8f);
  EXPECT_EQ(filtered<2>({-1.0f, -0x1p-25f}, {1, 255}), -0x1p-8f - 255 * 0x1p-33f);
  // Ties go away from zero, not to even: (3 + 256 * 2^23) / 256 has half a bit too many.
  EXPECT_EQ(filtered<2>({0x1p23f, 0x1p23f + 1}, {128, 128}), 0x1p23f + 1);
  EXPECT_EQ(filtered<2>({-0x1p23f, -0x1p23f - 1}, {128, 128}), -0x1p23f - 1);
  // One texel with all the weight is itself.
  for (const float t : {1.0f, -0.3f, 3e38f, 1.2e-38f, 1e-40f, 0x1p-149f})
    EXPECT_EQ(filtered<2>({t, 7.0f}, {256, 0}), t);
}

}  // namespace
