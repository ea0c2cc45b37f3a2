// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/core/extent.hpp"
#include "amphi/core/integer.hpp"

// What a transposition works on, and its division into tiles.

namespace amphi::detail {

inline constexpr const char* transpose_name = "amphi::transpose";
inline constexpr int transpose_threads = 512;  // of the largest block of a GPU

// A matrix as the compiled library sees it; the pitch in elements.
struct matrix_bytes {
  const void* data;
  extent2 extent;
  std::int64_t pitch;
};

// Throws bounds_error unless `out` has room for the transpose of `in`, elements of `size` bytes, and is
// either the same square matrix, which gives true, or shares no element with it.
bool check_transpose(const matrix_bytes& in, const matrix_bytes& out, std::size_t size);

// Element (x, y) of nx × ny goes to (y, x). Pitches in bytes; elements of 1, 2, 4, 8 or 16 bytes.
void transpose_bytes(const void* in, std::int64_t in_pitch, void* out, std::int64_t out_pitch,
                     std::int64_t nx, std::int64_t ny, std::size_t size);

template <class T>
struct transposition {
  const T* in;
  T* out;
  std::int64_t in_pitch, out_pitch;
  std::int64_t nx, ny;  // of `in`
};

// Tile (x, y) of `in` becomes tile (y, x) of `out`.
struct tile_place {
  std::int64_t x, y;
};

// Tiles of both matrices: those of a rectangle, or one of each pair that changes places in a square.
struct tile_grid {
  std::int64_t nx, ny;
  bool in_place;

  template <class T>
  tile_grid(const transposition<T>& d, int width, int height, bool changes_places)
      : nx(ceil_div(d.nx, width)), ny(ceil_div(d.ny, height)), in_place(changes_places) {}

  // Of pairs, row r has ny − r; the shortest row fills up the longest.
  std::int64_t count() const { return in_place ? (ny + 1) / 2 * (ny + 1) : nx * ny; }
  // The place of tile i; tiles of one column of `in`, which one row of `out` gets, follow each other. A
  // negative one stands for no tile.
  AMPHI_HOST_DEVICE tile_place operator[](std::int64_t i) const {
    const index2 at = box2_source{{0, 0}, in_place ? ny + 1 : ny}.place(i);
    if (!in_place) return {at.y, at.x};
    const std::int64_t row = at.y, mirrored = ny - 1 - row;
    if (at.x < ny - row) return {row, row + at.x};
    return mirrored == row ? tile_place{-1, -1} : tile_place{mirrored, at.x - 1};
  }
};

}  // namespace amphi::detail
