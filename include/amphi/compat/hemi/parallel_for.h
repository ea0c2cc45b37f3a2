// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/compat/hemi/execution_policy.h"
#include "amphi/compat/hemi/grid_stride_range.h"
#include "amphi/compat/hemi/launch.h"
#include "amphi/core/concepts.hpp"

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {
namespace detail {

template <class T, class Function>
struct loop {
  T first, last;
  Function function;

  AMPHI_DETAIL_HEMI_BODY void operator()() {
#if !defined(HEMI_DEV_CODE)
    if constexpr (has_host_body<Function>)
#endif
    {
      for (auto i : amphi::grid_stride_range(first, last)) function(i);
    }
  }
};

template <class T, class Function>
struct named<loop<T, Function>> : named<Function> {};

template <class T, class Function>
inline constexpr bool has_host_body<loop<T, Function>> = has_host_body<Function>;

}  // namespace detail

// Calls f(i) once for each i of [first, last), in parallel on the CPU too; bounds of any two integral types.
// An empty or reversed range launches nothing.
template <amphi::integer A, amphi::integer B, class Function>
void parallel_for(const ExecutionPolicy& p, A first, B last, Function f) {
  using T = std::common_type_t<A, B>;
  const amphi::detail::checked_bounds<T> bounds(first, last);
  const std::uint64_t count = bounds.count();
  if (count == 0) return;
  detail::launcher<detail::loop<T, Function>>::launch(
      p, count > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(count), true,
      {bounds.first, bounds.last, f});
}

template <amphi::integer A, amphi::integer B, class Function>
void parallel_for(A first, B last, Function f) {
  hemi::parallel_for(ExecutionPolicy(), first, last, f);
}

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi

AMPHI_DETAIL_CONVERSIONS_END
