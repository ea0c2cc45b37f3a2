// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: must not have deduced return type
#include "amphi/execution/parallel_for.hpp"

#ifdef FAIL
auto f(float* x) {
#else
void f(float* x) {
#endif
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { x[i] = 1; });
}
