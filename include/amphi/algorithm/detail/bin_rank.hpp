// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_order.hpp"

// Bins on CPU cores: where each element goes when elements are put into the order of their bins. Elements are
// read in their own order and written to as many places as there are bins, which the caches like better than
// the reverse.

namespace amphi::detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

// Parts of the elements, one for a task, and for each part a table of its bins.
template <class Bins>
struct bin_parts {
  Bins bins;
  std::int64_t n, bin_count, length, count;
  std::uint32_t* table;  // [part][bin]: how many, then where the next one goes

  bin_parts(const Bins& b, std::int64_t elements, std::int64_t bins_)
      : bins(b), n(elements), bin_count(bins_), length((elements + 255) / 256), table(nullptr) {
    if (length < 16384) length = 16384;
    if (length < 4 * bin_count) length = 4 * bin_count;
    count = (n + length - 1) / length;
  }
  std::size_t table_size() const { return static_cast<std::size_t>(count * bin_count); }
};

template <class Name, class Bins>
struct bin_tally {
  static constexpr const char* name = Name::name;
  bin_parts<Bins> parts;

  void operator()(std::int64_t t) const {
    std::uint32_t* const mine = parts.table + t * parts.bin_count;
    for (std::int64_t b = 0; b < parts.bin_count; ++b) mine[b] = 0;
    const piece p = piece_of(parts.n, parts.length, t);
    for (std::int64_t i = p.first; i < p.last; ++i) {
      const auto bin = parts.bins[i];
      (void)in_bins<Name>(bin, parts.bin_count, i);  // else it throws
      ++mine[static_cast<std::size_t>(bin)];
    }
  }
};

template <class Name, class Bins>
struct bin_starts {
  static constexpr const char* name = Name::name;
  bin_parts<Bins> parts;
  std::int64_t* offsets;

  void operator()(std::int64_t) const {
    const std::int64_t bins = parts.bin_count;
    for (std::int64_t b = 0; b < bins; ++b) offsets[b] = 0;
    for (std::int64_t t = 0; t < parts.count; ++t)
      for (std::int64_t b = 0; b < bins; ++b) offsets[b] += parts.table[t * bins + b];
    std::int64_t before = 0;
    for (std::int64_t b = 0; b < bins; ++b) {
      const std::int64_t here = offsets[b];
      offsets[b] = before, before += here;
    }
    // Each bin's place moves on from part to part, in the end to where the next bin begins.
    for (std::int64_t t = 0; t < parts.count; ++t)
      for (std::int64_t b = 0; b < bins; ++b) {
        const std::uint32_t here = parts.table[t * bins + b];
        parts.table[t * bins + b] = static_cast<std::uint32_t>(offsets[b]), offsets[b] += here;
      }
    for (std::int64_t b = bins; b > 0; --b) offsets[b] = offsets[b - 1];
    offsets[0] = 0;
  }
};

template <class Name, class Bins>
struct bin_places {
  static constexpr const char* name = Name::name;
  bin_parts<Bins> parts;
  bin_index* rank;

  void operator()(std::int64_t t) const {
    std::uint32_t* const mine = parts.table + t * parts.bin_count;
    const piece p = piece_of(parts.n, parts.length, t);
    for (std::int64_t i = p.first; i < p.last; ++i) rank[i] = mine[static_cast<std::size_t>(parts.bins[i])]++;
  }
};

AMPHI_DETAIL_CONVERSIONS_END

// order[rank[i]] = i, or the other way round.
template <class Name>
struct bin_invert {
  static constexpr const char* name = Name::name;
  const bin_index* from;
  bin_index* to;
  void operator()(std::int64_t i) const { to[from[i]] = static_cast<bin_index>(i); }
};

// Values into the order of their bins, as accumulators.
template <class Name, class A, class E, class F>
struct bin_values {
  static constexpr const char* name = Name::name;
  zip<E> source;
  F f;
  const bin_index* rank;
  A* to;
  std::int64_t n, length;

  void operator()(std::int64_t t) const {
    F own = f;
    const piece p = piece_of(n, length, t);
    for (std::int64_t i = p.first; i < p.last; ++i) to[rank[i]] = static_cast<A>(source.at(i, own));
  }
};

template <class Name, class A, class E, class F>
void put_in_bin_order(const algorithm_plan& plan, const E& elements, const F& f, const bin_index* rank, A* to,
                      std::int64_t n) {
  const std::int64_t length = task_length(plan, n, 1, 4096);
  launch_host_tasks(plan, (n + length - 1) / length,
                    bin_values<Name, A, E, F>{make_zip(elements), f, rank, to, n, length});
}

// The scratch in which elements are ranked: few bins are counted, many are sorted.
template <class Name, class Bins>
class bin_ranking {
 public:
  static constexpr std::size_t zeroed = bin_sort<Name, bin_index>::zeroed;
  static constexpr std::int64_t few = 65536;

  bin_ranking(const algorithm_plan& plan, scratch_pieces& pieces, const Bins& bins, std::int64_t n,
              std::int64_t bin_count)
      : parts_(bins, n, bin_count),
        counts_(bin_count <= few),
        table_(pieces.add<std::uint32_t>(counts_ ? parts_.table_size() : 0)),
        order_(pieces.add<bin_index>(counts_ ? 0 : static_cast<std::size_t>(n))),
        sorting_(plan, pieces, counts_ ? 0 : n, bin_count) {}

  // rank[i]: where element i goes; offsets[b]: where bin b begins. Both are written; a bin out of range is a
  // bounds_error.
  void rank(const algorithm_plan& plan, const scratch& s, bin_index* rank, std::int64_t* offsets) {
    if (!counts_) {
      auto* const order = scratch_pieces::at<bin_index>(s, order_);
      sorting_.numbers(plan, s, parts_.bins, offsets, order);
      return launch_host_tasks(plan, parts_.n, bin_invert<Name>{order, rank});
    }
    bin_parts<Bins> parts = parts_;
    parts.table = scratch_pieces::at<std::uint32_t>(s, table_);
    launch_host_tasks(plan, parts.count, bin_tally<Name, Bins>{parts});
    launch_host_tasks(plan, 1, bin_starts<Name, Bins>{parts, offsets});
    launch_host_tasks(plan, parts.count, bin_places<Name, Bins>{parts, rank});
  }

 private:
  bin_parts<Bins> parts_;
  bool counts_;
  std::size_t table_, order_;
  bin_sort<Name, bin_index> sorting_;
};

}  // namespace amphi::detail
