// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "amphi/memory/detail/texture_sample.hpp"

// The arithmetic of a texture unit, in integers.

namespace amphi::detail {
namespace {

// Far outside of every texture.
constexpr double farthest_texel = 1e9;

// Bits behind the binary point of a normalised coordinate, which depend on the size.
int coordinate_bits(std::int64_t size) { return size <= 8192 ? 21 : size <= 65536 ? 22 : 23; }

// A coordinate in texels, from the edge of the first.
double position_in_texels(float x, std::int64_t size, bool normalized, address_mode mode) {
  if (!(std::fabs(x) >= 0x1p-126f)) return 0;  // NaN and subnormals too
  if (!normalized) return std::clamp(static_cast<double>(x), -farthest_texel, farthest_texel);
  double c = x;
  if (mode == address_mode::wrap || mode == address_mode::mirror) {
    if (std::isinf(x)) return 0;
    c = std::fmod(c, 2.0);
  } else {
    c = std::clamp(c, -4.0, 4.0);
  }
  const double one = static_cast<double>(std::int64_t{1} << coordinate_bits(size));
  return std::floor(c * one) * static_cast<double>(size) / one;
}

// A float is a mantissa of 24 bits, a half one of 11; both are summed with 4 more.
struct format {
  int mantissa_bits;  // stored ones
  int exponent_bits;
  int bias;
};
constexpr format single_format{23, 8, 127}, half_format{10, 5, 15};
constexpr int guard_bits = 4;

struct parts {
  bool negative;
  int exponent;           // the stored field; 0 for zero
  std::int64_t mantissa;  // with the hidden bit
};

parts split(std::uint32_t bits, const format& f) {
  const std::uint32_t field = bits >> f.mantissa_bits & ((1u << f.exponent_bits) - 1);
  std::int64_t mantissa = static_cast<std::int64_t>(bits & ((1u << f.mantissa_bits) - 1));
  const bool negative = (bits >> (f.mantissa_bits + f.exponent_bits) & 1u) != 0;
  if (field != 0) return {negative, static_cast<int>(field), mantissa | std::int64_t{1} << f.mantissa_bits};
  // Half texels may be subnormal; float ones count as zero.
  return {negative, 1, f.mantissa_bits == 10 ? mantissa : 0};
}

// A sum of weighted texels in units of 2^(exponent - bias - mantissa_bits - guard_bits - 8); exponent 0 when
// nothing was summed.
struct slice_sum {
  std::int64_t sum = 0;
  int exponent = 0;
};

// Texels are aligned to the largest exponent among those that have a weight, and cut off.
slice_sum sum_slice(const parts* texel, const int* weight, int n) {
  slice_sum s;
  for (int i = 0; i < n; ++i)
    if (weight[i] != 0) s.exponent = std::max(s.exponent, texel[i].exponent);
  for (int i = 0; i < n; ++i) {
    if (weight[i] == 0) continue;
    const int shift = s.exponent - texel[i].exponent;
    const std::int64_t m = shift > 40 ? 0 : (texel[i].mantissa << guard_bits) >> shift;
    s.sum += (texel[i].negative ? -m : m) * weight[i];
  }
  return s;
}

// The slices of a three-dimensional cell are added with exponents that are multiples of 4: the sum with the
// smaller one loses what lies below the other's unit, downwards.
slice_sum add_slices(const slice_sum& a, const slice_sum& b) {
  const int unit = std::max(a.exponent, b.exponent) & ~3;
  const auto aligned = [unit](const slice_sum& s) {
    const int shift = unit - (s.exponent & ~3);
    return (s.sum * (1 << (s.exponent & 3))) >> std::min(shift, 62);
  };
  return {aligned(a) + aligned(b), unit};
}

// sum * 2^unit, rounded to nearest, ties away from zero, to 24 or 11 bits.
float rounded_away(std::int64_t sum, int unit, const format& f) {
  const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
  auto v = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int top = 63 - std::countl_zero(v);
  const bool is_half = f.mantissa_bits == 10;
  // Results below the normal floats are zero; halfs become subnormal.
  if (!is_half && top + unit < -126) return std::bit_cast<float>(sign);
  int drop = top - f.mantissa_bits;
  if (is_half && unit + drop < -24) drop = -24 - unit;
  if (drop > 62) return std::bit_cast<float>(sign);
  if (drop > 0) {
    v = (v + (std::uint64_t{1} << (drop - 1))) >> drop;
  } else {
    v <<= -drop;
  }
  if (is_half) {
    const float magnitude = std::ldexp(static_cast<float>(v), unit + drop);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint64_t bits = (static_cast<std::uint64_t>(unit + drop + 149) << 23) + v;
  return std::bit_cast<float>(static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, 0x7f800000u)) | sign);
}

// `touched`: corners that no axis excludes. They decide about NaN, infinities and the sign of zero, also when
// their weight was rounded to zero.
float filtered_numbers(const format& f, int dimensions, const std::uint32_t* bits, const int* weight,
                       unsigned touched) {
  const int n = 1 << dimensions;
  const int special = (1 << f.exponent_bits) - 1;
  const bool is_half = f.mantissa_bits == 10;
  parts texel[8];
  bool nan = false, plus = false, minus = false, minus_zeros = true;
  for (int i = 0; i < n; ++i) {
    texel[i] = split(bits[i], f);
    if ((touched >> i & 1u) == 0) continue;
    if (!texel[i].negative || texel[i].mantissa != 0) minus_zeros = false;
    if (texel[i].exponent != special) continue;
    if (texel[i].mantissa != std::int64_t{1} << f.mantissa_bits)
      nan = true;
    else
      (texel[i].negative ? minus : plus) = true;
  }
  if (nan || (plus && minus)) return std::bit_cast<float>(is_half ? 0x7fffe000u : 0x7fffffffu);
  if (plus || minus) return std::bit_cast<float>(plus ? 0x7f800000u : 0xff800000u);
  const int per_slice = std::min(n, 4);
  slice_sum all = sum_slice(texel, weight, per_slice);
  if (dimensions == 3) all = add_slices(all, sum_slice(texel + 4, weight + 4, 4));
  if (all.sum == 0) return minus_zeros ? -0.0f : 0.0f;
  return rounded_away(all.sum, all.exponent - f.bias - f.mantissa_bits - guard_bits - 8, f);
}

// Integers are summed with 16 bits, and rounded to them half up.
float filtered_integers(texel_kind kind, int n, const std::uint32_t* bits, const int* weight) {
  std::int32_t s = 0;
  const auto sum = [&](auto value) {
    for (int i = 0; i < n; ++i) s += static_cast<std::int32_t>(value(bits[i])) * weight[i];
  };
  switch (kind) {
    case texel_kind::u8:
      sum([](std::uint32_t b) { return b * 257u; });
      return static_cast<float>((s + 128) >> 8) / 65535.0f;
    case texel_kind::u16:
      sum([](std::uint32_t b) { return b; });
      return static_cast<float>((s + 128) >> 8) / 65535.0f;
    case texel_kind::s16:
      sum([](std::uint32_t b) { return static_cast<std::int16_t>(b); });
      s = (s + 128) >> 8;
      break;
    default:
      // 8 bits with sign become 16 after the sum: times 1 + 1/128 + 1/128^2, with few bits of it.
      sum([](std::uint32_t b) { return static_cast<std::int8_t>(b); });
      s += ((s >> 4) + (s >> 12) + 4) >> 3;
      break;
  }
  return static_cast<float>(std::max(s, -32767)) / 32767.0f;
}

void slice_weights(int all, int a, int b, int* w) {
  const int right = (all * a + 128) >> 8, left = all - right;
  w[3] = (right * b + 128) >> 8;
  w[1] = right - w[3];
  w[2] = (left * b + 127) >> 8;
  w[0] = left - w[2];
}

}  // namespace

