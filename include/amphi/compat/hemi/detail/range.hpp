// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/core/concepts.hpp"
#include "amphi/execution/grid_stride_range.hpp"

// range(first, last) and range(first, last).step(n), for range-based for loops in host and device code. Hemi
// took them from another library and made them known everywhere, and its programs use them without a
// namespace.
namespace util::lang {

template <amphi::integer T>
struct range_proxy : amphi::stride_range<T> {
  using step_range_proxy = amphi::stride_range<T>;

  HEMI_DEV_CALLABLE range_proxy(T first, T last)
      : amphi::stride_range<T>(first, {0, amphi::detail::checked_bounds<T>(first, last).count(), 1}, 1),
        first_(first),
        last_(last) {}

  // Every n-th index; n >= 1.
  template <amphi::integer Step>
  HEMI_DEV_CALLABLE amphi::stride_range<T> step(Step n) const {
    const auto s = amphi::detail::checked_step(n);
    return {first_, {0, amphi::detail::checked_bounds<T>(first_, last_).count(s), 1}, s};
  }

 private:
  T first_, last_;
};

template <amphi::integer A, amphi::integer B>
HEMI_DEV_CALLABLE range_proxy<std::common_type_t<A, B>> range(A first, B last) {
  const amphi::detail::checked_bounds<std::common_type_t<A, B>> bounds(first, last);
  return {bounds.first, bounds.last};
}

}  // namespace util::lang
