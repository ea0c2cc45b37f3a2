// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "matmul/vendor.hpp"

const matmul::vendor matmul::cublas = {"cuBLAS", amphi::backend::cuda, "not found when this was configured",
                                       nullptr};
