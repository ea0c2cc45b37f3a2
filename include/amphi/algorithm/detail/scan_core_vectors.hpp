// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/scan_core.hpp"
#include "amphi/algorithm/detail/scan_core_exact.hpp"

// Scans of floats on a CPU core, as many threads of the written order at once as a vector has lanes: their
// items, rows of memory, are turned into columns, which vectors add up. Between the two passes running sums
// lie in the output in square blocks: [item][thread]. Two doubles in a vector gain less than the turning
// costs.

namespace amphi::detail {

template <class A, class Op>
inline constexpr bool is_product_of = std::is_same_v<Op, multiplies<>> || std::is_same_v<Op, multiplies<A>>;

// The compilers of CUDA units know no shuffles of vectors.
template <class Source, class A, class Out, class Op>
inline constexpr bool scan_goes_in_vectors =
    !AMPHI_CUDA_UNIT && sizeof(A) == 4 && std::is_floating_point_v<A> && std::is_same_v<Out, A> &&
    std::is_same_v<Source, zip<const A*>> && (is_sum_of<A, Op> || is_product_of<A, Op>);

#if !AMPHI_CUDA_UNIT

template <class A>
struct scan_vectors {
  static constexpr int lanes = 4;  // threads beside each other
  static constexpr int items = scan_shape<A>::items;
  using vector [[gnu::vector_size(16)]] = A;
  using vector_in_memory [[gnu::vector_size(16), gnu::aligned(alignof(A)), gnu::may_alias]] = A;

  // lanes × lanes elements. No arrays and loops: compilers leave those in memory.
  struct block {
    vector a, b, c, d;

    void load(const A* from) {
      a = *reinterpret_cast<const vector_in_memory*>(from);
      b = *reinterpret_cast<const vector_in_memory*>(from + items);
      c = *reinterpret_cast<const vector_in_memory*>(from + 2 * items);
      d = *reinterpret_cast<const vector_in_memory*>(from + 3 * items);
    }
    void store(A* to) const {
      *reinterpret_cast<vector_in_memory*>(to) = a;
      *reinterpret_cast<vector_in_memory*>(to + items) = b;
      *reinterpret_cast<vector_in_memory*>(to + 2 * items) = c;
      *reinterpret_cast<vector_in_memory*>(to + 3 * items) = d;
    }
    void transpose() {
      const vector p = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      const vector q = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const vector r = __builtin_shufflevector(c, d, 0, 4, 1, 5);
      const vector s = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      a = __builtin_shufflevector(p, r, 0, 1, 4, 5);
      b = __builtin_shufflevector(p, r, 2, 3, 6, 7);
      c = __builtin_shufflevector(q, s, 0, 1, 4, 5);
      d = __builtin_shufflevector(q, s, 2, 3, 6, 7);
    }
    template <class Op>
    void sum(const Op& op) {
      apply(op, b, a, b);
      apply(op, c, b, c);
      apply(op, d, c, d);
    }
  };

  template <class T>
  static void apply(const plus<T>&, vector& to, const vector& left, const vector& right) {
    to = left + right;
  }
  template <class T>
  static void apply(const multiplies<T>&, vector& to, const vector& left, const vector& right) {
    to = left * right;
  }

  // Running sums of neighbouring threads, from v and w on, and their last ones. Two at a time: the additions
  // of one wait for each other. v and w may be the same.
  template <class Op>
  static void sum(const Op& op, const A* in, A* local, A* sums, int v, int w) {
    block x, y;
    x.load(in + v * items);
    y.load(in + w * items);
    x.transpose();
    y.transpose();
    for (int k = 0;;) {
      x.sum(op);
      y.sum(op);
      const vector before_x = x.d, before_y = y.d;
      x.store(local + v * items + k);
      y.store(local + w * items + k);
      k += lanes;
      if (k == items) break;
      x.load(in + v * items + k);
      y.load(in + w * items + k);
      x.transpose();
      y.transpose();
      apply(op, x.a, before_x, x.a);
      apply(op, y.a, before_y, y.a);
    }
    *reinterpret_cast<vector_in_memory*>(sums + v) = x.d;
    *reinterpret_cast<vector_in_memory*>(sums + w) = y.d;
  }

  // Their results behind `before`, which is one value of each. `out` is `local` or lies apart.
  template <class Op>
  static void finish_inclusive(const Op& op, const A* local, const A* before, A* out) {
    const vector prefix = *reinterpret_cast<const vector_in_memory*>(before);
    for (int k = 0; k < items; k += lanes) {
      block v;
      v.load(local + k);
      apply(op, v.a, prefix, v.a);
      apply(op, v.b, prefix, v.b);
      apply(op, v.c, prefix, v.c);
      apply(op, v.d, prefix, v.d);
      v.transpose();
      v.store(out + k);
    }
  }
  template <class Op>
  static void finish_exclusive(const Op& op, const A* local, const A* before, A* out) {
    const vector prefix = *reinterpret_cast<const vector_in_memory*>(before);
    vector first = prefix;
    for (int k = 0; k < items; k += lanes) {
      block v, results;
      v.load(local + k);
      results.a = first;
      apply(op, results.b, prefix, v.a);
      apply(op, results.c, prefix, v.b);
      apply(op, results.d, prefix, v.c);
      apply(op, first, prefix, v.d);
      results.transpose();
      results.store(out + k);
    }
  }
};

// A warp of a tile.
template <class A, class Op>
struct scan_vector_warp {
  using shape = scan_shape<A>;
  static constexpr int items = shape::items, wide = scan_vectors<A>::lanes;
  Op& op;
  A* out;          // of its first element
  A* sums;         // of its threads; behind the first pass, by Kogge-Stone
  int count;       // elements
  int lanes;       // threads that have elements
  int in_vectors;  // threads that vectors take

