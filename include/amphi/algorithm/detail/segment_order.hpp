// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/reduce_order.hpp"
#include "amphi/core/expects.hpp"
#include "amphi/core/function_objects.hpp"

// Segments of an input, and the reduction of one, which is that of its elements alone.

namespace amphi::detail {

struct segmented_call {
  static constexpr const char* name = "amphi::segmented_reduce";
};

// bounds_error: segment `index` begins at `first` and ends at `last`, of n elements.
[[noreturn]] void throw_bad_segment(std::int64_t index, std::int64_t first, std::int64_t last,
                                    std::int64_t n);

struct segment {
  std::int64_t first, length;
};

// Segment s is [offsets[s], offsets[s + 1]).
template <class Index>
struct segment_list {
  const Index* offsets;  // count + 1
  std::int64_t count;
  std::int64_t n;  // elements of the input

  AMPHI_HOST_DEVICE std::int64_t offset(std::int64_t i) const { return signed_value(offsets[i]); }
  // For offsets that are known to be good.
  AMPHI_HOST_DEVICE segment at(std::int64_t s) const {
    const std::int64_t first = offset(s);
    return {first, offset(s + 1) - first};
  }
  AMPHI_HOST_DEVICE static constexpr bool good(std::int64_t first, std::int64_t last, std::int64_t n) {
    return 0 <= first && first <= last && last <= n;
  }
  // Of length −1 if the offsets are bad.
  AMPHI_HOST_DEVICE segment checked(std::int64_t s) const {
    const std::int64_t first = offset(s), last = offset(s + 1);
    return good(first, last, n) ? segment{first, last - first} : segment{0, -1};
  }
  // Bad offsets are thrown on the host; on a GPU they are recorded, and the segment has the length −1.
  AMPHI_HOST_DEVICE segment operator[](std::int64_t s) const {
    const std::int64_t first = offset(s), last = offset(s + 1);
    if (good(first, last, n)) return {first, last - first};
#if AMPHI_DEVICE_CODE
    record_failure(failure_kind::segment, nullptr, nullptr, 0, first, n, s, last);
    return {0, -1};
#else
    throw_bad_segment(s, first, last, n);
#endif
  }
};

// What a call works on. `Out` is the type of the results; `Call` names the algorithm.
template <class Source, class F, class Op, class A, class Out, class Index, class Call = segmented_call>
struct segment_data {
  static constexpr const char* name = Call::name;
  using accumulator = A;
  Source source;
  F f;
  Op op;
  A init;
  Out* out;
  segment_list<Index> segments;
  bool add = false;  // to what `out` holds, instead of init

  AMPHI_HOST_DEVICE void put(std::int64_t s, const A& tree) const {
    Op o = op;
    out[s] = static_cast<Out>(combine<A>(o, add ? static_cast<A>(out[s]) : init, tree));
  }
  AMPHI_HOST_DEVICE void put_empty(std::int64_t s) const {
    if (!add) out[s] = static_cast<Out>(init);
  }
};

// A segment of more elements has several tiles.
inline constexpr std::int64_t smallest_tile = std::int64_t{reduce_rows(1)} * reduce_lanes;

AMPHI_HOST_DEVICE constexpr reduce_tiles tiles_of(const segment& s) {
  return {s.length, reduce_rows(s.length)};
}
// Tile t of a segment, as a part of the input.
AMPHI_HOST_DEVICE constexpr reduce_tile tile_of(const segment& s, const reduce_tiles& tiles, std::int64_t t) {
  const reduce_tile own = tiles[t];
  return {s.first + own.base, own.length};
}

// The results of a segment's tiles, each made when it is asked for.
template <class A, class Source, class F, class Op>
struct tile_results {
  const Source& source;
  F& f;
  Op& op;
  segment whole;
  reduce_tiles tiles;

  AMPHI_HOST_DEVICE A make(std::int64_t t) const {
    return reduce_by_one<A>(source, f, op, tile_of(whole, tiles, t));
  }
  template <class Same>
  AMPHI_HOST_DEVICE A at(std::int64_t t, Same&) const {
    return make(t);
  }
  template <class Same, class G>
  void visit(std::int64_t t, int count, Same&, G&& g) const {
    for (int l = 0; l < count; ++l) g(l, make(t + l));
  }
};

// A segment with elements, by one thread of either side.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_segment(const Source& source, F& f, Op& op, const segment& s) {
  if (s.length <= smallest_tile) return reduce_by_one<A>(source, f, op, reduce_tile{s.first, s.length});
  const reduce_tiles tiles = tiles_of(s);
  const tile_results<A, Source, F, Op> results{source, f, op, s, tiles};
  identity same;
  return reduce_by_one<A>(results, same, op, reduce_tile{0, tiles.count});
}

}  // namespace amphi::detail
