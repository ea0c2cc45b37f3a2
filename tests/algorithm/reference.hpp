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
  const std::size_t rows = x.size() < (1u << 20)   ? 4
                           : x.size() < (1u << 21) ? 8
                           : x.size() < (1u << 23) ? 16
                           : x.size() < (1u << 26) ? 32
                                                   : 64;
  std::vector<A> tiles;
  for (std::size_t base = 0; base < x.size(); base += rows * 1024)
    tiles.push_back(reduce_tile(x, base, std::min(x.size(), base + rows * 1024), op));
  return static_cast<A>(op(init, tiles.size() == 1 ? tiles[0] : reduce_tile(tiles, 0, tiles.size(), op)));
}

// Inclusive and exclusive results of one scan.
template <class A>
struct scanned {
  std::vector<A> inclusive, exclusive;
};

// A missing left operand leaves the right one as it is.
template <class A, class Op>
std::vector<A> join(const std::vector<A>& left, const A& right, Op op) {
  return {left.empty() ? right : static_cast<A>(op(left[0], right))};
}

// `init`: one value, or none.
template <class A, class Op>
scanned<A> scan(const std::vector<A>& x, const std::vector<A>& init, Op op) {
  const std::size_t items = sizeof(A) <= 4    ? 32
                            : sizeof(A) <= 8  ? 16
                            : sizeof(A) <= 16 ? 8
                            : sizeof(A) <= 32 ? 4
                                              : 2;
  scanned<A> result;
  std::vector<A> tile_prefix = init;
  for (std::size_t tile = 0; tile < x.size(); tile += 512 * items) {
    std::vector<A> warps;  // left fold of the tile's warps so far
    for (std::size_t warp = tile; warp < std::min(x.size(), tile + 512 * items); warp += 32 * items) {
      std::vector<std::vector<A>> threads;  // running sums of each thread's items
      for (std::size_t i = warp; i < std::min(x.size(), warp + 32 * items); ++i) {
        if ((i - warp) % items == 0)
          threads.push_back({x[i]});
        else
          threads.back().push_back(static_cast<A>(op(threads.back().back(), x[i])));
      }
      std::vector<A> sums;  // Kogge-Stone
      for (const auto& t : threads) sums.push_back(t.back());
      for (std::size_t d = 1; d < 32; d *= 2) {
        const std::vector<A> before = sums;
        for (std::size_t l = d; l < sums.size(); ++l) sums[l] = static_cast<A>(op(before[l - d], before[l]));
      }
      for (std::size_t l = 0; l < threads.size(); ++l) {
        std::vector<A> prefix = tile_prefix;
        if (!warps.empty()) prefix = join(prefix, warps[0], op);
        if (l > 0) prefix = join(prefix, sums[l - 1], op);
        for (std::size_t k = 0; k < threads[l].size(); ++k) {
          result.inclusive.push_back(join(prefix, threads[l][k], op)[0]);
          if (!init.empty())
            result.exclusive.push_back(k == 0 ? prefix[0] : join(prefix, threads[l][k - 1], op)[0]);
        }
      }
      warps = join(warps, sums.back(), op);
    }
    tile_prefix = join(tile_prefix, warps[0], op);
  }
  return result;
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
