// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace amphi::detail {

// "cudaErrorInvalidValue: invalid argument".
std::string cuda_text(cudaError_t code);

[[noreturn]] void throw_cuda_error(cudaError_t code, const char* doing);

// Clears the calling thread's last CUDA error if it is `code`, which one of our own calls has just returned.
inline cudaError_t clear_own(cudaError_t code) noexcept {
  if (code != cudaSuccess && cudaPeekAtLastError() == code) (void)cudaGetLastError();
  return code;
}

// Throws cuda_error when a call of ours failed: "amphi: creating a stream: cudaErrorX: description". Errors
// that work on the device left behind come with the launches since the last synchronisation.
inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) [[unlikely]] {
    clear_own(code);
    throw_cuda_error(code, doing);
  }
}

// While it lives, the calling thread may allocate, free and query although a stream is being captured.
class relaxed_capture {
 public:
  relaxed_capture() noexcept { (void)clear_own(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  ~relaxed_capture() { (void)clear_own(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  relaxed_capture(const relaxed_capture&) = delete;
  relaxed_capture& operator=(const relaxed_capture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace amphi::detail
