// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: launched by its name, not through a pointer: write launch<function>
#include "amphi/execution/launch.hpp"

AMPHI_LAUNCHABLE void scale(int, float*) {}

void run(int n, float* x) {
#ifdef FAIL
  amphi::launch(scale, n, x);
#else
  amphi::launch<scale>(n, x);
#endif
}
