// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cassert>
#include <cstdio>
#include <type_traits>

#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/runtime/backend.hpp"

namespace hemi {

enum Error_t { success = 0, cudaError = 1 };

}  // namespace hemi

// checkCuda(call) passes the result of a CUDA call on and reports a failure on standard error; with DEBUG or
// _DEBUG it also asserts. checkCudaErrors() does the same with the last error of the calling thread; with
// DEBUG or _DEBUG it waits for the device first, and in a program that runs on the CPU it finds none.
// Launches and arrays of hemi need neither: they throw.
inline namespace AMPHI_DETAIL_HEMI_UNIT {

#if defined(HEMI_CUDA_COMPILER)
inline cudaError_t checkCuda(cudaError_t result) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "CUDA error %d (%s): %s\n", static_cast<int>(result), cudaGetErrorName(result),
                 cudaGetErrorString(result));
#  if defined(DEBUG) || defined(_DEBUG)
    assert(result == cudaSuccess);
#  endif
  }
  return result;
}

inline cudaError_t checkCudaErrors() {
  if (amphi::backend_in_use() == amphi::backend::cpu) return cudaSuccess;
#  if defined(DEBUG) || defined(_DEBUG)
  (void)cudaDeviceSynchronize();  // leaves its error for the next line
#  endif
  return checkCuda(cudaGetLastError());
}
#else
template <class Error>
requires std::is_enum_v<Error>
inline Error checkCuda(Error result) {
  if (static_cast<int>(result) != 0) {
    std::fprintf(stderr, "CUDA error %d\n", static_cast<int>(result));
#  if defined(DEBUG) || defined(_DEBUG)
    assert(static_cast<int>(result) == 0);
#  endif
  }
  return result;
}

// Without CUDA there is nothing to check.
inline hemi::Error_t checkCudaErrors() { return hemi::success; }
#endif

}  // namespace AMPHI_DETAIL_HEMI_UNIT
