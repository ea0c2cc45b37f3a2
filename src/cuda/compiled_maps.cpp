// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <tuple>

#include "amphi/algorithm/detail/map_kernel.hpp"

// copy and fill for units that are compiled as C++.

namespace amphi::detail {
namespace {

template <class... T>
constexpr auto all_maps(type_list<T...>) {
  return std::tuple(&run_map<zip<const T*>, T, identity>...,
                    &run_map<zip<constant_elements<T>>, T, identity>...);
}
[[maybe_unused, gnu::used]] constexpr auto maps = all_maps(compiled_types());  // what is named is compiled

}  // namespace
}  // namespace amphi::detail
