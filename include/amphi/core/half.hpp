// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

#include "amphi/config/macros.hpp"

namespace amphi {

// A 16-bit IEEE number for storage, with the layout of CUDA's __half and without its header. It computes
// nothing: it is made from a float, rounded to nearest even, and read as one, exactly. A NaN keeps the bits
// that fit.
struct half {
  std::uint16_t bits = 0;

  constexpr half() = default;
  AMPHI_HOST_DEVICE constexpr explicit half(float value)
      : bits(rounded(std::bit_cast<std::uint32_t>(value))) {}
  AMPHI_HOST_DEVICE static constexpr half from_bits(std::uint16_t b) {
    half h;
    h.bits = b;
    return h;
  }

  AMPHI_HOST_DEVICE constexpr operator float() const {
    const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u;
    std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    if (mantissa == 0) return std::bit_cast<float>(sign);
    std::uint32_t e = 113;
    for (; (mantissa & 0x400u) == 0; mantissa <<= 1) --e;
    return std::bit_cast<float>(sign | e << 23 | (mantissa & 0x3ffu) << 13);
  }

 private:
  AMPHI_HOST_DEVICE static constexpr std::uint16_t rounded(std::uint32_t f) {
    const std::uint32_t sign = f >> 16 & 0x8000u, magnitude = f & 0x7fffffffu;
    std::uint32_t h = 0;
    if (magnitude > 0x7f800000u) {  // NaN, which must not become infinity
      h = 0x7c00u | (magnitude >> 13 & 0x3ffu) | ((magnitude >> 13 & 0x3ffu) == 0 ? 0x200u : 0u);
    } else if (magnitude >= 0x477ff000u) {
      h = 0x7c00u;
    } else if (magnitude >= 0x38800000u) {
      h = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    } else if (magnitude > 0x33000000u) {
      const std::uint32_t shift = 126 - (magnitude >> 23), m = (magnitude & 0x7fffffu) | 0x800000u;
      h = m >> shift;
      const std::uint32_t rest = m & ((1u << shift) - 1u), tie = 1u << (shift - 1);
      h += rest > tie || (rest == tie && (h & 1u) != 0) ? 1u : 0u;
    }
    return static_cast<std::uint16_t>(sign | h);
  }
};

static_assert(sizeof(half) == 2);

}  // namespace amphi
