// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"
#include "amphi/core/detail/device_failure.hpp"
#include "amphi/core/integer.hpp"

// What checked builds do with an index. Builds without checks see none of this.

namespace amphi::detail {

// Throws bounds_error with index, size, place and, inside a launch, kernel, block and thread. `what` is what
// was indexed.
[[noreturn]] void throw_bounds(const char* what, std::int64_t index, std::int64_t size, const char* file,
                               int line);

// An index of any integral type and the place where it was written.
struct checked_index {
  std::int64_t value;
  const char* file;
  int line;

  template <integer Index>
  AMPHI_HOST_DEVICE constexpr checked_index(Index i, const char* f = __builtin_FILE(),
                                            int l = __builtin_LINE())
      : value(signed_value(i)), file(f), line(l) {}
};

AMPHI_HOST_DEVICE inline void bounds_failed(const char* what, const checked_index& i, std::int64_t size) {
#if AMPHI_DEVICE_CODE
  record_failure(failure_kind::bounds, what, i.file, i.line, i.value, size);
#else
  throw_bounds(what, i.value, size, i.file, i.line);
#endif
}

// Is the index below the size? If not, the failure is thrown on the host and recorded on a device, which goes
// on with false.
AMPHI_HOST_DEVICE constexpr bool in_bounds(const char* what, const checked_index& i, std::int64_t size) {
  if (i.value >= 0 && i.value < size) return true;
  bounds_failed(what, i, size);
  return false;
}

// Stands for the element that is not there, so that a device can go on. All threads share it.
template <class T>
AMPHI_HOST_DEVICE T& dummy_element() {
#if AMPHI_DEVICE_CODE
  alignas(T) static unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
#else
  __builtin_unreachable();  // the host has thrown
#endif
}

}  // namespace amphi::detail
