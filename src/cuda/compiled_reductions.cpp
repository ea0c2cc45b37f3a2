// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <tuple>

#include "amphi/algorithm/detail/reduce_call.hpp"

// reduce and reduce_into for units that are compiled as C++.

namespace amphi::detail {
namespace {

template <class T, class... Op>
constexpr auto reductions_of(type_list<Op...>) {
  return std::tuple(&run_reduce<T, zip<const T*>, T, Op, identity>...,
                    &run_reduce_value<T, zip<const T*>, Op, identity>...);
}
template <class... T>
constexpr auto all_reductions(type_list<T...>) {
  return std::tuple(reductions_of<T>(compiled_operators())...);
}
[[maybe_unused, gnu::used]] constexpr auto reductions =
    all_reductions(compiled_types());  // what is named is compiled

}  // namespace
}  // namespace amphi::detail
