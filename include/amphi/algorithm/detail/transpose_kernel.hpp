// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/core/extent.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/execution/block.hpp"

// Transposition in tiles: by a block of a GPU through shared memory, by a core of the CPU through registers.

namespace amphi::detail {

inline constexpr const char* transpose_name = "amphi::transpose";

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
  tile_grid(const transposition<T>& d, int edge, bool changes_places)
      : nx(ceil_div(d.nx, edge)), ny(ceil_div(d.ny, edge)), in_place(changes_places) {}

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

// --- on a GPU

template <class T>
inline constexpr int transpose_edge = sizeof(T) <= 4 ? 64 : 32;
inline constexpr int transpose_threads = 256;

// What a block can hold, of one tile or of two.
template <class T, bool InPlace>
inline constexpr bool transposes_in_block = sizeof(T) <= (InPlace ? 16 : 32);

// A tile whose rows are an odd number of words apart, so that a column lies in different banks.
template <class T>
struct tile_room {
  static constexpr int edge = transpose_edge<T>;
  static constexpr int pitch = edge + (sizeof(T) >= 4 ? 1 : 4 / static_cast<int>(sizeof(T)));
  alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[sizeof(T) * edge * pitch];
  AMPHI_HOST_DEVICE T& at(int x, int y) { return reinterpret_cast<T*>(bytes)[y * pitch + x]; }
};

// An element that is not made before it is read.
template <class T>
union unmade {
  T value;
  AMPHI_HOST_DEVICE unmade() {}
};

template <class T, bool InPlace>
struct transpose_in_block {
  static constexpr const char* name = transpose_name;
  static constexpr int edge = transpose_edge<T>;
  static constexpr int step = transpose_threads / edge, rows = edge / step;
  transposition<T> d;
  tile_grid tiles;

  AMPHI_HOST_DEVICE void operator()() const {
    const tile_place a = tiles[block_index().x];
    AMPHI_SHARED(room, tile_room<T>);
    if constexpr (InPlace) {
      AMPHI_SHARED(other_room, tile_room<T>);
      if (a.x < 0) return;
      read(a, room);
      read({a.y, a.x}, other_room);
      this_block().sync();
      write(a, room);
      if (a.x != a.y) write({a.y, a.x}, other_room);
    } else {
      read(a, room);
      this_block().sync();
      write(a, room);
    }
  }

 private:
  AMPHI_HOST_DEVICE static int column() { return static_cast<int>(thread_index().x) % edge; }
  AMPHI_HOST_DEVICE static int row() { return static_cast<int>(thread_index().x) / edge; }

  AMPHI_HOST_DEVICE void read(const tile_place& at, tile_room<T>& room) const {
    const std::int64_t x = at.x * edge + column(), y = at.y * edge + row();
    const T* const from = d.in + y * d.in_pitch + x;
    if ((at.x + 1) * edge <= d.nx && (at.y + 1) * edge <= d.ny) {
      unmade<T> v[rows];  // all in flight together
      for (int r = 0; r < rows; ++r) v[r].value = from[r * step * d.in_pitch];
      for (int r = 0; r < rows; ++r) room.at(column(), row() + r * step) = v[r].value;
    } else {
      for (int r = 0; r < rows; ++r)
        if (x < d.nx && y + r * step < d.ny)
          room.at(column(), row() + r * step) = from[r * step * d.in_pitch];
    }
  }
  AMPHI_HOST_DEVICE void write(const tile_place& at, tile_room<T>& room) const {
    const std::int64_t x = at.x * edge + row(), y = at.y * edge + column();
    T* const to = d.out + x * d.out_pitch + y;
    for (int r = 0; r < rows; ++r)
      if (y < d.ny && x + r * step < d.nx) to[r * step * d.out_pitch] = room.at(row() + r * step, column());
  }
};

// One element after another: any geometry of a GPU, matrices of few rows or columns, large elements.
template <class T>
struct transpose_elements {
  static constexpr const char* name = transpose_name;
  transposition<T> d;
  bool in_place;
  bool along_out;  // neighbouring tasks write neighbours; else they read them

  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    const index2 p = box2_source{{0, 0}, along_out ? d.ny : d.nx}.place(i);
    const std::int64_t x = along_out ? p.y : p.x, y = along_out ? p.x : p.y;
    T& to = d.out[x * d.out_pitch + y];
    if (!in_place) {
      to = d.in[y * d.in_pitch + x];
    } else if (x < y) {
      T& from = d.out[y * d.out_pitch + x];
      const T kept = to;
      to = from;
      from = kept;
    }
  }
};

// --- on the CPU

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

template <class T>
void transpose_matrix(const policy& p, const transposition<T>& d, bool in_place) {
  const algorithm_plan plan = plan_algorithm(transpose_name, p, transpose_threads);
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu) {
      constexpr std::int64_t few = 8;
      const auto in_blocks = [&]<bool InPlace>() {
        if constexpr (transposes_in_block<T, InPlace>) {
          if (!plan.automatic || d.nx <= few || d.ny <= few) return false;
          const tile_grid tiles(d, transpose_edge<T>, InPlace);
          using body = transpose_in_block<T, InPlace>;
          launch_algorithm<gpu_kernel<body, transpose_threads, 1>>(
              with_geometry(plan.launch, tiles.count(), transpose_threads), tiles.count(), body{d, tiles});
          return true;
        }
        return false;
      };
      if (in_place ? in_blocks.template operator()<true>() : in_blocks.template operator()<false>()) return;
      return launch_tasks(plan, d.nx * d.ny, transpose_elements<T>{d, in_place, d.ny < d.nx});
    }
  }
  const tile_grid tiles(d, transpose_tile<T>::edge, in_place);
  launch_host_tasks(plan, tiles.count(), transpose_tile<T>{d, tiles});
}

}  // namespace amphi::detail
