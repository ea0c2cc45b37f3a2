// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

namespace amphi::detail {

// Notes that an amphi::stream of this device owns the handle, so that its users can wait for it after its
// end.
void remember_stream(cudaStream_t handle, int device);

// The device of a stream that an amphi::stream owns; -1, which means the current one, for others.
int device_remembered(cudaStream_t handle);

// Marks the end of the stream's work for its users and destroys it. Does not wait; never throws.
void end_stream(cudaStream_t handle) noexcept;

}  // namespace amphi::detail
