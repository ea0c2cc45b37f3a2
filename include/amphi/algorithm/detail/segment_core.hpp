// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// Segmented reductions on CPU cores. Segments lie on a line on which each takes as many places as it has
// elements, and some more for itself; equal parts of the line are equal work. A tile belongs to the part that
// its first place lies in. The tiles of a segment that reaches into other parts are put together afterwards.

namespace amphi::detail {

template <class Index>
struct segment_parts {
  static constexpr std::int64_t own_places = 16;  // of a segment: elements that take the same time
  static constexpr std::int64_t smallest = 8192, most = 256;
  segment_list<Index> segments;
  std::int64_t count;

  explicit segment_parts(const segment_list<Index>& s) : segments(s), count(places() / smallest) {
    count = count < 1 ? 1 : count > most ? most : count;
  }
  std::int64_t places() const { return segments.n + own_places * segments.count; }
  std::int64_t begin(std::int64_t part) const {
    if (part == count) return INT64_MAX;
    return static_cast<std::int64_t>(chunk_share(static_cast<std::uint64_t>(places()),
                                                 static_cast<std::uint64_t>(part),
                                                 static_cast<std::uint64_t>(count))
                                         .offset);
  }
  std::int64_t place(std::int64_t s) const { return segments.offset(s) + own_places * s; }
  // The first segment that begins at a place or behind it.
  std::int64_t first_from(std::int64_t at) const {
    std::int64_t low = 0, high = segments.count;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (place(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

// Where the result of a tile waits: segments of several tiles are so long that no two tiles have the same
// slot.
inline constexpr std::int64_t elements_of_slot = smallest_tile / 2;

template <class Data, class Index>
struct segment_work {
  static constexpr const char* name = Data::name;
  using A = typename Data::accumulator;
  Data d;
  segment_parts<Index> parts;
  A* partial;  // of slots

  A* slots_of(const segment& s) const { return partial + s.first / elements_of_slot; }

  // Of several segments, or of a few: throws before anything is written.
  void check(std::int64_t first, std::int64_t last) const {
    if (first >= last) return;
    const segment_list<Index>& list = d.segments;
    bool good = true;
    std::int64_t begin = list.offset(first);
    for (std::int64_t s = first; s < last; ++s) {
      const std::int64_t end = list.offset(s + 1);
      good &= segment_list<Index>::good(begin, end, list.n);
      begin = end;
    }
    if (good) return;
    for (std::int64_t s = first; s < last; ++s) (void)list[s];
  }

  // Segments whose place lies in [begin, end), and tiles that begin there.
  void reduce(std::int64_t begin, std::int64_t end) const {
    auto f = d.f;
    auto op = d.op;
    std::int64_t s = parts.first_from(begin);
    if (s > 0) tiles_between(f, op, s - 1, begin, end);
    for (; s < d.segments.count; ++s) {
      const std::int64_t place = parts.place(s);
      if (place >= end) return;
      const segment mine = d.segments.at(s);
      if (mine.length == 0) {
        d.put_empty(s);
      } else if (is_within(mine, place, end)) {
        d.put(s, reduce_segment<A>(d.source, f, op, mine));
      } else {
        return tiles_between(f, op, s, place, end);
      }
    }
  }

  // Puts together the tiles of a segment that reaches from the part before `part` into it, and began there.
  void join(std::int64_t part) const {
    const std::int64_t begin = parts.begin(part), s = parts.first_from(begin) - 1;
    if (s < 0) return;
    const std::int64_t place = parts.place(s);
    const segment mine = d.segments.at(s);
    if (place < parts.begin(part - 1) || is_within(mine, place, begin)) return;
    auto op = d.op;
    const zip<const A*> results{{{slots_of(mine)}}};
    identity same;
    d.put(s, reduce_by_one<A>(results, same, op, reduce_tile{0, tiles_of(mine).count}));
  }

 private:
  // Do all tiles of a segment begin before `end`?
  static bool is_within(const segment& s, std::int64_t place, std::int64_t end) {
    if (s.length <= smallest_tile) return true;
    const reduce_tiles tiles = tiles_of(s);
    return place + (tiles.count - 1) * tiles.tile_elements < end;
  }

  template <class F, class Op>
  void tiles_between(F& f, Op& op, std::int64_t s, std::int64_t begin, std::int64_t end) const {
    const segment mine = d.segments.at(s);
    if (mine.length <= smallest_tile) return;
    const reduce_tiles tiles = tiles_of(mine);
    const std::int64_t place = parts.place(s);
    for (std::int64_t t = ceil_div(begin - place, tiles.tile_elements);
         t < tiles.count && place + t * tiles.tile_elements < end; ++t)
      slots_of(mine)[t] = reduce_by_one<A>(d.source, f, op, tile_of(mine, tiles, t));
  }
};

// What a launch does with each part. All at once: of one part only.
enum class segment_step { all_at_once, check, reduce, join };

template <class Work>
struct segment_part {
  static constexpr const char* name = Work::name;
  Work w;
  segment_step step;

  void operator()(std::int64_t part) const {
    const std::int64_t segments = w.d.segments.count;
    switch (step) {
      case segment_step::all_at_once:
        w.check(0, segments);
        return w.reduce(0, INT64_MAX);
      case segment_step::check: {
        const piece mine = piece_of(segments, ceil_div(segments, w.parts.count), part);
        return w.check(mine.first, mine.last);
      }
      case segment_step::reduce:
        return w.reduce(w.parts.begin(part), w.parts.begin(part + 1));
      case segment_step::join:
        return w.join(part + 1);
    }
  }
};

// Slots of a call.
inline std::size_t segment_slots(std::int64_t n) {
  return static_cast<std::size_t>(n / elements_of_slot + 1);
}

template <class Index, class Data, class A>
void reduce_segments_on_cpu(const algorithm_plan& plan, const Data& d, A* slots) {
  const segment_parts<Index> parts(d.segments);
  using work = segment_work<Data, Index>;
  const work w{d, parts, slots};
  const auto launch = [&](segment_step step, std::int64_t count) {
    launch_host_tasks(plan, count, segment_part<work>{w, step});
  };
  if (parts.count == 1) return launch(segment_step::all_at_once, 1);
  launch(segment_step::check, parts.count);
  launch(segment_step::reduce, parts.count);
  if (d.segments.n > smallest_tile) launch(segment_step::join, parts.count - 1);
}

}  // namespace amphi::detail
