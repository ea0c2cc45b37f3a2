// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/input.hpp"

// Which elements of a range are kept, and in what tiles a GPU looks for them: what copy_if, partition and
// unique share.

namespace amphi::detail {

// What elements[i] is: an lvalue in memory, a value of a counting range.
template <class Elements, class T>
AMPHI_HOST_DEVICE std::conditional_t<std::is_pointer_v<Elements>, const T&, T> as_given(const T& element) {
  return element;
}

AMPHI_DETAIL_CONVERSIONS_BEGIN

// A rule: is element i kept? Also for an element that was read before, beside its left neighbour.
template <class Elements, class Predicate>
struct keep_if {
  static constexpr bool looks_left = false;
  using elements_type = Elements;
  Elements elements;
  Predicate predicate;

  AMPHI_HOST_DEVICE bool operator()(std::int64_t i) const {
    Predicate p = predicate;
    return static_cast<bool>(p(elements[i]));
  }
  template <class T>
  AMPHI_HOST_DEVICE bool of(std::int64_t, const T& element, const T&) const {
    Predicate p = predicate;
    return static_cast<bool>(p(as_given<Elements>(element)));
  }
};

// The first of each run of equals.
template <class Elements, class Equal>
struct keep_first {
  static constexpr bool looks_left = true;
  using elements_type = Elements;
  Elements elements;
  Equal equal;

  AMPHI_HOST_DEVICE bool operator()(std::int64_t i) const {
    Equal same = equal;
    return i == 0 || !static_cast<bool>(same(elements[i - 1], elements[i]));
  }
  template <class T>
  AMPHI_HOST_DEVICE bool of(std::int64_t i, const T& element, const T& left) const {
    Equal same = equal;
    return i == 0 || !static_cast<bool>(same(as_given<Elements>(left), as_given<Elements>(element)));
  }
};

AMPHI_DETAIL_CONVERSIONS_END

// A tile: warps with rows of 32 packs each. Elements that can be held in registers are read once, and kept
// ones are written by way of shared memory.
template <class Elements, class Out>
struct select_shape {
  using value_type = typename element_of<Elements>::type;
  static constexpr std::size_t widest = sizeof(value_type) > sizeof(Out) ? sizeof(value_type) : sizeof(Out);
  static constexpr bool held = packs<value_type> && packs<Out>;
  static constexpr int threads = 512;
  static constexpr int warps = threads / 32;
  static constexpr int width = held ? static_cast<int>(16 / widest) : 1;  // of a pack
  static constexpr int most_rows = width > 4      ? 32 / width
                                   : widest <= 16 ? 8
                                   : widest <= 32 ? 4
                                   : widest <= 64 ? 2
                                                  : 1;
  static constexpr int items = most_rows * width;  // of a thread
  static constexpr int row = 32 * width;
  static constexpr int layer = threads * width;  // a row of each warp
  static constexpr int tile = threads * items;
  static constexpr std::int64_t stage_bytes = held ? std::int64_t{tile} * static_cast<int>(sizeof(Out)) : 0;
};

// How n elements are cut into tiles. Few elements make smaller tiles, so that there are some for all blocks.
struct select_tiling {
  int tiles = 0;
  int rows = 0;         // of each warp
  int pad = 0;          // places in front of the first element, which begin where a pack is aligned
  bool packed = false;  // elements are aligned for packs

  template <class Shape, class Elements>
  static select_tiling of(const Elements& elements, std::int64_t n, std::int64_t blocks) {
    select_tiling t;
    if constexpr (Shape::held && std::is_pointer_v<Elements>) {
      using T = typename Shape::value_type;
      const auto off = reinterpret_cast<std::uintptr_t>(elements) % alignof(pack<T, Shape::width>);
      t.packed = off % sizeof(T) == 0;
      if (t.packed) t.pad = static_cast<int>(off / sizeof(T));
    }
    const std::int64_t layers = (n + t.pad + Shape::layer - 1) / Shape::layer;
    const std::int64_t even = layers <= Shape::most_rows ? layers : (layers + blocks - 1) / blocks;
    t.rows = even < 1 ? 1 : even < Shape::most_rows ? static_cast<int>(even) : Shape::most_rows;
    t.tiles = static_cast<int>((layers + t.rows - 1) / t.rows);  // memory ends long before an int does
    return t;
  }
};

template <class Keep, class Out, class Count>
struct select_data {
  using shape = select_shape<typename Keep::elements_type, Out>;
  static constexpr bool looks_left = Keep::looks_left;
  static constexpr std::int64_t init = 0;  // of the scan of the tiles' counts
  static constexpr bool has_init = true;
  Keep keep;
  Out* out;
  Count* count;  // how many are kept; null: nobody asked
  std::int64_t n;
  select_tiling tiling;
  void* states;         // mail of the scan, zero between calls
  std::int64_t* total;  // the same as count, between two kernels

  // Element in front of a tile; negative within the pad.
  AMPHI_HOST_DEVICE std::int64_t first(int tile) const {
    return std::int64_t{tile} * tiling.rows * shape::layer - tiling.pad;
  }
};

}  // namespace amphi::detail
