// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_kernel.hpp"
#include "amphi/algorithm/detail/bin_rank.hpp"

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
  const std::size_t offsets_at = pieces.add<std::int64_t>(static_cast<std::size_t>(bin_count) + 1);
  const std::size_t partial_at = pieces.add<A>(bin_partials<A>(n, bin_count));
  const auto keys = elements_of(bins);
  const auto elements = elements_of(values);
  if (plan.on_gpu) {
    bin_room<Name> room(plan, pieces, n, bin_count);
    const scratch s(Name::name, plan, pieces.bytes(), bin_room<Name>::zeroed);
    auto* const offsets = scratch_pieces::at<std::int64_t>(s, offsets_at);
    const bin_index* const order = room.sort(plan, s, keys, n, bin_count, offsets);
    return reduce_bins<Name>(plan, elements, n, order, offsets, bin_count, to, init, add, op, identity(),
                             scratch_pieces::at<A>(s, partial_at));
  }
  const std::size_t rank_at = pieces.add<bin_index>(static_cast<std::size_t>(n));
  const std::size_t room_at = pieces.add<A>(static_cast<std::size_t>(n));
  bin_ranking<Name, std::remove_const_t<decltype(keys)>> ranking(plan, pieces, keys, n, bin_count);
  const scratch s(Name::name, plan, pieces.bytes(), bin_room<Name>::zeroed);
  auto* const offsets = scratch_pieces::at<std::int64_t>(s, offsets_at);
  auto* const rank = scratch_pieces::at<bin_index>(s, rank_at);
  A* const room = scratch_pieces::at<A>(s, room_at);
  ranking.rank(plan, s, rank, offsets);
  put_in_bin_order<Name>(plan, elements, identity(), rank, room, n);
  reduce_bins<Name>(plan, static_cast<const A*>(room), n, nullptr, offsets, bin_count, to, init, add, op,
                    identity(), scratch_pieces::at<A>(s, partial_at));
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
