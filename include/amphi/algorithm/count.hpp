// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"

// count_if([policy,] in, f)    how many elements f is true for, as std::int64_t
// all_of, any_of, none_of([policy,] in, f)
//
// By value: they wait for the result. f is called once for each element; they do not stop early.

namespace amphi {
namespace detail {

template <class F>
struct one_if {
  F f;
  template <class... T>
  AMPHI_HOST_DEVICE std::int64_t operator()(const T&... v) {
    return static_cast<bool>(f(v...)) ? 1 : 0;
  }
};

}  // namespace detail

template <detail::input In, class F>
std::int64_t count_if(const policy& p, In&& in, F f) {
  constexpr const char* name = "amphi::count_if";
  return detail::reduce_value(name, p, detail::source_of(in), detail::count_of(name, in), std::int64_t{0},
                              plus<>(), detail::one_if<F>{f});
}

template <detail::input In, class F>
std::int64_t count_if(In&& in, F f) {
  return amphi::count_if(policy{}, in, f);
}

template <detail::input In, class F>
bool all_of(const policy& p, In&& in, F f) {
  return amphi::count_if(p, in, f) == detail::count_of("amphi::all_of", in);
}
template <detail::input In, class F>
bool any_of(const policy& p, In&& in, F f) {
  return amphi::count_if(p, in, f) != 0;
}
template <detail::input In, class F>
bool none_of(const policy& p, In&& in, F f) {
  return amphi::count_if(p, in, f) == 0;
}

template <detail::input In, class F>
bool all_of(In&& in, F f) {
  return amphi::all_of(policy{}, in, f);
}
template <detail::input In, class F>
bool any_of(In&& in, F f) {
  return amphi::any_of(policy{}, in, f);
}
template <detail::input In, class F>
bool none_of(In&& in, F f) {
  return amphi::none_of(policy{}, in, f);
}

}  // namespace amphi
