// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: launched by its name, not through a pointer: write parallel_for<function>
#include "amphi/execution/parallel_for.hpp"

AMPHI_LAUNCHABLE void nothing(int) {}

void run(int n) {
#ifdef FAIL
  amphi::parallel_for(0, n, nothing);
#else
  amphi::parallel_for<nothing>(0, n);
#endif
}
