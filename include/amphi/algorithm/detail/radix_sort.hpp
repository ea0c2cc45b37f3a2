// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "amphi/algorithm/detail/radix_runs.hpp"

// Sorting numbers on CPU cores, digit by digit from the lowest. What one pass finds out steers the next
// through memory, not through the host, so that the launches can be replayed.

namespace amphi::detail {

// What the first reading finds out.
struct radix_steps {
  static constexpr int digits = 256;
  std::uint64_t varying;  // bits in which the keys' numbers differ
  bool minus_zero;        // there is one
};

template <class K, class V>
struct radix_data {
  records<K, V> x, room;
  std::int64_t n, length;  // of a task's part
  std::int64_t parts;
  std::int64_t* counts;  // [part][digit]: how many, then where the part's first one goes
  radix_steps* steps;
  key_coder<K> coder;
  int passes;

  // A digit that all keys share makes no pass.
  bool active(int pass) const { return (steps->varying >> (8 * pass) & 255u) != 0; }
  int active_before(int pass) const {
    int count = 0;
    for (int p = 0; p < pass; ++p) count += active(p) ? 1 : 0;
    return count;
  }
  bool in_room(int pass) const { return active_before(pass) % 2 == 1; }
  // What a pass makes of keys: the first one that moves them makes numbers, the last one keys.
  radix_step step(int pass) const {
    if (key_coder<K>::reversible || steps->minus_zero) return radix_step::whole;
    const int before = active_before(pass), all = active_before(passes);
    return all == 1            ? radix_step::whole
           : before == 0       ? radix_step::first
           : before + 1 == all ? radix_step::last
                               : radix_step::middle;
  }
};

// Counts the digits of a pass; before the first one, finds out which passes there are.
template <class K, class V>
struct radix_count {
  static constexpr const char* name = sort_name;
  using bits = key_bits<K>;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t t) const {
    if (pass > 0 && !d.active(pass)) return;
    const piece mine = piece_of(d.n, d.length, t);
    const auto* const keys =
        reinterpret_cast<const aliased_bits<K>*>((pass > 0 && d.in_room(pass) ? d.room : d.x).keys);
    // Two tables, so that equal neighbours do not wait for each other.
    std::uint32_t even[radix_steps::digits] = {}, odd[radix_steps::digits] = {};
    const auto count = [&](const auto& number) {
      const auto digit = [this](bits b) { return static_cast<std::uint32_t>(b >> (8 * pass)) & 255u; };
      std::int64_t i = mine.first;
      for (; i + 1 < mine.last; i += 2) ++even[digit(number(keys[i]))], ++odd[digit(number(keys[i + 1]))];
      if (i < mine.last) ++even[digit(number(keys[i]))];
    };
    if (pass == 0) {
      find_out(keys, mine, even);
    } else if (const radix_step step = d.step(pass); step == radix_step::whole) {
      count([this](bits raw) { return d.coder.code(raw); });
    } else if (step == radix_step::first) {
      count([this](bits raw) { return d.coder.code_nonzero(raw); });
    } else {
      count([](bits number) { return number; });
    }
    std::int64_t* const counts = d.counts + t * radix_steps::digits;
    for (int b = 0; b < radix_steps::digits; ++b) counts[b] = std::int64_t{even[b]} + odd[b];
  }

 private:
  void find_out(const aliased_bits<K>* keys, const piece& mine, std::uint32_t* count) const {
    const bits first = d.coder.code_nonzero(keys[0]);
    bits varying = 0;
    std::uint32_t minus_zeros = 0;
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
      const bits raw = keys[i], number = d.coder.code_nonzero(raw);
      varying = static_cast<bits>(varying | (number ^ first));
      if constexpr (!key_coder<K>::reversible) minus_zeros += raw == key_coder<K>::sign ? 1 : 0;
      ++count[number & 255u];
    }
    // Digits of −0 are those of +0, all of which differ from what was read.
    const std::uint64_t differing = minus_zeros == 0 ? std::uint64_t{varying} : ~std::uint64_t{0};
    __atomic_fetch_or(&d.steps->varying, differing, __ATOMIC_RELAXED);
    if (minus_zeros == 0) return;
    __atomic_store_n(&d.steps->minus_zero, true, __ATOMIC_RELAXED);
    count[d.coder.code_nonzero(key_coder<K>::sign) & 255u] -= minus_zeros;
    count[d.coder.code(key_coder<K>::sign) & 255u] += minus_zeros;
  }
};

template <class K, class V>
struct radix_place {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t) const {
    if (!d.active(pass)) return;
    std::int64_t before = 0;
    for (int b = 0; b < radix_steps::digits; ++b) {
      for (std::int64_t part = 0; part < d.parts; ++part) {
        std::int64_t& count = d.counts[part * radix_steps::digits + b];
        const std::int64_t here = count;
        count = before;
        before += here;
      }
    }
  }
};

template <class K, class V>
struct radix_move {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;
  int pass;

  void operator()(std::int64_t t) const {
    if (!d.active(pass)) return;
    const piece mine = piece_of(d.n, d.length, t);
    const bool in_room = d.in_room(pass);
    const records<K, V> from = (in_room ? d.room : d.x).at(mine.first), to = in_room ? d.x : d.room;
    move_by_digit_of_step<8>(d.step(pass), from, to, mine.last - mine.first, pass,
                             d.counts + t * radix_steps::digits, d.coder);
  }
};

template <class K, class V>
struct radix_finish {
  static constexpr const char* name = sort_name;
  radix_data<K, V> d;

  void operator()(std::int64_t t) const {
    if (!d.in_room(d.passes)) return;
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
void radix_sort_in_passes(const algorithm_plan& plan, records<K, V> x, records<K, V> room, std::int64_t n,
                          bool down, void* counts, void* steps, int passes = static_cast<int>(sizeof(K))) {
  const radix_parts parts(n);
  const radix_data<K, V> d{x,
                           room,
                           n,
                           parts.length,
                           parts.count,
                           static_cast<std::int64_t*>(counts),
                           static_cast<radix_steps*>(steps),
                           key_coder<K>(down),
                           passes};
  for (int pass = 0; pass < passes; ++pass) {
    launch_host_tasks(plan, parts.count, radix_count<K, V>{d, pass});
    launch_host_tasks(plan, 1, radix_place<K, V>{d, pass});
    launch_host_tasks(plan, parts.count, radix_move<K, V>{d, pass});
  }
  launch_host_tasks(plan, parts.count, radix_finish<K, V>{d});
}

// What lies in zeroed scratch.
struct radix_state {
  radix_steps steps;
  radix_runs_state runs;
};

// By the lowest `passes` bytes of the keys; the others are the same in all. `counts`: radix_parts(n).bytes().
// `state` is zero.
template <class K, class V>
void radix_sort_on_cpu(const algorithm_plan& plan, const records<K, V>& x, const records<K, V>& room,
                       std::int64_t n, bool down, void* counts, void* state,
                       int passes = static_cast<int>(sizeof(K))) {
  auto& s = *static_cast<radix_state*>(state);
  if (n <= radix_runs_most(plan)) {
    radix_sort_in_runs(plan, x, room, n, down, &s.runs);
  } else {
    radix_sort_in_passes(plan, x, room, n, down, counts, &s.steps, passes);
  }
}

}  // namespace amphi::detail
