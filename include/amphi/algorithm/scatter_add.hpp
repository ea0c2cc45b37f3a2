// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_rank.hpp"
#include "amphi/algorithm/detail/bin_reduce.hpp"

// scatter_add([policy,] bins, values, out, op = plus())   out[b] = op(out[b], the values whose bin is b)
//
// Reproducible, unlike additions by atomics: the values of a bin are reduced in their order as reduce()
// would, and the result is added to what `out` holds. A bin without values stays as it is. bins, integers
// from 0 to below the size of `out`, may be an index_range. A bin out of range is a bounds_error, on a GPU at
// the next synchronisation. Sorts the bins each time: for many values on the same bins make a scatter_plan.
// Does not wait for a GPU.

namespace amphi {
namespace detail {

struct scatter_add_name {
  static constexpr const char* name = "amphi::scatter_add";
};

// Values that a GPU sorts themselves; others are read through a permutation.
template <class A>
inline constexpr bool moves_with_bins = (sizeof(A) == 4 || sizeof(A) == 8) && alignof(A) == sizeof(A);

// Sorts, reduces, and forgets.
template <class Name, class A, class Bins, class Values, class Out, class Op>
void sum_into_bins(const policy& p, Bins& bins, Values& values, Out& out, const A& init, bool add,
                   const Op& op) {
  using E = typename element_of<decltype(elements_of(values))>::type;
  check_accumulator<E, A>();
  const std::int64_t n = count_of(Name::name, bins), bin_count = count_of(Name::name, out);
  if (count_of(Name::name, values) != n)
    throw_sizes_differ(Name::name, "bins and values", size_of(bins), size_of(values));
  check_bins(Name::name, n, bin_count);
  auto* const to = view(out).data();
  if constexpr (!is_index_range<std::remove_cv_t<Bins>>)
    check_apart(Name::name, view(bins).data(), n, to, bin_count);
  if constexpr (!is_index_range<std::remove_cv_t<Values>>)
    check_apart(Name::name, view(values).data(), n, to, bin_count);
  if (n == 0 && (add || bin_count == 0)) return;
  const algorithm_plan plan = plan_algorithm(Name::name, p, task_threads);
  scratch_pieces pieces;
  const segment_space<A> space(plan, n, pieces);
  const std::size_t offsets_at = pieces.add<std::int64_t>(static_cast<std::size_t>(bin_count) + 1);
  const auto count = static_cast<std::size_t>(n);
  const auto keys = elements_of(bins);
  auto elements = elements_of(values);
  const auto reduce_from = [&](const scratch& s, const auto& source) {
    auto* const offsets = scratch_pieces::at<std::int64_t>(s, offsets_at);
    reduce_segments(plan, bin_segments<Name>(source, identity(), op, init, add, to, offsets, bin_count, n),
                    space, s);
  };
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu) {
      constexpr bool moves = moves_with_bins<A>;
      using sorted = std::conditional_t<moves, A, bin_index>;
      using word = std::conditional_t<sizeof(sorted) == 8, std::uint64_t, bin_index>;
      const bin_sort<Name, word> sorting(plan, pieces, n, bin_count);
      const std::size_t sorted_at = pieces.add<sorted>(count);
      const scratch s(Name::name, plan, pieces.bytes(), space.zeroed_bytes());
      auto* const offsets = scratch_pieces::at<std::int64_t>(s, offsets_at);
      auto* const order = scratch_pieces::at<sorted>(s, sorted_at);
      if constexpr (moves) {
        sorting.template elements<A>(plan, s, keys, elements, offsets, order);
        return reduce_from(s, make_zip(static_cast<const A*>(order)));
      } else {
        sorting.numbers(plan, s, keys, offsets, order);
        return reduce_from(s, permuted<decltype(elements)>{elements, order});
      }
    }
  }
  const std::size_t rank_at = pieces.add<bin_index>(count);
  const std::size_t room_at = pieces.add<A>(count);
  using ranking_type = bin_ranking<Name, std::remove_const_t<decltype(keys)>>;
  ranking_type ranking(plan, pieces, keys, n, bin_count);
  const scratch s(Name::name, plan, pieces.bytes(), ranking_type::zeroed);
  auto* const rank = scratch_pieces::at<bin_index>(s, rank_at);
  A* const room = scratch_pieces::at<A>(s, room_at);
  ranking.rank(plan, s, rank, scratch_pieces::at<std::int64_t>(s, offsets_at));
  put_in_bin_order<Name>(plan, elements, identity(), rank, room, n);
  reduce_from(s, make_zip(static_cast<const A*>(room)));
}

}  // namespace detail

template <detail::input Bins, detail::input Values, detail::output Out, class Op = plus<>>
void scatter_add(const policy& p, Bins&& bins, Values&& values, Out&& out, Op op = {}) {
  using A = typename decltype(view(out))::value_type;
  detail::sum_into_bins<detail::scatter_add_name>(p, bins, values, out, A(), true, op);
}

template <detail::input Bins, detail::input Values, detail::output Out, class Op = plus<>>
void scatter_add(Bins&& bins, Values&& values, Out&& out, Op op = {}) {
  amphi::scatter_add(policy{}, bins, values, out, op);
}

}  // namespace amphi
