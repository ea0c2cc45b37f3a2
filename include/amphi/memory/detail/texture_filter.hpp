// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "amphi/memory/texture_options.hpp"

// What a GPU's texture unit computes, written in integers for the CPU. Found by experiment, not documented by
// the vendor; README.md of this folder states the rule and how it was compared.

namespace amphi::detail {

// A coordinate between the centres of two texels: the lower one's index, which may lie outside of the
// texture, and the weight of the other one in 1/256.
struct texture_cell {
  std::int64_t index;
  int fraction;
};

// Far outside of every texture; what lies further out is treated as if it lay here.
inline constexpr double farthest_texel = 1e9;

inline double position_in_texels(float coordinate, std::int64_t size, bool normalized) {
  const double p = normalized ? static_cast<double>(coordinate) * static_cast<double>(size) : coordinate;
  return p >= farthest_texel ? farthest_texel : p > -farthest_texel ? p : p != p ? 0.0 : -farthest_texel;
}

// The fraction is rounded half up, so that the upper 1/512 of a cell belongs to the next.
inline texture_cell linear_cell(double position) {
  const auto steps = static_cast<std::int64_t>(std::floor(position * 256 - 127.5));
  return {steps >> 8, static_cast<int>(steps & 255)};
}

inline std::int64_t point_cell(double position) { return static_cast<std::int64_t>(std::floor(position)); }

// The texel that stands at an index; negative where there is none.
inline std::int64_t texel_index(std::int64_t i, std::int64_t size, address_mode mode) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case address_mode::clamp:
      return i < 0 ? 0 : size - 1;
    case address_mode::wrap:
      return (i % size + size) % size;
    case address_mode::mirror: {
      const std::int64_t m = (i % (2 * size) + 2 * size) % (2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case address_mode::border:
      break;
  }
  return -1;
}

// Weights in 1/256 of the corners of a cell, which sum to 256; bit k of a corner's number says which side of
// axis k it stands on. Rounding a weight of a row leaves the rest to the other row.
inline void corner_weights(const int (&fraction)[1], int (&w)[2]) {
  w[0] = 256 - fraction[0];
  w[1] = fraction[0];
}

inline void slice_weights(int all, int a, int b, int* w) {
  const int right = (all * a + 128) >> 8, left = all - right;
  w[3] = (right * b + 128) >> 8;
  w[1] = right - w[3];
  w[2] = (left * b + 127) >> 8;
  w[0] = left - w[2];
}

inline void corner_weights(const int (&fraction)[2], int (&w)[4]) {
  slice_weights(256, fraction[0], fraction[1], w);
}

inline void corner_weights(const int (&fraction)[3], int (&w)[8]) {
  slice_weights(256 - fraction[2], fraction[0], fraction[1], w);
  slice_weights(fraction[2], fraction[0], fraction[1], w + 4);
}

// sum * 2^exponent as a float, rounded to nearest, ties away from zero.
inline float rounded_away(std::int64_t sum, int exponent) {
  if (sum == 0) return 0.0f;
  auto v = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  // The result is v * 2^e with 24 bits of v, or fewer where floats become subnormal.
  int drop = 40 - std::countl_zero(v);
  if (exponent + drop < -149) drop = -149 - exponent;
  if (drop > 0) {
    v = drop > 63 ? 0 : (v + (std::uint64_t{1} << (drop - 1))) >> drop;
  } else {
    v <<= -drop;
  }
  // The bit that a mantissa hides counts one in the exponent's field.
  const std::uint64_t bits = (static_cast<std::uint64_t>(exponent + drop + 149) << 23) + v;
  const auto magnitude = bits < 0x7f800000u ? static_cast<std::uint32_t>(bits) : 0x7f800000u;
  return std::bit_cast<float>(magnitude | (sum < 0 ? 0x80000000u : 0u));
}

// The weighted mean of N float texels. They are aligned to the largest of their exponents and cut off 4 bits
// below its mantissa; the sum of what remains is exact.
template <int N>
float filtered(const float (&texel)[N], const int (&weight)[N]) {
  constexpr int guard_bits = 4;
  std::uint32_t bits[N];
  int largest = 1, infinities = 0;  // 1: positive, 2: negative
  for (int i = 0; i < N; ++i) {
    bits[i] = std::bit_cast<std::uint32_t>(texel[i]);
    if (weight[i] == 0) continue;
    const int exponent = static_cast<int>(bits[i] >> 23 & 255);
    if (exponent > largest) largest = exponent;
    if (exponent == 255) infinities |= (bits[i] << 9) != 0 ? 3 : (bits[i] >> 31) != 0 ? 2 : 1;
  }
  if (infinities != 0) {
    const std::uint32_t special[] = {0x7f800000u, 0xff800000u, 0x7fffffffu};
    return std::bit_cast<float>(special[infinities - 1]);
  }
  std::int64_t sum = 0;
  for (int i = 0; i < N; ++i) {
    if (weight[i] == 0) continue;
    const int field = static_cast<int>(bits[i] >> 23 & 255);
    std::int64_t mantissa = static_cast<std::int64_t>(bits[i] & 0x7fffffu) + (field != 0 ? 0x800000 : 0);
    const int shift = largest - (field != 0 ? field : 1);
    mantissa = shift > 31 ? 0 : (mantissa << guard_bits) >> shift;
    sum += ((bits[i] >> 31) != 0 ? -mantissa : mantissa) * weight[i];
  }
  return rounded_away(sum, largest - 150 - guard_bits - 8);
}

// One sample of a texture of float texels. `texels(i, j, k)` gives one; missing axes have the index 0.
template <int D, class Texels>
float sampled(const Texels& texels, const std::int64_t (&size)[D], const float (&coordinate)[D],
              const texture_options& how) {
  const address_mode modes[3] = {how.address.x, how.address.y, how.address.z};
  if (how.sampling == sampling::point) {
    std::int64_t at[3] = {0, 0, 0};
    for (int d = 0; d < D; ++d) {
      at[d] = texel_index(point_cell(position_in_texels(coordinate[d], size[d], how.normalized)), size[d],
                          modes[d]);
      if (at[d] < 0) return 0.0f;
    }
    return texels(at[0], at[1], at[2]);
  }
  std::int64_t at[3][2] = {};
  int fraction[D];
  for (int d = 0; d < D; ++d) {
    const texture_cell c = linear_cell(position_in_texels(coordinate[d], size[d], how.normalized));
    at[d][0] = texel_index(c.index, size[d], modes[d]);
    at[d][1] = texel_index(c.index + 1, size[d], modes[d]);
    fraction[d] = c.fraction;
  }
  int weight[1 << D];
  corner_weights(fraction, weight);
  float corner[1 << D];
  for (int q = 0; q < 1 << D; ++q) {
    const std::int64_t i = at[0][q & 1], j = at[1][q >> 1 & 1], k = at[2][q >> 2];
    corner[q] = i < 0 || j < 0 || k < 0 ? 0.0f : texels(i, j, k);
  }
  return filtered(corner, weight);
}

}  // namespace amphi::detail
