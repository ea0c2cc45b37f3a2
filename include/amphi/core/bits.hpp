// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"

// Counting bits, with the names and results of <bit>, on both sides. Unsigned integers of any size.

namespace amphi {

template <class T>
concept unsigned_integer = integer<T> && std::is_unsigned_v<T>;

// Bits that are set.
template <unsigned_integer T>
AMPHI_HOST_DEVICE constexpr int popcount(T x) {
#if AMPHI_DEVICE_CODE
  if (!std::is_constant_evaluated()) {
    if constexpr (sizeof(T) <= 4) return __popc(x);
    return __popcll(x);
  }
#endif
  return __builtin_popcountll(x);
}

// Zeros above the highest bit that is set; all bits when there is none.
template <unsigned_integer T>
AMPHI_HOST_DEVICE constexpr int countl_zero(T x) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
#if AMPHI_DEVICE_CODE
  if (!std::is_constant_evaluated()) {
    if constexpr (sizeof(T) <= 4) return __clz(static_cast<int>(static_cast<std::uint32_t>(x))) - (32 - bits);
    return __clzll(static_cast<long long>(x));
  }
#endif
  return x == 0 ? bits : __builtin_clzll(x) - (64 - bits);
}

// Zeros below the lowest bit that is set; all bits when there is none.
template <unsigned_integer T>
AMPHI_HOST_DEVICE constexpr int countr_zero(T x) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
#if AMPHI_DEVICE_CODE
  if (!std::is_constant_evaluated()) {
    if (x == 0) return bits;
    if constexpr (sizeof(T) <= 4) return __ffs(static_cast<int>(static_cast<std::uint32_t>(x))) - 1;
    return __ffsll(static_cast<long long>(x)) - 1;
  }
  return x == 0 ? bits : __builtin_popcountll((x & (~x + 1)) - 1);  // nvcc has no ctz for devices
#else
  return x == 0 ? bits : __builtin_ctzll(x);
#endif
}

}  // namespace amphi
