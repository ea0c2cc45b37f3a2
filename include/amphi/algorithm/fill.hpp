// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/map_kernel.hpp"
#include "amphi/core/function_objects.hpp"

// fill([policy,] out, value)   each element becomes the value. Does not wait for a GPU.

namespace amphi {

template <detail::output Out, class T>
requires std::is_convertible_v<T, typename decltype(view(
                                      std::declval<std::remove_reference_t<Out>&>()))::value_type>
void fill(const policy& p, Out&& out, T value) {
  constexpr const char* name = "amphi::fill";
  using E = typename decltype(view(out))::value_type;
  const std::int64_t n = detail::count_of(name, out);
  const auto source = detail::make_zip(detail::constant_elements<E>{static_cast<E>(value)});
  detail::map_elements(name, p, source, view(out).data(), n, identity());
}

template <detail::output Out, class T>
requires std::is_convertible_v<T, typename decltype(view(
                                      std::declval<std::remove_reference_t<Out>&>()))::value_type>
void fill(Out&& out, T value) { fill(policy{}, out, value); }

}  // namespace amphi
