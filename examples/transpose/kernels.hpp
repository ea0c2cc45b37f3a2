// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/core/view.hpp"
#include "amphi/execution/block.hpp"
#include "common/square_tiles.hpp"

// Ways to transpose a matrix of any size: out(y, x) = in(x, y). A block of 32 × 8 threads moves a tile of
// 32 × 32 elements, four rows a thread.

namespace transpose {

using matrix = amphi::view2<float>;
using const_matrix = amphi::view2<const float>;

using square_tiles::geometry;
using square_tiles::here;
using square_tiles::rows;
using square_tiles::tile;

// No transposition: what memory can do.
AMPHI_LAUNCHABLE void copy(const_matrix in, matrix out) {
  const auto [x0, y0, tx, ty] = here();
  for (int j = ty; j < tile; j += rows)
    if (x0 + tx < in.extent().x && y0 + j < in.extent().y) out(x0 + tx, y0 + j) = in(x0 + tx, y0 + j);
}

// A warp reads a row, side by side, and writes a column: 32 places far apart.
AMPHI_LAUNCHABLE void naive(const_matrix in, matrix out) {
  const auto [x0, y0, tx, ty] = here();
  for (int j = ty; j < tile; j += rows)
    if (x0 + tx < in.extent().x && y0 + j < in.extent().y) out(y0 + j, x0 + tx) = in(x0 + tx, y0 + j);
}

// A tile is read by rows and written by rows; columns are read in shared memory only. Without a padding
// column the elements of a column lie in one bank, and a warp waits 32 times.
template <int Padding>
AMPHI_LAUNCHABLE void tiled(const_matrix in, matrix out) {
  AMPHI_SHARED(s, float[tile][tile + Padding]);
  const auto [x0, y0, tx, ty] = here();
  for (int j = ty; j < tile; j += rows)
    if (x0 + tx < in.extent().x && y0 + j < in.extent().y) s[j][tx] = in(x0 + tx, y0 + j);
  amphi::this_block().sync();
  for (int j = ty; j < tile; j += rows)
    if (y0 + tx < in.extent().y && x0 + j < in.extent().x) out(y0 + tx, x0 + j) = s[tx][j];
}

}  // namespace transpose
