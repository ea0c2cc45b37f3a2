// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cblas.h>

#include "matmul/vendor.hpp"

namespace matmul {
namespace {

void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
}

}  // namespace

const vendor openblas = {"OpenBLAS", amphi::backend::cpu, nullptr, &multiply};

}  // namespace matmul