std::int64_t texel_index(std::int64_t i, std::int64_t size, address_mode mode) {
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

std::int64_t locate_texel(float x, std::int64_t size, bool normalized, address_mode mode) {
  const double p = position_in_texels(x, size, normalized, mode);
  return texel_index(static_cast<std::int64_t>(std::floor(p)), size, mode);
}

texture_cell locate_cell(float x, std::int64_t size, bool normalized, address_mode mode) {
  // The fraction is rounded half up, so that the upper 1/512 of a cell belongs to the next.
  const double p = position_in_texels(x, size, normalized, mode);
  const auto steps = static_cast<std::int64_t>(std::floor(p * 256 - 127.5));
  const std::int64_t i = steps >> 8;
  // A coordinate that is clamped lies at the centre of the outermost texel: it has no fraction, which shows
  // where weights of several axes are rounded.
  if (mode == address_mode::clamp && (i < 0 || i >= size - 1)) {
    const std::int64_t edge = texel_index(i, size, mode);
    return {{edge, edge}, 0};
  }
  return {{texel_index(i, size, mode), texel_index(i + 1, size, mode)}, static_cast<int>(steps & 255)};
}

void corner_weights(int dimensions, const int* fractions, int* weights) {
  if (dimensions == 1) {
    weights[0] = 256 - fractions[0];
    weights[1] = fractions[0];
  } else if (dimensions == 2) {
    slice_weights(256, fractions[0], fractions[1], weights);
  } else {
    slice_weights(256 - fractions[2], fractions[0], fractions[1], weights);
    slice_weights(fractions[2], fractions[0], fractions[1], weights + 4);
  }
}

float filtered_cell(texel_kind kind, int dimensions, const std::uint32_t* corners, const int* fractions) {
  int weights[8];
  corner_weights(dimensions, fractions, weights);
  const int n = 1 << dimensions;
  if (kind != texel_kind::f32 && kind != texel_kind::f16) return filtered_integers(kind, n, corners, weights);
  unsigned touched = (1u << n) - 1;
  constexpr unsigned upper[] = {0xaau, 0xccu, 0xf0u};
  for (int d = 0; d < dimensions; ++d)
    if (fractions[d] == 0) touched &= ~upper[d];
  return filtered_numbers(kind == texel_kind::f32 ? single_format : half_format, dimensions, corners, weights,
                          touched);
}

}  // namespace amphi::detail
