// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/execution/parallel_for.hpp"

// for_each([policy,] range, f)   f(range[i]) for each element of a view, which f may take by reference and
// change; of an index_range, f(i). In no particular order. Does not wait for a GPU.

namespace amphi {
namespace detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

struct for_each_element {
  static constexpr bool block_form = false;
  template <class T, class F>
  AMPHI_HOST_DEVICE static void call(T* data, std::int64_t n, F f) {
    for (auto i : grid_stride_range(0, n)) f(data[i]);
  }
};

struct for_each_index {
  static constexpr bool block_form = false;
  template <class T, class F>
  AMPHI_HOST_DEVICE static void call(counting<T> first, std::int64_t n, F f) {
    for (auto i : grid_stride_range(0, n)) f(first[i]);
  }
};

AMPHI_DETAIL_CONVERSIONS_END

}  // namespace detail

template <detail::input Range, class F>
void for_each(const policy& p, Range&& range, F f) {
  detail::check_unit<F>();
  const std::int64_t n = detail::count_of("amphi::for_each", range);
  if (n == 0) return;
  using Named = detail::named_body<F>;
  if constexpr (detail::is_index_range<std::remove_cvref_t<Range>>) {
    using T = typename std::remove_cvref_t<Range>::value_type;
    detail::launchable<detail::for_each_index, Named, detail::counting<T>, std::int64_t, F>::launch(
        p, n, detail::elements_of(range), n, f);
  } else {
    auto* const data = view(range).data();
    detail::launchable<detail::for_each_element, Named, decltype(view(range).data()), std::int64_t,
                       F>::launch(p, n, data, n, f);
  }
}

template <detail::input Range, class F>
void for_each(Range&& range, F f) {
  amphi::for_each(policy{}, range, f);
}

}  // namespace amphi
