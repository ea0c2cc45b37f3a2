// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/reduce_order.hpp"
#include "amphi/execution/warp.hpp"

// Tiles of up to four rows by a thread, a part of a warp or a warp, without shared memory: a thread takes
// lanes that lie a step apart, so that its part of the tree comes first and that between threads last.

namespace amphi::detail {

// Values that a thread has in flight together: more of them fill the first cache on a GPU before they are
// used.
template <class A>
inline constexpr int segment_values = sizeof(A) <= 8 ? 16 : 8;

// Count lanes of the tree over `lanes`: v[k] is lane first + k * step. v[0] gets the tree over them.
template <int Count, class A, class Op>
AMPHI_HOST_DEVICE void tree_in_thread(Op& op, A* v, int first, int step, int lanes) {
  if constexpr (Count > 1) {
    constexpr int half = Count / 2;
    for (int k = 0; k < half; ++k)
      if (first + (k + half) * step < lanes) v[k] = combine<A>(op, v[k], v[k + half]);
    tree_in_thread<half, A>(op, v, first, step, lanes);
  }
}

// The sums of Count columns of a tile: of lanes first + k * step. The tile has `Full` rows and, with `Rest`,
// some elements of another one. A() where there is no lane.
template <class A, int Count, int Full, bool Rest, class Source, class F, class Op>
AMPHI_HOST_DEVICE void reduce_columns(const Source& source, F& f, Op& op, const reduce_tile& tile, int first,
                                      int step, A (&sum)[Count]) {
  const int rest = static_cast<int>(tile.length) - Full * reduce_lanes - first;
  const std::int64_t base = tile.base + first;
  A v[Full + Rest][Count];  // all in flight together
  for (int r = 0; r < Full; ++r)
    for (int k = 0; k < Count; ++k)
      v[r][k] = static_cast<A>(source.at(base + r * reduce_lanes + k * step, f));
  if constexpr (Rest)
    for (int k = 0; k < Count; ++k) {
      if (k * step < rest) {
        v[Full][k] = static_cast<A>(source.at(base + Full * reduce_lanes + k * step, f));
      } else {
        v[Full][k] = A();
      }
    }
  for (int k = 0; k < Count; ++k) {
    sum[k] = v[0][k];
    for (int r = 1; r < Full; ++r) sum[k] = combine<A>(op, sum[k], v[r][k]);
    if (Rest && Full > 0 && k * step < rest) sum[k] = combine<A>(op, sum[k], v[Full][k]);
  }
}

// The tree over Count lanes of one row.
template <class A, int Count, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_thread(const Source& source, F& f, Op& op, const reduce_tile& tile, int first,
                                     int step) {
  A sum[Count];
  reduce_columns<A, Count, 0, true>(source, f, op, tile, first, step, sum);
  tree_in_thread<Count, A>(op, sum, first, step, tile.lanes());
  return sum[0];
}

// The rest of the tree, over `Lanes` neighbours of a warp; the lowest gets it. `lane`: the caller's number
// among them.
template <int Lanes, class A, class Op>
AMPHI_HOST_DEVICE A tree_over_lanes(Op& op, A sum, int lane, int length) {
  const warp<> w = this_warp();
  for (int d = Lanes / 2; d > 0; d /= 2) {
    const A other = w.shuffle_down(sum, d);
    if (lane < d && lane + d < length) sum = combine<A>(op, sum, other);
  }
  return sum;
}

// The tree over those of a warp's Batches batches of 32 Count neighbouring lanes that are b modulo Step. A
// batch is read at once: neighbours share cache lines.
template <class A, int Count, int Full, bool Rest, int Batches, int Step, class Source, class F, class Op>
AMPHI_HOST_DEVICE void reduce_batches(const Source& source, F& f, Op& op, const reduce_tile& tile, int lane,
                                      int b, A (&sum)[Count]) {
  if constexpr (Step == Batches) {
    reduce_columns<A, Count, Full, Rest>(source, f, op, tile, lane + 32 * Count * b, 32, sum);
  } else {
    reduce_batches<A, Count, Full, Rest, Batches, 2 * Step>(source, f, op, tile, lane, b, sum);
    A right[Count];
    reduce_batches<A, Count, Full, Rest, Batches, 2 * Step>(source, f, op, tile, lane, b + Step, right);
    for (int k = 0; k < Count; ++k)
      if (Full > 0 || lane + 32 * (Count * (b + Step) + k) < tile.lanes())
        sum[k] = combine<A>(op, sum[k], right[k]);
  }
}

// A tile of `Full` rows and, with `Rest`, some elements more, by a warp, whose lane 0 gets the result;
// without a full row, of up to 32 Width elements.
template <class A, int Width, int Full, bool Rest, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_in_warp(const Source& source, F& f, Op& op, const reduce_tile& tile, int lane) {
  constexpr int count = [] {
    int lanes = Width;
    while (lanes * (Full + Rest) > segment_values<A>) lanes /= 2;
    return lanes;
  }();
  A sum[count];
  reduce_batches<A, count, Full, Rest, Width / count, 1>(source, f, op, tile, lane, 0, sum);
  const int lanes = Full > 0 ? reduce_lanes : static_cast<int>(tile.length);
  tree_in_thread<count, A>(op, sum, lane, 32, lanes);
  return tree_over_lanes<32, A>(op, sum[0], lane, lanes);
}

// A tile of any length by a warp, row after row, whose lane 0 gets the result.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_tall_in_warp(const Source& source, F& f, Op& op, std::int64_t length, int lane) {
  constexpr int count = reduce_lanes / 32;
  const int lanes = length < reduce_lanes ? static_cast<int>(length) : reduce_lanes;
  A sum[count];
  for (int k = 0; k < count; ++k) {
    sum[k] = A();
    if (lane + 32 * k < lanes) sum[k] = static_cast<A>(source.at(lane + 32 * k, f));
  }
  for (std::int64_t row = reduce_lanes; row < length; row += reduce_lanes)
    for (int k = 0; k < count; ++k)
      if (row + lane + 32 * k < length)
        sum[k] = combine<A>(op, sum[k], static_cast<A>(source.at(row + lane + 32 * k, f)));
  tree_in_thread<count, A>(op, sum, lane, 32, lanes);
  return tree_over_lanes<32, A>(op, sum[0], lane, lanes);
}

// A tile of up to four rows by a warp.
template <class A, class Source, class F, class Op>
AMPHI_HOST_DEVICE A reduce_rows_in_warp(const Source& source, F& f, Op& op, const reduce_tile& tile,
                                        int lane) {
  if (tile.length <= 512) return reduce_in_warp<A, 16, 0, true>(source, f, op, tile, lane);
  switch (tile.length / reduce_lanes) {
    case 0:
      return reduce_in_warp<A, 32, 0, true>(source, f, op, tile, lane);
    case 1:
      return reduce_in_warp<A, 32, 1, true>(source, f, op, tile, lane);
    case 2:
      return reduce_in_warp<A, 32, 2, true>(source, f, op, tile, lane);
    case 3:
      return reduce_in_warp<A, 32, 3, true>(source, f, op, tile, lane);
    default:
      return reduce_in_warp<A, 32, 4, false>(source, f, op, tile, lane);
  }
}

}  // namespace amphi::detail
