// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "amphi/memory/detail/texture_sample.hpp"
#include "memory/texture_samples.hpp"

// The rules of texture units, on the CPU, against what hardware answered.

namespace {

using amphi::address_mode;
using amphi::detail::texel_kind;

std::uint32_t bits(float f) { return std::bit_cast<std::uint32_t>(f); }

TEST(texture_filter, hardware_cells) {
  for (const amphi_test::hardware_cell& h : amphi_test::hardware_cells)
    EXPECT_EQ(bits(amphi::detail::filtered_cell(h.kind, h.dimensions, h.corner, h.fraction)), h.value)
        << "kind " << static_cast<int>(h.kind) << ", " << h.dimensions << " dimensions, index "
        << &h - amphi_test::hardware_cells;
}

float ramp(float x, int size, bool normalized, address_mode mode, bool linear) {
  if (!linear) return static_cast<float>(amphi::detail::locate_texel(x, size, normalized, mode));
  const amphi::detail::texture_cell c = amphi::detail::locate_cell(x, size, normalized, mode);
  const std::uint32_t corners[2] = {bits(static_cast<float>(c.texel[0])),
                                    bits(static_cast<float>(c.texel[1]))};
  return amphi::detail::filtered_cell(texel_kind::f32, 1, corners, &c.fraction);
}

TEST(texture_filter, hardware_positions) {
  for (const amphi_test::hardware_position& h : amphi_test::hardware_positions) {
    const float x = std::bit_cast<float>(h.x), u = std::bit_cast<float>(h.u);
    for (const bool linear : {false, true}) {
      SCOPED_TRACE(testing::Message()
                   << "size " << h.size << ", x " << x << ", u " << u << ", linear " << linear);
      EXPECT_EQ(bits(ramp(x, h.size, true, address_mode::wrap, linear)), h.wrap[linear]);
      EXPECT_EQ(bits(ramp(x, h.size, true, address_mode::clamp, linear)), h.clamp[linear]);
      EXPECT_EQ(bits(ramp(x, h.size, true, address_mode::mirror, linear)), h.mirror[linear]);
      EXPECT_EQ(bits(ramp(u, h.size, false, address_mode::clamp, linear)), h.unnormalised[linear]);
    }
  }
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

TEST(texture_filter, the_last_512th_of_a_cell_belongs_to_the_next) {
  const auto at = [](float x) { return ramp(x, 8, false, address_mode::clamp, true); };
  const float step = 1.0f / 256, half_step = 1.0f / 512;
  EXPECT_EQ(at(std::nextafter(2.5f + half_step, 0.0f)), 2.0f);
  EXPECT_EQ(at(2.5f + half_step), 2.0f + step);
  EXPECT_EQ(at(std::nextafter(3.5f - half_step, 0.0f)), 3.0f - step);
  EXPECT_EQ(at(3.5f - half_step), 3.0f);
}

TEST(texture_filter, weights_sum_to_256_and_none_is_negative) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      int w[4];
      const int two[] = {a, b};
      amphi::detail::corner_weights(2, two, w);
      ASSERT_EQ(w[0] + w[1] + w[2] + w[3], 256);
      ASSERT_EQ(w[1] + w[3], a);
      for (const int e : w) ASSERT_GE(e, 0) << a << " " << b;
      for (int c = 0; c < 256; c += 51) {
        int v[8], sum = 0;
        const int three[] = {a, b, c};
        amphi::detail::corner_weights(3, three, v);
        for (const int e : v) ASSERT_GE(e, 0) << a << " " << b << " " << c;
        for (const int e : v) sum += e;
        ASSERT_EQ(sum, 256);
        ASSERT_EQ(v[4] + v[5] + v[6] + v[7], c);
      }
    }
}

}  // namespace
