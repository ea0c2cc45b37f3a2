// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"

// transform_reduce([policy,] in, init, op, f)          op(init, f(in[0]), f(in[1]), …)
// transform_reduce([policy,] in0, in1, init, op, f)    op(init, f(in0[0], in1[0]), …)
// dot([policy,] x, y, init)                            init + x[0] y[0] + …
// norm2([policy,] x)                                   √(x[0]² + …), without care for overflow
//
// By value: they wait for the result. Order, accumulator and rules are those of reduce. dot and norm2 convert
// elements to the accumulator's type (norm2: the element's) before they multiply, and round each product.

namespace amphi {
namespace detail {

template <class A>
struct product_of {
  template <class X, class Y>
  AMPHI_HOST_DEVICE constexpr A operator()(const X& x, const Y& y) const {
    static_assert(lossless<X, A>() && lossless<Y, A>(),
                  "amphi: the init of dot narrows the elements: give one of a wider type");
    return static_cast<A>(static_cast<A>(x) * static_cast<A>(y));
  }
  template <class X>
  AMPHI_HOST_DEVICE constexpr A operator()(const X& x) const {
    return static_cast<A>(x * x);
  }
};

// The correctly rounded root; a call that inlines on both sides.
template <class T>
inline T root(T v) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return __builtin_sqrtf(v);
  } else {
    return __builtin_sqrt(v);
  }
}

inline constexpr const char* transform_reduce_name = "amphi::transform_reduce";

}  // namespace detail

template <detail::input In, class T, class Op, class F>
T transform_reduce(const policy& p, In&& in, T init, Op op, F f) {
  const char* const name = detail::transform_reduce_name;
  return detail::reduce_value(name, p, detail::source_of(in), detail::count_of(name, in), init, op, f);
}

template <detail::input In0, detail::input In1, class T, class Op, class F>
T transform_reduce(const policy& p, In0&& in0, In1&& in1, T init, Op op, F f) {
  const char* const name = detail::transform_reduce_name;
  const std::int64_t n = detail::common_count(name, in0, in1);
  const auto source = detail::make_zip(detail::elements_of(in0), detail::elements_of(in1));
  return detail::reduce_value(name, p, source, n, init, op, f);
}

template <detail::input X, detail::input Y, class T>
T dot(const policy& p, X&& x, Y&& y, T init) {
  const std::int64_t n = detail::common_count("amphi::dot", x, y);
  const auto source = detail::make_zip(detail::elements_of(x), detail::elements_of(y));
  return detail::reduce_value("amphi::dot", p, source, n, init, plus<>(), detail::product_of<T>());
}

template <detail::input X>
auto norm2(const policy& p, X&& x) {
  using T = typename detail::element_of<decltype(detail::elements_of(x))>::type;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "amphi: norm2 takes float or double elements");
  const std::int64_t n = detail::count_of("amphi::norm2", x);
  return detail::root(detail::reduce_value("amphi::norm2", p, detail::source_of(x), n, T(0), plus<>(),
                                           detail::product_of<T>()));
}

// Without a policy.
template <detail::input In, class T, class Op, class F>
T transform_reduce(In&& in, T init, Op op, F f) {
  return amphi::transform_reduce(policy{}, in, init, op, f);
}

template <detail::input In0, detail::input In1, class T, class Op, class F>
T transform_reduce(In0&& in0, In1&& in1, T init, Op op, F f) {
  return amphi::transform_reduce(policy{}, in0, in1, init, op, f);
}

template <detail::input X, detail::input Y, class T>
T dot(X&& x, Y&& y, T init) {
  return amphi::dot(policy{}, x, y, init);
}

template <detail::input X>
auto norm2(X&& x) {
  return amphi::norm2(policy{}, x);
}

}  // namespace amphi
