// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"

// reduce([policy,] in, init = T(), op = plus)     op(init, element 0, element 1, …), by value: waits for it
// reduce([policy,] space, init, op, f)            the same over f(element), f(i), f(x, y) or f(x, y, z), each
//                                                 called once; space: an input, an index_range, an extent or
//                                                 a box
// reduce_into([policy,] in, out, init, op)        writes to out, a pointer or a view; does not wait
// reduce_into([policy,] space, out, init, op, f)
//
// op must be associative and commutative. The result has the same bits on every backend with every geometry;
// the order of operations stands in this folder's README. The accumulator is of init's type, which must hold
// each element. Of no elements the result is init.

namespace amphi {
namespace detail {

template <class C>
concept reducible = input<C> || box_like<C>;

inline constexpr const char* reduce_name = reduce_kernel::name;

template <class Out>
Out* only_element(const char* algorithm, Out* out) {
  if (out == nullptr) throw_null_result(algorithm);
  return out;
}
template <class C>
requires output<C>
auto only_element(const char* algorithm, C& out) {
  check_size(algorithm, "the output", out, 1);
  return view(out).data();
}

template <class T>
concept result_place = std::is_pointer_v<std::remove_cvref_t<T>> || output<T>;

}  // namespace detail

template <class Space, detail::result_place Out, class T, class Op, class F>
requires detail::reducible<Space>
void reduce_into(const policy& p, Space&& space, Out&& out, T init, Op op, F f) {
  const std::int64_t n = detail::count_of(detail::reduce_name, space);
  auto* const to = detail::only_element(detail::reduce_name, out);
  detail::reduce_to(detail::reduce_name, p, detail::source_of(space), n, to, init, op, f);
}

template <class Space, class T, class Op, class F>
requires detail::reducible<Space> T reduce(const policy& p, Space&& space, T init, Op op, F f) {
  const std::int64_t n = detail::count_of(detail::reduce_name, space);
  return detail::reduce_value(detail::reduce_name, p, detail::source_of(space), n, init, op, f);
}

template <detail::input In, detail::result_place Out, class T, class Op = plus<>>
void reduce_into(const policy& p, In&& in, Out&& out, T init, Op op = {}) {
  reduce_into(p, in, out, init, op, identity());
}

template <detail::input In, class T, class Op = plus<>>
T reduce(const policy& p, In&& in, T init, Op op = {}) {
  return reduce(p, in, init, op, identity());
}

template <detail::input In>
auto reduce(const policy& p, In&& in) {
  using T = typename detail::element_of<decltype(detail::elements_of(in))>::type;
  return reduce(p, in, T(), plus<>(), identity());
}

// Without a policy.
template <class Space, detail::result_place Out, class T, class Op, class F>
requires detail::reducible<Space>
void reduce_into(Space&& space, Out&& out, T init, Op op, F f) {
  reduce_into(policy{}, space, out, init, op, f);
}

template <class Space, class T, class Op, class F>
requires detail::reducible<Space> T reduce(Space&& space, T init, Op op, F f) {
  return reduce(policy{}, space, init, op, f);
}

template <detail::input In, detail::result_place Out, class T, class Op = plus<>>
void reduce_into(In&& in, Out&& out, T init, Op op = {}) {
  reduce_into(policy{}, in, out, init, op, identity());
}

template <detail::input In, class T, class Op = plus<>>
T reduce(In&& in, T init, Op op = {}) {
  return reduce(policy{}, in, init, op, identity());
}

template <detail::input In>
auto reduce(In&& in) {
  return reduce(policy{}, in);
}

}  // namespace amphi
