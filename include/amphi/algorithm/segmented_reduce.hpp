// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"
#include "amphi/algorithm/detail/segment_call.hpp"

// segmented_reduce([policy,] in, offsets, out, init = T(), op = plus[, f])
//   out[s] = op(init, f of in[offsets[s]], …, f of in[offsets[s + 1] − 1]); of no elements, init
//
// One offset more than there are segments, of any integral type; the first need not be 0, nor the last the
// size of `in`. Each result has the bits of reduce() over that segment alone, on every backend with every
// geometry. op must be associative and commutative; the accumulator is of init's type, which must hold each
// element. `out` may be larger than needed, and must lie apart from `in` and the offsets. Offsets that
// decrease or lie outside the input are a bounds_error: on the CPU before anything is written, on a GPU at
// the next synchronisation, where the results of the other segments stand. Does not wait for a GPU.

namespace amphi {

template <detail::input In, detail::contiguous Offsets, detail::output Out, class T, class Op, class F>
void segmented_reduce(const policy& p, In&& in, Offsets&& offsets, Out&& out, T init, Op op, F f) {
  constexpr const char* name = detail::segmented_call::name;
  const auto source = detail::source_of(in);
  const auto o = view(offsets);
  using Index = typename decltype(o)::value_type;
  static_assert(integer<Index>, "amphi: the offsets of segmented_reduce are integers");
  using source_type = std::remove_const_t<decltype(source)>;
  detail::check_accumulator<detail::mapped<source_type, F>, T>();
  const std::int64_t n = detail::count_of(name, in);
  detail::check_size(name, "the offsets", offsets, 1);
  const std::int64_t count = detail::count_of(name, offsets) - 1;
  detail::check_size(name, "the output", out, count);
  auto* const to = view(out).data();
  if constexpr (!detail::is_index_range<std::remove_cvref_t<In>>)
    detail::check_apart(name, view(in).data(), n, to, count);
  detail::check_apart(name, o.data(), count + 1, to, count);
  if (count == 0) return;
  const detail::algorithm_plan plan = detail::plan_algorithm(name, p, detail::reduce_threads);
  using Result = std::remove_pointer_t<decltype(view(out).data())>;
  using data = detail::segment_data<source_type, F, Op, T, Result, Index>;
  const data d{source, f, op, init, to, {o.data(), count, n}};
  detail::scratch_pieces pieces;
  const detail::segment_space<T> space(plan, n, pieces);
  const detail::scratch s(name, plan, pieces.bytes(), space.zeroed_bytes());
  detail::reduce_segments(plan, d, space, s);
}

template <detail::input In, detail::contiguous Offsets, detail::output Out, class T, class Op = plus<>>
void segmented_reduce(const policy& p, In&& in, Offsets&& offsets, Out&& out, T init, Op op = {}) {
  amphi::segmented_reduce(p, in, offsets, out, init, op, identity());
}

template <detail::input In, detail::contiguous Offsets, detail::output Out>
void segmented_reduce(const policy& p, In&& in, Offsets&& offsets, Out&& out) {
  using T = typename detail::element_of<decltype(detail::elements_of(in))>::type;
  amphi::segmented_reduce(p, in, offsets, out, T(), plus<>(), identity());
}

// Without a policy.
template <detail::input In, detail::contiguous Offsets, detail::output Out, class T, class Op, class F>
void segmented_reduce(In&& in, Offsets&& offsets, Out&& out, T init, Op op, F f) {
  amphi::segmented_reduce(policy{}, in, offsets, out, init, op, f);
}

template <detail::input In, detail::contiguous Offsets, detail::output Out, class T, class Op = plus<>>
void segmented_reduce(In&& in, Offsets&& offsets, Out&& out, T init, Op op = {}) {
  amphi::segmented_reduce(policy{}, in, offsets, out, init, op, identity());
}

template <detail::input In, detail::contiguous Offsets, detail::output Out>
void segmented_reduce(In&& in, Offsets&& offsets, Out&& out) {
  amphi::segmented_reduce(policy{}, in, offsets, out);
}

}  // namespace amphi
