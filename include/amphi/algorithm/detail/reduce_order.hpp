// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/input.hpp"

// The canonical order of reductions (README.md in this folder says it in words), as bodies of one tile: for a
// thread that works alone, and for a CPU core. reduce_device.hpp has the body for a block of a GPU.

namespace amphi::detail {

inline constexpr int reduce_lanes = 1024;
inline constexpr int reduce_threads = 256;  // of a block of a GPU

// Rows of a tile for an input of n elements.
AMPHI_HOST_DEVICE constexpr int reduce_rows(std::int64_t n) {
  constexpr std::int64_t one = 1;
  return n < one << 20 ? 4 : n < one << 21 ? 8 : n < one << 23 ? 16 : n < one << 26 ? 32 : 64;
}

// Elements base … base + length − 1 as one tile of rows of 1024 lanes. Lane l holds a value if l < lanes.
struct reduce_tile {
  std::int64_t base, length;

  AMPHI_HOST_DEVICE constexpr int lanes() const {
    return length < reduce_lanes ? static_cast<int>(length) : reduce_lanes;
  }
};

struct reduce_tiles {
  std::int64_t count, elements, tile_elements;

  AMPHI_HOST_DEVICE constexpr reduce_tiles(std::int64_t n, int rows)
      : count((n + std::int64_t{rows} * reduce_lanes - 1) / (std::int64_t{rows} * reduce_lanes)),
        elements(n),
        tile_elements(std::int64_t{rows} * reduce_lanes) {}

  AMPHI_HOST_DEVICE constexpr reduce_tile operator[](std::int64_t t) const {
    const std::int64_t base = t * tile_elements;
    return {base, elements - base < tile_elements ? elements - base : tile_elements};
  }
};

// One lane's column, top to bottom.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_column(const Source& source, F& f, Op& op, const reduce_tile& tile, int lane) {
  const std::int64_t end = tile.base + tile.length;
  std::int64_t i = tile.base + lane;
  A sum = static_cast<A>(source.at(i, f));
  for (i += reduce_lanes; i < end; i += reduce_lanes)
    sum = combine<A>(op, sum, static_cast<A>(source.at(i, f)));
  return sum;
}

// A tile by one thread in little memory: lanes in bit-reversed order, so that each pair of the tree follows
// directly on its halves.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_alone(const Source& source, F& f, Op& op, const reduce_tile& tile) {
  A halves[10] = {};
  const unsigned lanes = static_cast<unsigned>(tile.lanes());
  for (unsigned k = 0;; ++k) {
    unsigned lane = 0;
    for (unsigned bit = 0; bit < 10; ++bit) lane |= (k >> bit & 1u) << (9 - bit);
    // Half a pair holds a value if its lowest lane, the first to come, does; a right half that holds none
    // leaves the left one as it is.
    A node = lane < lanes ? reduce_column<A>(source, f, op, tile, static_cast<int>(lane)) : A();
    unsigned level = 0;
    for (; k >> level & 1u; ++level) {
      node = lane < lanes ? combine<A>(op, halves[level], node) : halves[level];
      lane -= 512u >> level;
    }
    if (level == 10) return node;
    halves[level] = node;
  }
}

// The tree over 2 D lanes that all hold values.
template <class A, int D, class Op>
A reduce_tree(Op& op, A* lane) {
  for (int l = 0; l < D; ++l) lane[l] = combine<A>(op, lane[l], lane[l + D]);
  if constexpr (D > 1) return reduce_tree<A, D / 2>(op, lane);
  return lane[0];
}

// The tree over the first `count` lanes: once over the lanes that have a partner, then over half as many that
// all hold values.
template <class A, int D = reduce_lanes / 2, class Op>
A reduce_tree_of(Op& op, A* lane, int count) {
  if constexpr (D > 0) {
    if (count <= D) return reduce_tree_of<A, D / 2>(op, lane, count);
    for (int l = 0; l + D < count; ++l) lane[l] = combine<A>(op, lane[l], lane[l + D]);
    if constexpr (D > 1) return reduce_tree<A, D / 2>(op, lane);
  }
  return lane[0];
}

// Adds rows of full stripes to the lanes: `Rows` at a time, so that memory is read in few streams and sums
// stay in registers meanwhile.
template <class A, int Rows, class Source, class F, class Op>
void reduce_full_rows(const Source& source, F& f, Op& op, std::int64_t i, bool first, A* lane) {
  constexpr int stripe = sizeof(A) <= 4 ? 64 : sizeof(A) <= 8 ? 32 : 16;
  for (int l0 = 0; l0 < reduce_lanes; l0 += stripe, i += stripe) {
    A sum[stripe];
    if (first) {
      source.visit(i, stripe, f, [&](int l, const auto& v) { sum[l] = static_cast<A>(v); });
    } else {
      source.visit(i, stripe, f,
                   [&](int l, const auto& v) { sum[l] = combine<A>(op, lane[l0 + l], static_cast<A>(v)); });
    }
    for (int r = 1; r < Rows; ++r)
      source.visit(i + r * reduce_lanes, stripe, f,
                   [&](int l, const auto& v) { sum[l] = combine<A>(op, sum[l], static_cast<A>(v)); });
    for (int l = 0; l < stripe; ++l) lane[l0 + l] = sum[l];
  }
}

