// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/integer.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/runtime/policy.hpp"

// Three ways to C = A B for matrices of any size: A is m × k, B k × n, C m × n, all row by row. Each element
// is summed from the first product to the last, so that all have the bits of the plain triple loop.

namespace matmul {

inline constexpr int tile = 16;  // a block is 16 × 16 threads

// The grid of blocks that make `rows` × `columns` elements each.
inline amphi::policy geometry(int m, int n, int rows, int columns, amphi::policy p = {}) {
  p.grid = {amphi::ceil_div(n, columns), amphi::ceil_div(m, rows)};
  p.block = {tile, tile};
  return p;
}

AMPHI_LAUNCHABLE std::int64_t at(int row, int column, int columns) {
  return static_cast<std::int64_t>(row) * columns + column;
}

// The calling thread's place in its block, and the first row and column of what the block makes.
struct place {
  int x, y, row, column;
};
AMPHI_LAUNCHABLE place here(int rows, int columns) {
  const amphi::launch_index block = amphi::block_index(), thread = amphi::thread_index();
  return {static_cast<int>(thread.x), static_cast<int>(thread.y), static_cast<int>(block.y) * rows,
          static_cast<int>(block.x) * columns};
}

// One element a thread; each reads a row of A and a column of B from global memory.
AMPHI_LAUNCHABLE void naive(int m, int n, int k, const float* a, const float* b, float* c) {
  const auto [x, y, first_row, first_column] = here(tile, tile);
  const int row = first_row + y, column = first_column + x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[at(row, i, k)] * b[at(i, column, n)];
  c[at(row, column, n)] = sum;
}

// The block brings a tile of A and one of B into shared memory, where each element is used 16 times. What
// lies outside the matrices is 0.
AMPHI_LAUNCHABLE void tiled(int m, int n, int k, const float* a, const float* b, float* c) {
  AMPHI_SHARED(as, float[tile][tile]);
  AMPHI_SHARED(bs, float[tile][tile]);
  const auto block = amphi::this_block();
  const auto [x, y, first_row, first_column] = here(tile, tile);
  const int row = first_row + y, column = first_column + x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += tile) {
    as[y][x] = row < m && first + x < k ? a[at(row, first + x, k)] : 0.0f;
    bs[y][x] = column < n && first + y < k ? b[at(first + y, column, n)] : 0.0f;
    block.sync();
    for (int i = 0; i < tile; ++i) sum += as[y][i] * bs[i][x];
    block.sync();
  }
  if (row < m && column < n) c[at(row, column, n)] = sum;
}

// Thread coarsening: a thread makes Rows × Columns elements, 16 apart from each other, so that what it reads
// from shared memory is used Columns or Rows times, from a register.
template <int Rows, int Columns>
AMPHI_LAUNCHABLE void coarsened(int m, int n, int k, const float* a, const float* b, float* c) {
  AMPHI_SHARED(as, float[tile * Rows][tile]);
  AMPHI_SHARED(bs, float[tile][tile * Columns]);
  const auto block = amphi::this_block();
  const auto [x, y, first_row, first_column] = here(tile * Rows, tile * Columns);
  float sum[Rows][Columns] = {};
  for (int first = 0; first < k; first += tile) {
    for (int r = 0; r < Rows; ++r) {
      const int row = first_row + r * tile + y;
      as[r * tile + y][x] = row < m && first + x < k ? a[at(row, first + x, k)] : 0.0f;
    }
    for (int q = 0; q < Columns; ++q) {
      const int column = first_column + q * tile + x;
      bs[y][q * tile + x] = column < n && first + y < k ? b[at(first + y, column, n)] : 0.0f;
    }
    block.sync();
    for (int i = 0; i < tile; ++i) {
      float of_a[Rows], of_b[Columns];
      for (int r = 0; r < Rows; ++r) of_a[r] = as[r * tile + y][i];
      for (int q = 0; q < Columns; ++q) of_b[q] = bs[i][q * tile + x];
      for (int r = 0; r < Rows; ++r)
        for (int q = 0; q < Columns; ++q) sum[r][q] += of_a[r] * of_b[q];
    }
    block.sync();
  }
  for (int r = 0; r < Rows; ++r)
    for (int q = 0; q < Columns; ++q) {
      const int row = first_row + r * tile + y, column = first_column + q * tile + x;
      if (row < m && column < n) c[at(row, column, n)] = sum[r][q];
    }
}

}  // namespace matmul
