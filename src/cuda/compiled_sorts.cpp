// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <tuple>

#include "amphi/algorithm/detail/sort_kernel.hpp"

// sort for units that are compiled as C++.

namespace amphi::detail {
namespace {

template <class... T>
constexpr auto all_sorts(type_list<T...>) {
  return std::tuple(&run_sort<T, no_value, ascending>..., &run_sort<T, no_value, descending>...);
}
[[maybe_unused, gnu::used]] constexpr auto sorts = all_sorts(compiled_types());  // what is named is compiled

}  // namespace
}  // namespace amphi::detail
