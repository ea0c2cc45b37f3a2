// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/runtime/backend.hpp"

// The products of other libraries. CMake compiles cublas.cpp and openblas.cpp where it finds the libraries,
// else their stand-ins in missing/.

namespace matmul {

struct vendor {
  const char* name;
  amphi::backend backend;  // where it reads and writes
  const char* missing;     // why there is none; null: there is
  // C = A B, row by row, put on the default stream.
  void (*multiply)(int m, int n, int k, const float* a, const float* b, float* c);
};

extern const vendor cublas, openblas;

}  // namespace matmul
