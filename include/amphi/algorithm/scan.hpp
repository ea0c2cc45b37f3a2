// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/scan_kernel.hpp"
#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/algorithm/reduce.hpp"

// inclusive_scan([policy,] in, out, op = plus[, init[, total]])   out[i] = init op in[0] op … op in[i]
// exclusive_scan([policy,] in, out, init, op = plus[, total])     out[i] = init op in[0] op … op in[i − 1]
//
// total, a pointer or a view, receives the last inclusive value; of no elements, init; it may lie right
// behind the output, not in it. op must be associative; it need not be commutative. Results have the same
// bits on every backend with every geometry, and the order of operations stands in this folder's README; an
// element need not equal reduce() over the same elements to the last bit. The accumulator is of init's type,
// or of the elements' without init. The output may be the input; a partial overlap is an error. Does not wait
// for a GPU.

namespace amphi {
namespace detail {

inline constexpr const char* inclusive_name = "amphi::inclusive_scan";
inline constexpr const char* exclusive_name = "amphi::exclusive_scan";

template <class A, class In, class Out, class Op, class Total>
void scan_range(const char* name, const policy& p, In& in, Out& out, const Op& op, const A& init,
                bool has_init, bool exclusive, Total* total) {
  using E = typename element_of<decltype(elements_of(in))>::type;
  check_accumulator<E, A>();
  const std::int64_t n = count_of(name, in);
  check_size(name, "the output", out, n);
  check_aliasing(name, in, out, n);
  if (total != nullptr) check_result_apart(name, total, view(out).data(), n);
  scan_elements<A>(name, p, source_of(in), n, view(out).data(), op, init, has_init, exclusive, total);
}

template <class In>
using value_of =
    typename element_of<decltype(elements_of(std::declval<std::remove_reference_t<In>&>()))>::type;

}  // namespace detail

template <detail::input In, detail::output Out, class Op = plus<>>
void inclusive_scan(const policy& p, In&& in, Out&& out, Op op = {}) {
  using A = detail::value_of<In>;
  A* const no_total = nullptr;
  detail::scan_range<A>(detail::inclusive_name, p, in, out, op, A(), false, false, no_total);
}

template <detail::input In, detail::output Out, class Op, class T>
void inclusive_scan(const policy& p, In&& in, Out&& out, Op op, T init) {
  T* const no_total = nullptr;
  detail::scan_range<T>(detail::inclusive_name, p, in, out, op, init, true, false, no_total);
}

template <detail::input In, detail::output Out, class Op, class T, detail::result_place Total>
void inclusive_scan(const policy& p, In&& in, Out&& out, Op op, T init, Total&& total) {
  detail::scan_range<T>(detail::inclusive_name, p, in, out, op, init, true, false,
                        detail::only_element(detail::inclusive_name, total));
}

template <detail::input In, detail::output Out, class T, class Op = plus<>>
void exclusive_scan(const policy& p, In&& in, Out&& out, T init, Op op = {}) {
  T* const no_total = nullptr;
  detail::scan_range<T>(detail::exclusive_name, p, in, out, op, init, true, true, no_total);
}

template <detail::input In, detail::output Out, class T, class Op, detail::result_place Total>
void exclusive_scan(const policy& p, In&& in, Out&& out, T init, Op op, Total&& total) {
  detail::scan_range<T>(detail::exclusive_name, p, in, out, op, init, true, true,
                        detail::only_element(detail::exclusive_name, total));
}

// Without a policy.
template <detail::input In, detail::output Out, class Op = plus<>>
void inclusive_scan(In&& in, Out&& out, Op op = {}) {
  amphi::inclusive_scan(policy{}, in, out, op);
}

template <detail::input In, detail::output Out, class Op, class T>
void inclusive_scan(In&& in, Out&& out, Op op, T init) {
  amphi::inclusive_scan(policy{}, in, out, op, init);
}

template <detail::input In, detail::output Out, class Op, class T, detail::result_place Total>
void inclusive_scan(In&& in, Out&& out, Op op, T init, Total&& total) {
  amphi::inclusive_scan(policy{}, in, out, op, init, total);
}

template <detail::input In, detail::output Out, class T, class Op = plus<>>
void exclusive_scan(In&& in, Out&& out, T init, Op op = {}) {
  amphi::exclusive_scan(policy{}, in, out, init, op);
}

template <detail::input In, detail::output Out, class T, class Op, detail::result_place Total>
void exclusive_scan(In&& in, Out&& out, T init, Op op, Total&& total) {
  amphi::exclusive_scan(policy{}, in, out, init, op, total);
}

}  // namespace amphi
