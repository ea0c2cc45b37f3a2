// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/select_kernel.hpp"
#include "amphi/algorithm/reduce.hpp"

// unique([policy,] in, out, equal = equal_to())
//   the first of each run of equal elements, in their order; gives their number by value: waits for it
// unique_into([policy,] in, out, count, equal = equal_to())
//   writes their number to count, a pointer or a view; does not wait
//
// Each element is compared with its left neighbour, so `equal` should be an equivalence. `out` has as many
// elements as `in`, or more, and lies apart from it; elements behind the kept ones stay as they are. All
// distinct values of a range: sort it first.

namespace amphi {
namespace detail {

struct unique_name {
  static constexpr const char* name = "amphi::unique";
  static constexpr bool rest = false;  // the other elements follow
};

}  // namespace detail

template <detail::input In, detail::output Out, class Equal = equal_to<>>
std::int64_t unique(const policy& p, In&& in, Out&& out, Equal equal = {}) {
  const detail::keep_first<decltype(detail::elements_of(in)), Equal> keep{detail::elements_of(in), equal};
  return detail::select_now<detail::unique_name>(p, in, out, keep);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Equal = equal_to<>>
void unique_into(const policy& p, In&& in, Out&& out, Count&& count, Equal equal = {}) {
  const detail::keep_first<decltype(detail::elements_of(in)), Equal> keep{detail::elements_of(in), equal};
  auto* const number = detail::only_element(detail::unique_name::name, count);
  detail::check_count<std::remove_pointer_t<decltype(number)>>();
  detail::select_into<detail::unique_name>(p, in, out, keep, number);
}

template <detail::input In, detail::output Out, class Equal = equal_to<>>
std::int64_t unique(In&& in, Out&& out, Equal equal = {}) {
  return amphi::unique(policy{}, in, out, equal);
}

template <detail::input In, detail::output Out, detail::result_place Count, class Equal = equal_to<>>
void unique_into(In&& in, Out&& out, Count&& count, Equal equal = {}) {
  amphi::unique_into(policy{}, in, out, count, equal);
}

}  // namespace amphi
