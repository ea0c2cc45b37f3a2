// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/transpose_block.hpp"

// Transposition of matrices that are a few elements wide or high. A tile takes all of the short side and a
// part of the long one, so that a block reads one long run of memory and writes several, or the reverse.

namespace amphi::detail {

// Quotients of numbers below 4096 by numbers up to 4096. factor / 2²⁵ exceeds 1 / divisor by less than 2⁻²⁵,
// 4095 times that is less than 1 / 4096, the least distance of a quotient from the next integer above it.
struct small_divisor {
  int divisor;
  std::uint32_t factor;

  AMPHI_HOST_DEVICE explicit small_divisor(int d)
      : divisor(d),
        factor(((std::uint32_t{1} << 25) + static_cast<std::uint32_t>(d) - 1) /
               static_cast<std::uint32_t>(d)) {}
  AMPHI_HOST_DEVICE int quotient(int i) const {
    return static_cast<int>(std::uint64_t{static_cast<std::uint32_t>(i)} * factor >> 25);
  }
};

template <class T>
struct transpose_thin {
  static constexpr const char* name = transpose_name;
  static constexpr int threads = 512, most = 32;  // of the short side
  // Of a thread: as many bytes in flight as there are registers for.
  static constexpr int each = sizeof(T) <= 4 ? 8 : sizeof(T) <= 8 ? 4 : sizeof(T) <= 16 ? 2 : 1;
  static constexpr int resident = sizeof(T) <= 4 ? 3 : sizeof(T) <= 8 ? 4 : 1, elements = threads * each;
  transposition<T> d;
  bool short_x;
  small_divisor side, length;  // of a tile

  explicit transpose_thin(const transposition<T>& t)
      : d(t),
        short_x(t.nx < t.ny),
        side(static_cast<int>(short_x ? t.nx : t.ny)),
        length(elements / side.divisor / 16 * 16) {}
  std::int64_t tiles() const { return ceil_div(short_x ? d.ny : d.nx, length.divisor); }

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(bytes, room_type);
    T* const room = reinterpret_cast<T*>(bytes.bytes);
    const std::int64_t begin = block_index().x * std::int64_t{length.divisor},
                       left = (short_x ? d.ny : d.nx) - begin;
    const small_divisor mine = left < length.divisor ? small_divisor(static_cast<int>(left)) : length;
    const T* const from = d.in + (short_x ? begin * d.in_pitch : begin);
    T* const to = d.out + (short_x ? begin : begin * d.out_pitch);
    // In shared memory the short side is contiguous, of an odd pitch.
    const int pitch = side.divisor | 1, step_x = short_x ? 1 : pitch, step_y = short_x ? pitch : 1;
    const int count = side.divisor * mine.divisor;
    const small_divisor width = short_x ? side : mine, height = short_x ? mine : side;
    move(count, [&](int i, T*& there) -> const T& {
      const int y = width.quotient(i), x = i - y * width.divisor;
      there = room + (x * step_x + y * step_y);
      return from[y * d.in_pitch + x];
    });
    this_block().sync();
    move(count, [&](int i, T*& there) -> const T& {
      const int x = height.quotient(i), y = i - x * height.divisor;
      there = to + (x * d.out_pitch + y);
      return room[x * step_x + y * step_y];
    });
  }

 private:
  // A side of two elements has a pitch of three.
  struct room_type {
    alignas(alignof(T) < 16 ? 16 : alignof(T)) unsigned char bytes[sizeof(T) * elements * 3 / 2];
  };

  // Moves elements 0 … count − 1, each from where `element` says to `there`. The elements of a thread are in
  // flight together.
  template <class Element>
  AMPHI_HOST_DEVICE static void move(int count, const Element& element) {
    const int stride = (count + each - 1) / each, first = static_cast<int>(thread_index().x);
    if (first >= stride) return;
    T* there[each];
    if (first + (each - 1) * stride < count) {
      unmade<T> v[each];
      for (int k = 0; k < each; ++k) v[k].value = element(first + k * stride, there[k]);
      for (int k = 0; k < each; ++k) *there[k] = v[k].value;
    } else {
      for (int i = first; i < count; i += stride) {
        const T& value = element(i, there[0]);
        *there[0] = value;
      }
    }
  }
};

}  // namespace amphi::detail
