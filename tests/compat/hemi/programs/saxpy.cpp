// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 2: a launchable function with a grid-stride loop, given a double where it takes a float.
#include <math.h>
#include <stdio.h>

#include <stdexcept>

#include "hemi/array.h"
#include "hemi/grid_stride_range.h"
#include "hemi/hemi.h"
#include "hemi/launch.h"

HEMI_LAUNCHABLE void saxpy(int n, float a, float* x, float* y) {
  for (auto i : hemi::grid_stride_range(0, n)) {
    y[i] = a * x[i] + y[i];
  }
}

int main() {
  const int n = 1 << 20;
  hemi::Array<float> arrayX(n), arrayY(n);
  for (int i = 0; i < n; ++i) {
    arrayX.writeOnlyHostPtr()[i] = (float)(i % 1000);
    arrayY.writeOnlyHostPtr()[i] = 1.0f;
  }
  float* x = arrayX.ptr();
  float* y = arrayY.ptr();

  try {
    hemi::cudaLaunch(saxpy, 1 << 20, 2.0, x, y);
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
    return 0;
  }
  hemi::deviceSynchronize();

  float worst = 0;
  for (int i = 0; i < n; ++i)
    worst = fmaxf(worst, fabsf(arrayY.readOnlyHostPtr()[i] - (2.0f * (float)(i % 1000) + 1.0f)));
  printf("%s: max error %g\n", HEMI_LOC_STRING, worst);
  return worst == 0 ? 0 : 1;
}