  scan_vector_warp(Op& o, A* to, A* s, std::int64_t rest)
      : op(o),
        out(to),
        sums(s),
        count(rest < shape::segment ? static_cast<int>(rest) : shape::segment),
        lanes((count + items - 1) / items),
        in_vectors(count / items / wide * wide) {}

  void sum(const A* in) const {
    for (int l = 0; l < in_vectors; l += 2 * wide)
      scan_vectors<A>::sum(op, in, out, sums, l, l + wide < in_vectors ? l + wide : l);
    for (int l = in_vectors; l < lanes; ++l) {
      const int first = l * items, end = first + items < count ? first + items : count;
      A running = in[first];
      out[first] = running;
      for (int i = first + 1; i < end; ++i) out[i] = running = combine<A>(op, running, in[i]);
      sums[l] = running;
    }
    if (lanes == 32) {
      scan_core_lanes<1>(op, sums, 32);
    } else {
      scan_core_lanes<1>(op, sums, lanes);
    }
  }

  const A& last_sum() const { return sums[lanes - 1]; }

  // The inclusive value of the last element, between the passes.
  A total(const scan_prefix<A>& before) const {
    const int i = count - 1, l = i / items, k = i % items;
    const int at = l < in_vectors ? (l / wide * wide + k % wide) * items + k / wide * wide + l % wide : i;
    scan_prefix<A> mine = before;
    if (l > 0) mine.append(op, sums[l - 1]);
    return mine.before(op, out[at]);
  }

  // `before`: what stands before the warp.
  void finish(const scan_prefix<A>& before, bool exclusive) const {
    A prefixes[32];
    prefixes[0] = before.value;
    if (before.held) {
      for (int l = 1; l < lanes; ++l) prefixes[l] = combine<A>(op, before.value, sums[l - 1]);
    } else {
      for (int l = 1; l < lanes; ++l) prefixes[l] = sums[l - 1];
    }
    A first[items] = {};  // the results of a thread with nothing before it, which has them already
    const bool keeps_first = !before.held && in_vectors > 0;
    if (keeps_first)
      for (int k = 0; k < items; ++k) first[k] = out[k % wide * items + k / wide * wide];
    for (int l = 0; l < in_vectors; l += wide) {
      if (exclusive) {
        scan_vectors<A>::finish_exclusive(op, out + l * items, prefixes + l, out + l * items);
      } else {
        scan_vectors<A>::finish_inclusive(op, out + l * items, prefixes + l, out + l * items);
      }
    }
    if (keeps_first)
      for (int k = 0; k < items; ++k) out[k] = first[k];
    for (int l = in_vectors; l < lanes; ++l) {
      const int mine = count - l * items < items ? count - l * items : items;
      scan_core_results(op, out + l * items, mine, out + l * items, {prefixes[l], l > 0 || before.held},
                        exclusive);
    }
  }
};

// Takes tiles until none is left, as scan_on_core does. Where nobody waits for a tile's sum, warps are done
// one by one, in the nearest cache.
template <class Source, class A, class Total, class Op>
void scan_vectors_on_core(const scan_data<Source, A, A, Total>& d, Op& op, bool alone) {
  using shape = scan_shape<A>;
  auto* const ready = static_cast<unsigned*>(d.states);
  const A* const in = static_cast<const slot<0, const A*>&>(d.source).elements;
  const std::int64_t tiles = scan_tiles<A>(d.n);
  alignas(64) A sums[shape::threads];
  for (;;) {
    const std::int64_t tile = scan_take(&d.counters[0]);
    if (tile >= tiles) return;
    const std::int64_t base = tile * shape::tile;
    const int count = static_cast<int>(d.n - base < shape::tile ? d.n - base : shape::tile);
    const bool last = tile + 1 == tiles, at_once = alone || last;
    const auto warp = [&](int first) {
      return scan_vector_warp<A, Op>(op, d.out + base + first, sums + first / shape::items, count - first);
    };
    scan_prefix<A> all{A(), false};
    if (!at_once) {
      for (int first = 0; first < count; first += shape::segment) {
        const auto w = warp(first);
        w.sum(in + base + first);
        all.append(op, w.last_sum());
      }
    }
    scan_prefix<A> prefix = d.first_prefix();
    if (tile > 0) {
      if (!scan_await(&ready[tile - 1], &d.counters[2])) return;
      prefix = {d.sums[tile - 1], true};
    }
    if (!at_once) {
      d.sums[tile] = prefix.before(op, all.value);
      scan_announce(&ready[tile]);
    }
    scan_prefix<A> left{A(), false};
    for (int first = 0; first < count; first += shape::segment) {
      const auto w = warp(first);
      if (at_once) w.sum(in + base + first);
      scan_prefix<A> before = prefix;
      if (left.held) before.append(op, left.value);
      left.append(op, w.last_sum());
      if (last && d.total != nullptr && first + shape::segment >= count)
        *d.total = static_cast<Total>(w.total(before));
      w.finish(before, d.exclusive);
    }
    if (at_once && !last) {
      d.sums[tile] = prefix.before(op, left.value);
      scan_announce(&ready[tile]);
    }
  }
}

#endif

}  // namespace amphi::detail
