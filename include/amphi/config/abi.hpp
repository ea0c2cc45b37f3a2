// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/config.hpp"
#include "amphi/config/version.hpp"

// The backend and the checks belong to the whole program. Each unit refers to one symbol whose name says
// what the unit was compiled for, and the library defines the one that it was built for, so that a mix
// does not link and the linker's message names the difference.

#define AMPHI_DETAIL_PASTE(a, b, c, d) amphi_abi_##a##_##b##_##c##_##d
#define AMPHI_DETAIL_ABI_NAME(a, b, c, d) AMPHI_DETAIL_PASTE(a, b, c, d)
#if AMPHI_CUDA
#  define AMPHI_DETAIL_ABI_BACKEND cuda
#else
#  define AMPHI_DETAIL_ABI_BACKEND cpu
#endif
#if AMPHI_CHECKED
#  define AMPHI_DETAIL_ABI_CHECKED checked
#else
#  define AMPHI_DETAIL_ABI_CHECKED unchecked
#endif
#define AMPHI_DETAIL_ABI                                                                    \
  AMPHI_DETAIL_ABI_NAME(AMPHI_VERSION_MAJOR, AMPHI_VERSION_MINOR, AMPHI_DETAIL_ABI_BACKEND, \
                        AMPHI_DETAIL_ABI_CHECKED)

extern "C" const char AMPHI_DETAIL_ABI;

#if !AMPHI_DEVICE_CODE
namespace amphi::detail {
[[gnu::used]] static const char* const abi_reference = &AMPHI_DETAIL_ABI;
}  // namespace amphi::detail
#endif
