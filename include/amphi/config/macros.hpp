// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/config.hpp"

// AMPHI_HOST_DEVICE marks a function that both sides may call.
// AMPHI_LAUNCHABLE marks a function that can be called and launched: host-device and inline.
// AMPHI_LAMBDA stands after the capture list of a lambda that is launched: [=] AMPHI_LAMBDA (int i) {…}.
#if AMPHI_CUDA_UNIT
#  define AMPHI_HOST_DEVICE __host__ __device__
#else
#  define AMPHI_HOST_DEVICE
#endif
#define AMPHI_LAUNCHABLE AMPHI_HOST_DEVICE inline
#define AMPHI_LAMBDA AMPHI_HOST_DEVICE

// Promises that memory reached through this pointer is reached through no other.
#define AMPHI_RESTRICT __restrict__
