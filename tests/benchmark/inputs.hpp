// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "amphi/core/view.hpp"

// What algorithms are measured on.

namespace benchmark {

struct axpy {
  float a;
  AMPHI_HOST_DEVICE float operator()(float x, float y) const { return a * x + y; }
};
inline constexpr float a = 1e-9f;  // keeps y bounded over many calls

inline std::vector<std::int64_t> lengths(std::int64_t most) {
  std::vector<std::int64_t> all;
  for (const int bits : {10, 12, 14, 16, 18, 20, 22, 24, 26, 29})
    if (const auto n = std::int64_t{1} << bits; n <= most) all.push_back(n);
  if (most > 1 << 26) all.push_back((std::int64_t{1} << 26) - 12345);
  return all;
}

// Small whole numbers without order, so that sums of floats are near those in another order.
template <class T>
void fill_numbers(amphi::view<T> v) {
  std::uint32_t state = 1;
  for (T& e : v) {
    state = state * 1664525u + 1013904223u;
    e = static_cast<T>(static_cast<int>(state >> 20) - 2048);
  }
}

}  // namespace benchmark
