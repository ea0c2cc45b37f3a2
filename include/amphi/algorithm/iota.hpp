// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/map_kernel.hpp"

// iota([policy,] out, first = 0)   first, first + 1, first + 2, … Does not wait for a GPU.

namespace amphi {
namespace detail {

// first + i, computed from i, so that no element depends on another.
template <class T>
struct iota_from {
  T first;
  AMPHI_HOST_DEVICE constexpr T operator()(std::int64_t i) const {
    if constexpr (std::is_integral_v<T>) {
      return counting<T>{first}[i];
    } else {
      return static_cast<T>(first + static_cast<T>(i));
    }
  }
};

}  // namespace detail

template <detail::output Out, arithmetic T = int>
void iota(const policy& p, Out&& out, T first = 0) {
  constexpr const char* name = "amphi::iota";
  using E = typename decltype(view(out))::value_type;
  const std::int64_t n = detail::count_of(name, out);
  const auto source = detail::make_zip(detail::counting<std::int64_t>{0});
  detail::map_elements(name, p, source, view(out).data(), n, detail::iota_from<E>{static_cast<E>(first)});
}

template <detail::output Out, arithmetic T = int>
void iota(Out&& out, T first = 0) {
  amphi::iota(policy{}, out, first);
}

}  // namespace amphi
