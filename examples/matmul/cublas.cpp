// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "matmul/vendor.hpp"

namespace matmul {
namespace {

void check(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string("cuBLAS, ") + doing + ": " + cublasGetStatusString(status));
}

// cuBLAS counts column by column: it is asked for Cᵀ = Bᵀ Aᵀ.
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) check(cublasCreate(&handle), "starting");
  const float one = 1.0f, zero = 0.0f;
  check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n), "multiplying");
}

}  // namespace

const vendor cublas = {"cuBLAS", amphi::backend::cuda, nullptr, &multiply};

}  // namespace matmul
