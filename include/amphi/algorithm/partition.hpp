// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/select_kernel.hpp"
#include "amphi/algorithm/reduce.hpp"

// partition([policy,] in, out, predicate)
//   the elements for which predicate is true, then the others, both in their order; gives the number of the
//   first: waits for it
// partition_into([policy,] in, out, count, predicate)
//   writes that number to count, a pointer or a view; does not wait
//
// Unlike std::partition it is stable, and `out` lies apart from `in`. predicate may be called more than
// once for an element.

namespace amphi {
namespace detail {

struct partition_name {
  static constexpr const char* name = "amphi::partition";
  static constexpr bool rest = true;  // the other elements follow
};

}  // namespace detail

template <detail::input In, detail::output Out, class Predicate>
std::int64_t partition(const policy& p, In&& in, Out&& out, Predicate predicate) {
  const detail::keep_if<decltype(detail::elements_of(in)), Predicate> keep{detail::elements_of(in),
                                                                           predicate};
  return detail::select_now<detail::partition_name>(p, in, out, keep);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Predicate>
void partition_into(const policy& p, In&& in, Out&& out, Count&& count, Predicate predicate) {
  const detail::keep_if<decltype(detail::elements_of(in)), Predicate> keep{detail::elements_of(in),
                                                                           predicate};
  auto* const number = detail::only_element(detail::partition_name::name, count);
  detail::check_count<std::remove_pointer_t<decltype(number)>>();
  detail::select_into<detail::partition_name>(p, in, out, keep, number);
}

template <detail::input In, detail::output Out, class Predicate>
std::int64_t partition(In&& in, Out&& out, Predicate predicate) {
  return amphi::partition(policy{}, in, out, predicate);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Predicate>
void partition_into(In&& in, Out&& out, Count&& count, Predicate predicate) {
  amphi::partition_into(policy{}, in, out, count, predicate);
}

}  // namespace amphi
