// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

// The canonical orders, written a second time and plainly from include/amphi/algorithm/README.md: what the
// library's bodies for CPU and GPU are compared with, by bits.

namespace reference {

// One tile: columns of 1024 lanes top to bottom, then pairs at distances 512, 256, … 1.
template <class A, class Op>
A reduce_tile(const std::vector<A>& x, std::size_t first, std::size_t last, Op op) {
  std::vector<A> lanes;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t lane = (i - first) % 1024;
    if (lane == lanes.size()) {
      lanes.push_back(x[i]);
    } else {
      lanes[lane] = static_cast<A>(op(lanes[lane], x[i]));
    }
  }
  for (std::size_t d = 512; d > 0; d /= 2)
    for (std::size_t l = 0; l < d && l + d < lanes.size(); ++l)
      lanes[l] = static_cast<A>(op(lanes[l], lanes[l + d]));
  return lanes[0];
}

template <class A, class Op>
A reduce(const std::vector<A>& x, A init, Op op) {
  if (x.empty()) return init;
  const std::size_t rows = x.size() < (1u << 20) ? 4 : x.size() < (1u << 21) ? 8 : 16;
  std::vector<A> tiles;
  for (std::size_t base = 0; base < x.size(); base += rows * 1024)
    tiles.push_back(reduce_tile(x, base, std::min(x.size(), base + rows * 1024), op));
  return static_cast<A>(op(init, tiles.size() == 1 ? tiles[0] : reduce_tile(tiles, 0, tiles.size(), op)));
}

// Values of mixed sign and size, whose sum depends on its order.
template <class T>
std::vector<T> values(std::size_t n, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::vector<T> x(n);
  for (T& e : x) {
    if constexpr (std::is_floating_point_v<T>) {
      const double u = static_cast<double>(generator()) / 4294967296.0 - 0.5;
      e = static_cast<T>(u * static_cast<double>(1u << (generator() % 16)));
    } else {
      e = static_cast<T>(generator());
    }
  }
  return x;
}

}  // namespace reference
