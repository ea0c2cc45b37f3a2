// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "amphi/algorithm/detail/merge_sort.hpp"

// Sorting the numbers of elements that are too large to be moved often, and then the elements once.

namespace amphi::detail {

using place_number = std::uint32_t;
inline constexpr std::int64_t most_places = (std::numeric_limits<place_number>::max)();

AMPHI_DETAIL_CONVERSIONS_BEGIN

// The numbers in order, as what is to be sorted.
struct every_place {};
AMPHI_LAUNCHABLE place_number sort_element_of(const every_place&, std::int64_t i) {
  return static_cast<place_number>(i);
}

// `before`, which compares elements, of their numbers.
template <class T, class Compare>
struct order_of_places {
  const T* elements;
  Compare before;
  AMPHI_HOST_DEVICE bool operator()(place_number a, place_number b) {
    return before(elements[a], elements[b]);
  }
};

// Bytes of an element that one thread moves; its neighbours move the next ones.
template <class T>
inline constexpr std::size_t moved_bytes = alignof(T) < 16 ? alignof(T) : 16;

template <class T>
AMPHI_HOST_DEVICE void move_bytes(const T* from, std::int64_t from_piece, T* to, std::int64_t to_piece) {
  constexpr auto bytes = moved_bytes<T>;
  const auto* const in = reinterpret_cast<const unsigned char*>(from) + from_piece * std::int64_t{bytes};
  auto* const out = reinterpret_cast<unsigned char*>(to) + to_piece * std::int64_t{bytes};
  __builtin_memcpy(__builtin_assume_aligned(out, bytes), __builtin_assume_aligned(in, bytes), bytes);
}

// to[i] = from[order[i]], and back, piece by piece.
template <class T, class Number>
struct pieces_by_place {
  static constexpr const char* name = sort_name;
  static constexpr std::int64_t pieces = sizeof(T) / moved_bytes<T>;
  const T* from;
  const Number* order;
  T* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t element = i / pieces;
    move_bytes(from, static_cast<std::int64_t>(order[element]) * pieces + (i - element * pieces), to, i);
  }
};
template <class T>
struct pieces_in_place {
  static constexpr const char* name = sort_name;
  const T* from;
  T* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { move_bytes(from, i, to, i); }
};

AMPHI_DETAIL_CONVERSIONS_END

// x[i] becomes what x[order[i]] was; `room`: for n elements.
template <class T, class Number>
void move_to_places(const algorithm_plan& plan, T* x, const Number* order, T* room, std::int64_t n) {
  const auto by_place = pieces_by_place<T, Number>{x, order, room};
  launch_tasks(plan, n * by_place.pieces, by_place);
  launch_tasks(plan, n * by_place.pieces, pieces_in_place<T>{room, x});
}

}  // namespace amphi::detail
