// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/kernel_state.hpp"

namespace amphi::detail {

// Launches on the GPU of the policy's stream. src/cuda does it; src/cpu has no GPU and is never asked.
void cuda_launch(const policy& p, kernel& k, kernel_state& state, const launch_call& call);

// Why this program can't use a GPU; null when it can.
const char* cuda_unavailable_reason();

}  // namespace amphi::detail
