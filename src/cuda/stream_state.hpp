// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

namespace amphi::detail {

// Notes that an amphi::stream owns this handle, so that its users can wait for it after its end.
void remember_stream(cudaStream_t handle);

// Marks the end of the stream's work for its users and destroys it. Does not wait; never throws.
void end_stream(cudaStream_t handle) noexcept;

}  // namespace amphi::detail
