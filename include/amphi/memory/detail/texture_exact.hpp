// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

#include "amphi/config/macros.hpp"
#include "amphi/memory/texture_options.hpp"

// sampling::exact, the same program on both sides. Positions are computed in double, weights and sums in
// float: x first, then y, then z, each as a·(1 − f) + b·f.

namespace amphi::detail {

struct exact_cell {
  std::int32_t texel[2];  // negative: border
  float fraction;
};

AMPHI_HOST_DEVICE inline std::int32_t exact_texel(double i, double size, address_mode mode) {
  // i is whole. Wrapped and mirrored positions are in [-1, 2 size].
  if (mode == address_mode::wrap) {
    if (i < 0) i += size;
    if (i >= size) i -= size;
    if (i >= size) i -= size;
  } else if (mode == address_mode::mirror) {
    if (i < 0) i = -1 - i;
    if (i >= size) i = 2 * size - 1 - i;
    if (i < 0) i = 0;  // past the second mirror image: back at the first texel
  } else if (i < 0 || i >= size) {
    if (mode == address_mode::border) return -1;
    i = i < 0 ? 0 : size - 1;
  }
  return static_cast<std::int32_t>(i);
}

// Rounds toward minus infinity what is small enough for 32 bits.
AMPHI_HOST_DEVICE inline double whole_part(double v) {
  const auto i = static_cast<double>(static_cast<std::int32_t>(v));
  return i > v ? i - 1 : i;
}

AMPHI_HOST_DEVICE inline exact_cell locate_exact(float x, std::int32_t size, bool normalized,
                                                 address_mode mode) {
  constexpr double far = 1e9;
  const double n = size;
  double p = x;
  if (!(p == p)) p = 0;
  if (normalized) {
    if (mode == address_mode::wrap || mode == address_mode::mirror) {
      // Odd and even repetitions; floats from 2^24 on are even.
      if (p >= 16777216.0 || p <= -16777216.0) p = 0;
      p -= 2 * whole_part(p / 2);
    }
    p *= n;
  }
  p = (p > far ? far : p < -far ? -far : p) - 0.5;
  const double i = whole_part(p);
  return {{exact_texel(i, n, mode), exact_texel(i + 1, n, mode)}, static_cast<float>(p - i)};
}

AMPHI_HOST_DEVICE inline float between(float a, float b, float f) { return a * (1.0f - f) + b * f; }

// A NaN of the processor's choice becomes the one that all have.
AMPHI_HOST_DEVICE inline float one_nan(float v) { return v == v ? v : std::bit_cast<float>(0x7fffffffu); }

// `texel(i, j, k)` gives one component.
template <int D, class Texel>
AMPHI_HOST_DEVICE float exact_sample(const exact_cell* c, const Texel& texel) {
  float plane[2];
  for (int k = 0; k < (D > 2 ? 2 : 1); ++k) {
    float row[2];
    for (int j = 0; j < (D > 1 ? 2 : 1); ++j) {
      float corner[2];
      for (int i = 0; i < 2; ++i) {
        const std::int32_t x = c[0].texel[i], y = D > 1 ? c[D > 1 ? 1 : 0].texel[j] : 0,
                           z = D > 2 ? c[D > 2 ? 2 : 0].texel[k] : 0;
        corner[i] = x < 0 || y < 0 || z < 0 ? 0.0f : texel(x, y, z);
      }
      row[j] = between(corner[0], corner[1], c[0].fraction);
    }
    plane[k] = D > 1 ? between(row[0], row[1], c[D > 1 ? 1 : 0].fraction) : row[0];
  }
  return one_nan(D > 2 ? between(plane[0], plane[1], c[D > 2 ? 2 : 0].fraction) : plane[0]);
}

}  // namespace amphi::detail
