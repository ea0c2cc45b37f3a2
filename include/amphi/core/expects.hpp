// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/macros.hpp"
#include "amphi/core/detail/device_failure.hpp"

namespace amphi::detail {

// Throws bounds_error with the text, the condition, the place and, inside a launch, kernel, block and thread.
[[noreturn]] void throw_expects(const char* condition, const char* text, const char* file, int line);

AMPHI_HOST_DEVICE inline void expects_failed([[maybe_unused]] const char* condition, const char* text,
                                             const char* file, int line) {
#if AMPHI_DEVICE_CODE
  record_failure(failure_kind::expects, text, file, line, 0, 0);
#else
  throw_expects(condition, text, file, line);
#endif
}

}  // namespace amphi::detail

// States what must hold. On the CPU a violation throws amphi::bounds_error. On a GPU the first violation is
// recorded, the kernel goes on, and the next synchronisation throws the same error. Checked in every build.
#define AMPHI_EXPECTS(condition, text)                 \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::amphi::detail::expects_failed(#condition, text, __FILE__, __LINE__))
