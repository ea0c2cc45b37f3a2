// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/transpose_tiles.hpp"
#include "amphi/core/function_objects.hpp"

// Transposition by a core of the CPU, a tile at a time, through registers.

namespace amphi::detail {

// Rows of some cache lines, and 64 KiB in all.
template <class T>
inline constexpr int core_edge = [] {
  constexpr std::size_t size = sizeof(T);
  return size == 1 ? 256 : size <= 4 ? 128 : size <= 8 ? 64 : size <= 64 ? 32 : 8;
}();

template <class T>
struct transpose_tile {
  static constexpr const char* name = transpose_name;
  static constexpr int edge = core_edge<T>;
  transposition<T> d;
  tile_grid tiles;

  void operator()(std::int64_t i) const {
    const tile_place at = tiles[i];
    if (at.x < 0) return;
    const std::int64_t x = at.x * edge, y = at.y * edge;
    const std::int64_t nx = least(d.nx - x, std::int64_t{edge}), ny = least(d.ny - y, std::int64_t{edge});
    const T* const from = d.in + y * d.in_pitch + x;
    T* const to = d.out + x * d.out_pitch + y;
    if (!tiles.in_place) return on_core(from, d.in_pitch, to, d.out_pitch, nx, ny);
    // Through a buffer, whose rows go where the other tile was.
    alignas(64) unsigned char bytes[sizeof(T) * edge * edge];
    T* const kept = reinterpret_cast<T*>(bytes);
    on_core(from, d.in_pitch, kept, edge, nx, ny);
    if (at.x != at.y) on_core(to, d.out_pitch, d.out + y * d.in_pitch + x, d.in_pitch, ny, nx);
    for (std::int64_t r = 0; r < nx; ++r)
      for (std::int64_t c = 0; c < ny; ++c) to[r * d.out_pitch + c] = kept[r * edge + c];
  }

 private:
  static void on_core(const T* in, std::int64_t in_pitch, T* out, std::int64_t out_pitch, std::int64_t nx,
                      std::int64_t ny) {
    constexpr std::size_t size = sizeof(T);
    if constexpr (size <= 16 && (size & (size - 1)) == 0) {
      constexpr auto bytes = static_cast<std::int64_t>(size);
      transpose_bytes(in, in_pitch * bytes, out, out_pitch * bytes, nx, ny, size);
    } else {
      for (std::int64_t x = 0; x < nx; ++x)
        for (std::int64_t y = 0; y < ny; ++y) out[x * out_pitch + y] = in[y * in_pitch + x];
    }
  }
};

}  // namespace amphi::detail
