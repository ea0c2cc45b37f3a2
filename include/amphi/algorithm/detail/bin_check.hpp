// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/core/detail/checked_index.hpp"

// What every algorithm with bins says about an element that is in none of them.

namespace amphi::detail {

// Throws bounds_error with the element, its bin, and which bins there are.
[[noreturn]] void throw_bad_bin(const char* algorithm, std::int64_t element, std::int64_t bin,
                                std::int64_t bin_count);

AMPHI_HOST_DEVICE inline void bin_failed(const char* algorithm, std::int64_t element, std::int64_t bin,
                                         std::int64_t bin_count) {
#if AMPHI_DEVICE_CODE
  record_failure(failure_kind::bin, algorithm, nullptr, 0, bin, bin_count, element);
#else
  throw_bad_bin(algorithm, element, bin, bin_count);
#endif
}

// Is it one of the bins? If not, the failure is thrown on the host and recorded on a device, which goes on
// with false.
template <class Name, class Bin>
AMPHI_HOST_DEVICE bool in_bins(const Bin& bin, std::int64_t bin_count, std::int64_t element) {
  static_assert(integer<Bin>,
                "amphi: the bin of an element is an integer (not bool, not an enum): convert it");
  const checked_index b(bin);
  if (b.value >= 0 && b.value < bin_count) return true;
  bin_failed(Name::name, element, b.value, bin_count);
  return false;
}

}  // namespace amphi::detail
