// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/transpose_tiles.hpp"
#include "amphi/algorithm/detail/unmade.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/shared.hpp"
#include "amphi/execution/thread_index.hpp"

// Transposition by a block of a GPU, a tile at a time, through shared memory. Bodies for both sides.

namespace amphi::detail {

struct block_tile {
  int width, height;  // of the tile of `in`
  int threads;
};

// Tall tiles, whose runs in `out` are the longer ones; wide tiles for a matrix of few rows.
enum class tile_form { tall, wide, in_place };

template <class T, tile_form Form>
inline constexpr block_tile transpose_tile_of = [] {
  if (Form == tile_form::in_place) return sizeof(T) <= 4 ? block_tile{64, 64, 512} : block_tile{32, 32, 256};
  if (sizeof(T) <= 4) return Form == tile_form::tall ? block_tile{64, 128, 512} : block_tile{128, 64, 512};
  return sizeof(T) <= 8 ? block_tile{64, 64, 512} : block_tile{32, 32, 256};
}();

// What a block can hold, of one tile or of two.
template <class T, bool InPlace>
inline constexpr bool transposes_in_block = sizeof(T) <= (InPlace ? 16 : 32);

// A tile whose rows are an odd number of words apart, so that a column lies in different banks.
template <class T, int Width, int Height>
struct tile_room {
  static constexpr int pitch = Width + (sizeof(T) >= 4 ? 1 : 4 / static_cast<int>(sizeof(T)));
  alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[sizeof(T) * Height * pitch];
  AMPHI_HOST_DEVICE T& at(int x, int y) { return reinterpret_cast<T*>(bytes)[y * pitch + x]; }
};

template <class T, tile_form Form>
struct transpose_in_block {
  static constexpr const char* name = transpose_name;
  static constexpr block_tile tile = transpose_tile_of<T, Form>;
  static constexpr int width = tile.width, height = tile.height, warps = tile.threads / 32;
  using room_type = tile_room<T, width, height>;
  transposition<T> d;
  tile_grid tiles;

  AMPHI_HOST_DEVICE void operator()() const {
    const tile_place a = tiles[block_index().x];
    AMPHI_SHARED(room, room_type);
    if constexpr (Form == tile_form::in_place) {
      AMPHI_SHARED(other_room, room_type);
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
  AMPHI_HOST_DEVICE static int thread() { return static_cast<int>(thread_index().x); }

  AMPHI_HOST_DEVICE void read(const tile_place& at, room_type& room) const {
    constexpr int step = tile.threads / width, rows = height / step;
    const int column = thread() % width, row = thread() / width;
    const std::int64_t x = at.x * width + column, y = at.y * height + row;
    unmade<T> v[rows];  // all in flight together
    if ((at.x + 1) * width <= d.nx && (at.y + 1) * height <= d.ny) {
      const T* const from = d.in + y * d.in_pitch + x;
      for (int r = 0; r < rows; ++r) v[r].value = from[r * step * d.in_pitch];
    } else {  // beyond an edge, the elements at the edge
      const T* const from = d.in + least(x, d.nx - 1);
      for (int r = 0; r < rows; ++r) v[r].value = from[least(y + r * step, d.ny - 1) * d.in_pitch];
    }
    for (int r = 0; r < rows; ++r) room.at(column, row + r * step) = v[r].value;
  }

  // A warp for each row of `out`, which it writes in pieces of 32 elements that begin where a multiple of 32
  // elements lies in memory: so no piece but the first and last writes parts of cache lines.
  AMPHI_HOST_DEVICE void write(const tile_place& at, room_type& room) const {
    const int lane = thread() % 32, warp = thread() / 32;
    const int rows = static_cast<int>(least(d.nx - at.x * width, std::int64_t{width})),
              columns = static_cast<int>(least(d.ny - at.y * height, std::int64_t{height}));
    T* to = d.out + (at.x * width + warp) * d.out_pitch + at.y * height;
    for (int row = warp; row < rows; row += warps, to += warps * d.out_pitch) {
      const int off = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % 32);
      for (int c = 0; c <= height / 32; ++c) {
        const int column = lane - off + 32 * c;
        if (column >= 0 && column < columns) to[column] = room.at(row, column);
      }
    }
  }
};

// One element after another: any geometry of a GPU, and large elements.
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

}  // namespace amphi::detail
