// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/map_kernel.hpp"

// transform([policy,] in, out, f)                 out[i] = f(in[i])
// transform([policy,] in0, in1, out, f)           out[i] = f(in0[i], in1[i])
// transform([policy,] in0, in1, in2, out, f)
//
// Inputs are views, spans, containers or index ranges of one size; the output has that many elements or more.
// It may be an input itself; a partial overlap is an error. f is called once for each element. Does not wait
// for a GPU. Unlike parallel_for, it moves contiguous elements in vectors.

namespace amphi {
namespace detail {

template <class Out, class F, class... In>
void transform_inputs(const char* algorithm, const policy& p, Out& out, const F& f, In&... in) {
  const std::int64_t counts[] = {count_of(algorithm, in)...};
  for (const std::int64_t n : counts)
    if (n != counts[0])
      throw_too_small(algorithm, "an input", static_cast<std::uint64_t>(n < counts[0] ? n : counts[0]),
                      static_cast<std::uint64_t>(n < counts[0] ? counts[0] : n));
  check_size(algorithm, "the output", out, counts[0]);
  (check_aliasing(algorithm, in, out, counts[0]), ...);
  map_elements(algorithm, p, make_zip(elements_of(in)...), view(out).data(), counts[0], f);
}

inline constexpr const char* transform_name = map_kernel::name;

}  // namespace detail

template <detail::input In, detail::output Out, class F>
void transform(const policy& p, In&& in, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, p, out, f, in);
}

template <detail::input In0, detail::input In1, detail::output Out, class F>
void transform(const policy& p, In0&& in0, In1&& in1, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, p, out, f, in0, in1);
}

template <detail::input In0, detail::input In1, detail::input In2, detail::output Out, class F>
void transform(const policy& p, In0&& in0, In1&& in1, In2&& in2, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, p, out, f, in0, in1, in2);
}

template <detail::input In, detail::output Out, class F>
void transform(In&& in, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, {}, out, f, in);
}

template <detail::input In0, detail::input In1, detail::output Out, class F>
void transform(In0&& in0, In1&& in1, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, {}, out, f, in0, in1);
}

template <detail::input In0, detail::input In1, detail::input In2, detail::output Out, class F>
void transform(In0&& in0, In1&& in1, In2&& in2, Out&& out, F f) {
  detail::transform_inputs(detail::transform_name, {}, out, f, in0, in1, in2);
}

}  // namespace amphi
