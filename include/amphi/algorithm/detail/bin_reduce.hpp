// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_order.hpp"
#include "amphi/algorithm/detail/segment_call.hpp"

// Bins as segments of the elements in bin order.

namespace amphi::detail {

// A source of elements by way of a permutation.
template <class E>
struct permuted {
  static constexpr bool packable = false;
  static constexpr std::size_t widest = sizeof(typename element_of<E>::type);
  E elements;
  const bin_index* order;

  template <class F>
  AMPHI_HOST_DEVICE decltype(auto) at(std::int64_t i, F& f) const {
    return f(elements[static_cast<std::int64_t>(order[i])]);
  }
  template <class F, class G>
  AMPHI_HOST_DEVICE void visit(std::int64_t i, int count, F& f, G&& g) const {
    for (int l = 0; l < count; ++l) g(l, at(i + l, f));
  }
  template <int W>
  bool aligned() const {
    return false;
  }
};

// What reduce_segments takes. `add`: to what `out` holds, instead of to init.
template <class Name, class Source, class F, class Op, class A, class Out>
auto bin_segments(const Source& source, const F& f, const Op& op, const A& init, bool add, Out* out,
                  const std::int64_t* offsets, std::int64_t bins, std::int64_t n) {
  return segment_data<Source, F, Op, A, Out, std::int64_t, Name>{source, f, op, init, out, {offsets, bins, n},
                                                                 add};
}

}  // namespace amphi::detail
