// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/select_kernel.hpp"
#include "amphi/algorithm/reduce.hpp"

// copy_if([policy,] in, out, predicate)
//   the elements for which predicate is true, in their order; gives their number by value: waits for it
// copy_if_into([policy,] in, out, count, predicate)
//   writes their number to count, a pointer or a view; does not wait
//
// `in` may be an index_range: then these are indices. `out` has as many elements as `in`, or more, and lies
// apart from it; elements behind the kept ones stay as they are. predicate may be called more than once for
// an element.

namespace amphi {
namespace detail {

struct copy_if_name {
  static constexpr const char* name = "amphi::copy_if";
  static constexpr bool rest = false;  // the other elements follow
};

}  // namespace detail

template <detail::input In, detail::output Out, class Predicate>
std::int64_t copy_if(const policy& p, In&& in, Out&& out, Predicate predicate) {
  const detail::keep_if<decltype(detail::elements_of(in)), Predicate> keep{detail::elements_of(in),
                                                                           predicate};
  return detail::select_now<detail::copy_if_name>(p, in, out, keep);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Predicate>
void copy_if_into(const policy& p, In&& in, Out&& out, Count&& count, Predicate predicate) {
  const detail::keep_if<decltype(detail::elements_of(in)), Predicate> keep{detail::elements_of(in),
                                                                           predicate};
  auto* const number = detail::only_element(detail::copy_if_name::name, count);
  detail::check_count<std::remove_pointer_t<decltype(number)>>();
  detail::select_into<detail::copy_if_name>(p, in, out, keep, number);
}

template <detail::input In, detail::output Out, class Predicate>
std::int64_t copy_if(In&& in, Out&& out, Predicate predicate) {
  return amphi::copy_if(policy{}, in, out, predicate);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Predicate>
void copy_if_into(In&& in, Out&& out, Count&& count, Predicate predicate) {
  amphi::copy_if_into(policy{}, in, out, count, predicate);
}

}  // namespace amphi
