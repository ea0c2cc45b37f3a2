// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "amphi/algorithm/detail/merge_sort.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"

// Sorting numbers on CPU cores, digit by digit from the lowest. What one pass finds out steers the next
// through memory, not through the host, so that the launches can be replayed.

namespace amphi::detail {

// Shorter ranges are sorted faster by comparisons: a pass for each byte of a key has a cost of its own.
template <class K>
inline constexpr std::int64_t radix_pays_from = 64 * static_cast<std::int64_t>(sizeof(K));

struct radix_steps {
  static constexpr int digits = 256;
  static constexpr int most_passes = 8;
  bool in_room[most_passes + 1];  // where the elements are before pass p
  bool skip[most_passes];         // all keys have the same digit
};

template <class K, class V>
struct radix_data {
  records<K, V> x, room;
  std::int64_t n, length;  // of a task's part
  std::int64_t parts;
  std::int64_t* counts;  // [part][digit]: how many, then where the part's first one goes
  radix_steps* steps;
  bool down;

  int digit(const K& key, int pass) const {
    const auto bits = ordered_bits(key);
    return static_cast<int>(((down ? static_cast<key_bits<K>>(~bits) : bits) >> (8 * pass)) & 255u);
  }
};

template <class K, class V>
struct radix_count {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t t) const {
    const K* const keys = (d.steps->in_room[pass] ? d.room : d.x).keys;
    const piece mine = piece_of(d.n, d.length, t);
    // Two tables, so that equal neighbours do not wait for each other.
    std::uint32_t even[radix_steps::digits] = {}, odd[radix_steps::digits] = {};
    std::int64_t i = mine.first;
    for (; i + 1 < mine.last; i += 2) {
      ++even[d.digit(keys[i], pass)];
      ++odd[d.digit(keys[i + 1], pass)];
    }
    if (i < mine.last) ++even[d.digit(keys[i], pass)];
    std::int64_t* const counts = d.counts + t * radix_steps::digits;
    for (int b = 0; b < radix_steps::digits; ++b) counts[b] = std::int64_t{even[b]} + odd[b];
  }
};

template <class K, class V>
struct radix_place {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t) const {
    bool skip = false;
    std::int64_t before = 0;
    for (int b = 0; b < radix_steps::digits; ++b) {
      const std::int64_t start = before;
      for (std::int64_t part = 0; part < d.parts; ++part) {
        std::int64_t& count = d.counts[part * radix_steps::digits + b];
        const std::int64_t here = count;
        count = before;
        before += here;
      }
      skip |= before - start == d.n;
    }
    d.steps->skip[pass] = skip;
    d.steps->in_room[pass + 1] = d.steps->in_room[pass] != !skip;
  }
};

template <class K, class V>
struct radix_move {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t t) const {
    if (d.steps->skip[pass]) return;
    const records<K, V> from = d.steps->in_room[pass] ? d.room : d.x;
    const records<K, V> to = d.steps->in_room[pass] ? d.x : d.room;
    const piece mine = piece_of(d.n, d.length, t);
    std::int64_t* const place = d.counts + t * radix_steps::digits;
    for (std::int64_t i = mine.first; i < mine.last; ++i)
      to.put(place[d.digit(from.keys[i], pass)]++, from, i);
  }
};

template <class K, class V>
struct radix_finish {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int passes;

  void operator()(std::int64_t t) const {
    if (!d.steps->in_room[passes]) return;
    const piece mine = piece_of(d.n, d.length, t);
    for (std::int64_t i = mine.first; i < mine.last; ++i) d.x.put(i, d.room, i);
  }
};

struct radix_parts {
  std::int64_t length, count;
  explicit radix_parts(std::int64_t n) : length((n + 255) / 256 < 16384 ? 16384 : (n + 255) / 256), count(0) {
    count = (n + length - 1) / length;
  }
  std::size_t bytes() const {
    return static_cast<std::size_t>(count) * radix_steps::digits * sizeof(std::int64_t);
  }
};

// By the lowest `passes` bytes of the keys. `steps` is zero.
template <class K, class V>
void radix_sort_on_cpu(const algorithm_plan& plan, records<K, V> x, records<K, V> room, std::int64_t n,
                       bool down, void* counts, void* steps, int passes = static_cast<int>(sizeof(K))) {
  const radix_parts parts(n);
  const radix_data<K, V> d{x,
                           room,
                           n,
                           parts.length,
                           parts.count,
                           static_cast<std::int64_t*>(counts),
                           static_cast<radix_steps*>(steps),
                           down};
  for (int pass = 0; pass < passes; ++pass) {
    launch_host_tasks(plan, parts.count, radix_count<K, V>{d, pass});
    launch_host_tasks(plan, 1, radix_place<K, V>{d, pass});
    launch_host_tasks(plan, parts.count, radix_move<K, V>{d, pass});
  }
  launch_host_tasks(plan, parts.count, radix_finish<K, V>{d, passes});
}

}  // namespace amphi::detail
