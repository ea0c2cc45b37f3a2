// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// What CUDA calls are given for a stream: a null handle would mean another stream in units compiled with
// --default-stream per-thread.
inline cudaStream_t raw(stream_view s) { return s.native() != nullptr ? s.native() : cudaStreamLegacy; }

inline bool is_default(stream_view s) {
  return s.native() == nullptr || s.native() == cudaStreamLegacy || s.native() == cudaStreamPerThread;
}

}  // namespace amphi::detail
