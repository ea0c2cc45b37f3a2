// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <tuple>

#include "amphi/algorithm/detail/scan_kernel.hpp"

// inclusive_scan and exclusive_scan for units that are compiled as C++.

namespace amphi::detail {
namespace {

template <class T, class... Op>
constexpr auto scans_of(type_list<Op...>) {
  return std::tuple(&run_scan<T, zip<const T*>, T, T, Op>...);
}
template <class... T>
constexpr auto all_scans(type_list<T...>) {
  return std::tuple(scans_of<T>(compiled_operators())...);
}
[[maybe_unused, gnu::used]] constexpr auto scans = all_scans(compiled_types());  // what is named is compiled

}  // namespace
}  // namespace amphi::detail