// A tile by one core.
template <class A, class Source, class F, class Op>
A reduce_on_core(const Source& source, F& f, Op& op, const reduce_tile& tile) {
  alignas(64) A lane[reduce_lanes];
  std::int64_t i = tile.base;
  std::int64_t rows = tile.length / reduce_lanes;
  for (; rows >= 8; rows -= 8, i += 8 * reduce_lanes)
    reduce_full_rows<A, 8>(source, f, op, i, i == tile.base, lane);
  for (; rows >= 4; rows -= 4, i += 4 * reduce_lanes)
    reduce_full_rows<A, 4>(source, f, op, i, i == tile.base, lane);
  for (; rows > 0; --rows, i += reduce_lanes) reduce_full_rows<A, 1>(source, f, op, i, i == tile.base, lane);
  const int rest = static_cast<int>(tile.length % reduce_lanes);
  if (i == tile.base) {
    source.visit(i, rest, f, [&](int l, const auto& v) { lane[l] = static_cast<A>(v); });
  } else {
    source.visit(i, rest, f,
                 [&](int l, const auto& v) { lane[l] = combine<A>(op, lane[l], static_cast<A>(v)); });
  }
  return reduce_tree_of<A>(op, lane, tile.lanes());
}

// The tree over few elements by one thread: what reduce_alone gives for a tile of up to 1024.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_few(const Source& source, F& f, Op& op, std::int64_t base, int count) {
  A halves[10] = {};
  unsigned levels = 0;
  while ((1 << levels) < count) ++levels;
  const auto lanes = static_cast<unsigned>(count);
  for (unsigned k = 0;; ++k) {
    unsigned lane = 0;
    for (unsigned bit = 0; bit < levels; ++bit) lane |= (k >> bit & 1u) << (levels - 1 - bit);
    A node = lane < lanes ? static_cast<A>(source.at(base + lane, f)) : A();
    unsigned level = 0;
    for (; k >> level & 1u; ++level) {
      node = lane < lanes ? combine<A>(op, halves[level], node) : halves[level];
      lane -= (1u << levels) >> (level + 1);
    }
    if (level == levels) return node;
    halves[level] = node;
  }
}

// The same of `Count` elements.
template <class A, int Count, class Source, class F, class Op>
A reduce_fixed(const Source& source, F& f, Op& op, std::int64_t base) {
  A lane[Count];
  for (int l = 0; l < Count; ++l) lane[l] = static_cast<A>(source.at(base + l, f));
  return reduce_tree_of<A, 8>(op, lane, Count);
}

// The same by one core, which must not guess wrong often: what reduce_on_core gives for a tile of up to 64.
inline constexpr int reduce_short_most = 64;
template <class A, class Source, class F, class Op>
A reduce_short(const Source& source, F& f, Op& op, std::int64_t base, int count) {
  switch (count) {
    case 1:
      return reduce_fixed<A, 1>(source, f, op, base);
    case 2:
      return reduce_fixed<A, 2>(source, f, op, base);
    case 3:
      return reduce_fixed<A, 3>(source, f, op, base);
    case 4:
      return reduce_fixed<A, 4>(source, f, op, base);
    case 5:
      return reduce_fixed<A, 5>(source, f, op, base);
    case 6:
      return reduce_fixed<A, 6>(source, f, op, base);
    case 7:
      return reduce_fixed<A, 7>(source, f, op, base);
    case 8:
      return reduce_fixed<A, 8>(source, f, op, base);
    default:
      break;
  }
  A lane[reduce_short_most];
  source.visit(base, count, f, [&](int l, const auto& v) { lane[l] = static_cast<A>(v); });
  return reduce_tree_of<A, reduce_short_most / 2>(op, lane, count);
}

// A tile of any length by one thread of either side.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_by_one(const Source& source, F& f, Op& op, const reduce_tile& tile) {
#if AMPHI_DEVICE_CODE
  if (tile.length <= 512) return reduce_few<A>(source, f, op, tile.base, static_cast<int>(tile.length));
  return reduce_alone<A>(source, f, op, tile);
#else
  if (tile.length <= reduce_short_most)
    return reduce_short<A>(source, f, op, tile.base, static_cast<int>(tile.length));
  return reduce_on_core<A>(source, f, op, tile);
#endif
}

}  // namespace amphi::detail
