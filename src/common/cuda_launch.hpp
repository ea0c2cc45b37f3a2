// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/kernel_state.hpp"

namespace amphi::detail {

// Launches on the GPU of the policy's stream. src/cuda does it; src/cpu has no GPU and is never asked.
void cuda_launch(const policy& p, kernel& k, kernel_state& state, const launch_call& call);

// Runs work, which starts kernels of a library on the stream. Observers see one launch whose geometry is
// open.
void launch_library(const char* name, stream_view s, void (*work)(void*), void* closure);

// Why this program can't use a GPU; null when it can.
const char* cuda_unavailable_reason();

}  // namespace amphi::detail
