// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: compiled as C\+\+ in a build with the CUDA backend.*amphi_target_sources_as_cuda
// fail-flags: -UAMPHI_CUDA -DAMPHI_CUDA=1
#include "amphi/algorithm/reduce.hpp"

float known(const float* x) { return amphi::reduce(amphi::view(x, 10), 0.0f, amphi::plus{}); }

#ifdef FAIL
double other(const float* x) { return amphi::reduce(amphi::view(x, 10), 0.0, amphi::plus{}); }
#endif
