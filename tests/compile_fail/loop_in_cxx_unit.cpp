// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: compiled as C\+\+ in a build with the CUDA backend.*amphi_target_sources_as_cuda
// fail-flags: -UAMPHI_CUDA -DAMPHI_CUDA=1
#include "amphi/execution/parallel_for.hpp"

#ifdef FAIL
void run(float* x) {
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = 0; });
}
#endif
