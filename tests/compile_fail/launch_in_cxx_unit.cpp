// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: compiled as C\+\+ in a build with the CUDA backend.*amphi_target_sources_as_cuda
// fail-flags: -UAMPHI_CUDA -DAMPHI_CUDA=1
#include "amphi/execution/launch.hpp"

AMPHI_LAUNCHABLE void nothing() {}

#ifdef FAIL
void run() { amphi::launch<nothing>(); }
#endif
