// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/core/view.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/memory/constant.hpp"
#include "common/square_tiles.hpp"

// A filter of (2 Radius + 1)² weights is applied to a picture of any size. Each sum is taken row by row from
// its upper left weight on, so that every way gives the bits of the plain loop.

namespace convolution {

using image = amphi::view2<float>;
using const_image = amphi::view2<const float>;

inline constexpr int most_radius = 8, most_weights = (2 * most_radius + 1) * (2 * most_radius + 1);

// All lanes of a warp need the same weight at the same time: what constant memory is made for.
AMPHI_CONSTANT(weights, float[most_weights]);

// What lies outside the picture.
enum class border { clamp, mirror, zero };  // the nearest pixel; the picture reflected; nothing

// The coordinate that stands for i, of n; -1 for none.
AMPHI_LAUNCHABLE int source(border b, int i, int n) {
  if (i >= 0 && i < n) return i;
  if (b == border::zero) return -1;
  if (b == border::clamp) return i < 0 ? 0 : n - 1;
  const int period = 2 * n, m = (i % period + period) % period;
  return m < n ? m : period - 1 - m;
}

AMPHI_LAUNCHABLE float pixel(const_image in, border b, int x, int y) {
  const int sx = source(b, x, static_cast<int>(in.extent().x)),
            sy = source(b, y, static_cast<int>(in.extent().y));
  return sx < 0 || sy < 0 ? 0.0f : in(sx, sy);
}

using square_tiles::geometry;
using square_tiles::here;
using square_tiles::rows;
using square_tiles::tile;

// Each pixel is read from global memory as often as there are weights.
template <int Radius>
AMPHI_LAUNCHABLE void naive(const_image in, border b, image out) {
  const auto [x0, y0, tx, ty] = here();
  for (int j = ty; j < tile; j += rows) {
    const int x = x0 + tx, y = y0 + j;
    if (x >= in.extent().x || y >= in.extent().y) continue;
    float sum = 0.0f;
    int k = 0;
    for (int dy = -Radius; dy <= Radius; ++dy)
      for (int dx = -Radius; dx <= Radius; ++dx) sum += weights[k++] * pixel(in, b, x + dx, y + dy);
    out(x, y) = sum;
  }
}

// The tile and a halo around it are read once, and the border rule is applied there; the weights then pass
// over shared memory, where a row of lanes reads a row of pixels.
template <int Radius>
AMPHI_LAUNCHABLE void tiled(const_image in, border b, image out) {
  static_assert(Radius <= most_radius);
  constexpr int side = tile + 2 * Radius;
  AMPHI_SHARED(s, float[side][side]);
  const auto [x0, y0, tx, ty] = here();
  for (int j = ty; j < side; j += rows)
    for (int i = tx; i < side; i += tile) s[j][i] = pixel(in, b, x0 + i - Radius, y0 + j - Radius);
  amphi::this_block().sync();
  for (int j = ty; j < tile; j += rows) {
    if (x0 + tx >= in.extent().x || y0 + j >= in.extent().y) continue;
    float sum = 0.0f;
    int k = 0;
    for (int dy = 0; dy <= 2 * Radius; ++dy)
      for (int dx = 0; dx <= 2 * Radius; ++dx) sum += weights[k++] * s[j + dy][tx + dx];
    out(x0 + tx, y0 + j) = sum;
  }
}

}  // namespace convolution
