// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A second unit of the test program, so that everything of the headers is there twice.
#include "hemi/array.h"
#include "hemi/configure.h"
#include "hemi/launch.h"
#include "hemi/parallel_for.h"

#if defined(HEMI_HOST_COMPILER)
HEMI_DEFINE_CONSTANT(int offset_elsewhere, 7);
#endif

void fill_in_other_unit(hemi::Array<int>& x, int value) {
  int* p = x.writeOnlyPtr();
  hemi::parallel_for(0, x.size(), [=] HEMI_LAMBDA(int i) { p[i] = value + i; });
}
