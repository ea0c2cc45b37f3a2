// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/transpose_tiles.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/shared.hpp"
#include "amphi/execution/thread_index.hpp"

// Transposition of elements of one or two bytes by a block of a GPU, which moves words of four bytes: a
// thread turns a square of 4 × 4 or 2 × 2 elements in registers, and the words change places in shared
// memory.

namespace amphi::detail {

template <class T, bool InPlace, bool Tall = false>
struct transpose_words {
  static constexpr const char* name = transpose_name;
  static constexpr int threads = 512, each = 4 / static_cast<int>(sizeof(T));  // elements of a word
  static constexpr int width = InPlace && sizeof(T) > 1 ? 64 : 128, height = Tall ? 2 * width : width;
  static constexpr int in_words = width / each, out_words = height / each;  // of a row
  struct room_type {
    std::uint32_t word[width * out_words];
  };
  transposition<T> d;
  tile_grid tiles;

  // Are all rows of both matrices aligned to words?
  static bool fits(const transposition<T>& d) { return aligned(d, 4); }
  // Are they aligned to sectors of memory? Long runs then pay.
  static bool fits_sectors(const transposition<T>& d) { return aligned(d, 32); }

  AMPHI_HOST_DEVICE void operator()() const {
    const tile_place a = tiles[block_index().x];
    AMPHI_SHARED(room, room_type);
    if constexpr (InPlace) {
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
  static bool aligned(const transposition<T>& d, std::uintptr_t bytes) {
    const auto row = [](std::int64_t pitch) { return static_cast<std::uintptr_t>(pitch) * sizeof(T); };
    return (reinterpret_cast<std::uintptr_t>(d.in) | reinterpret_cast<std::uintptr_t>(d.out) |
            row(d.in_pitch) | row(d.out_pitch)) %
               bytes ==
           0;
  }

  using aliasing_word [[gnu::may_alias]] = std::uint32_t;
  static constexpr int bits = 8 * static_cast<int>(sizeof(T));

  // The first `count` elements of a word, if it has that many.
  AMPHI_HOST_DEVICE static std::uint32_t load(const T* from, std::int64_t count) {
    if (count >= each) return *reinterpret_cast<const aliasing_word*>(from);
    std::uint32_t word = 0;
    for (int e = 0; e < count; ++e) {
      std::uint32_t element = 0;
      __builtin_memcpy(&element, from + e, sizeof(T));
      word |= element << e * bits;
    }
    return word;
  }
  AMPHI_HOST_DEVICE static void store(T* to, std::uint32_t word, std::int64_t count) {
    if (count >= each) {
      *reinterpret_cast<aliasing_word*>(to) = word;
      return;
    }
    for (int e = 0; e < count; ++e, word >>= bits)
      __builtin_memcpy(static_cast<void*>(to + e), &word, sizeof(T));
  }

  // Four of the eight bytes of a pair, by a digit for each: digits 0 … 3 are bytes of a, 4 … 7 those of b.
  AMPHI_HOST_DEVICE static std::uint32_t pick(std::uint32_t a, std::uint32_t b, std::uint32_t digits) {
#if AMPHI_DEVICE_CODE
    return __byte_perm(a, b, digits);
#else
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    std::uint32_t picked = 0;
    for (unsigned i = 0; i < 4; ++i)
      picked |= static_cast<std::uint32_t>(both >> 8 * (digits >> 4 * i & 7) & 0xff) << 8 * i;
    return picked;
#endif
  }
  // Transposes the square whose rows are `each` words.
  AMPHI_HOST_DEVICE static void turn(std::uint32_t* v) {
    constexpr std::uint32_t low = 0x5410, high = 0x7632;  // halves of both
    if constexpr (each == 2) {
      const std::uint32_t first = pick(v[0], v[1], low);
      v[1] = pick(v[0], v[1], high), v[0] = first;
    } else {
      constexpr std::uint32_t low_bytes = 0x5140, high_bytes = 0x7362;  // in turn
      const std::uint32_t a = pick(v[0], v[1], low_bytes), b = pick(v[2], v[3], low_bytes),
                          c = pick(v[0], v[1], high_bytes), d = pick(v[2], v[3], high_bytes);
      v[0] = pick(a, b, low), v[1] = pick(a, b, high), v[2] = pick(c, d, low), v[3] = pick(c, d, high);
    }
  }

  // Word `column` of row x lies so that neither rows nor columns of squares meet in a bank.
  AMPHI_HOST_DEVICE static int place(int x, int column) {
    return x * out_words + (column ^ (x / each % out_words));
  }
  AMPHI_HOST_DEVICE static int thread() { return static_cast<int>(thread_index().x); }
  AMPHI_HOST_DEVICE bool is_full(const tile_place& at) const {
    return (at.x + 1) * width <= d.nx && (at.y + 1) * height <= d.ny;
  }

  // Row x of the room is column x of the tile.
  AMPHI_HOST_DEVICE void read(const tile_place& at, room_type& room) const {
    constexpr int step = threads / in_words, squares = out_words / step;
    const int column = thread() % in_words, row = thread() / in_words;
    const std::int64_t x = at.x * width + column * each, y = at.y * height + row * each;
    const T* const from = d.in + y * d.in_pitch + x;
    // Rows of a thread's squares, from the first one down.
    const auto below = [](int i) { return i / each * step * each + i % each; };
    std::uint32_t v[squares * each];  // all in flight together
    if (is_full(at)) {
      for (int i = 0; i < squares * each; ++i) v[i] = load(from + below(i) * d.in_pitch, each);
    } else {
      for (int i = 0; i < squares * each; ++i)
        v[i] = y + below(i) < d.ny ? load(from + below(i) * d.in_pitch, d.nx - x) : 0;
    }
    for (int s = 0; s < squares; ++s) {
      turn(v + s * each);
      for (int e = 0; e < each; ++e) room.word[place(column * each + e, row + s * step)] = v[s * each + e];
    }
  }

  AMPHI_HOST_DEVICE void write(const tile_place& at, const room_type& room) const {
    constexpr int step = threads / out_words;
    const int column = thread() % out_words, row = thread() / out_words;
    const std::int64_t x = at.x * width + row, y = at.y * height + column * each;
    T* const to = d.out + x * d.out_pitch + y;
    const auto word = [&](int r) { return room.word[place(row + r, column)]; };
    if (is_full(at)) {
      for (int r = 0; r < width; r += step) store(to + r * d.out_pitch, word(r), each);
    } else {
      for (int r = 0; r < width; r += step)
        if (x + r < d.nx) store(to + r * d.out_pitch, word(r), d.ny - y);
    }
  }
};

}  // namespace amphi::detail
