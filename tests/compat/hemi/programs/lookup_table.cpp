// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 2: interpolation in a table that both sides have, in a lambda, with an execution policy.
#include <math.h>
#include <stdio.h>

#include "hemi/array.h"
#include "hemi/parallel_for.h"

#define SQUARES \
  { 0, 1, 4, 9, 16, 25, 36, 49, 64 }
typedef float TableType[9];
HEMI_DEFINE_STATIC_CONSTANT(TableType squares, SQUARES);

HEMI_DEV_CALLABLE_INLINE float lookup(float x) {
  int i = (int)x;
  if (i > 7) i = 7;
  const float t = x - (float)i;
  return HEMI_CONSTANT(squares)[i] * (1.0f - t) + HEMI_CONSTANT(squares)[i + 1] * t;
}

// The caller may hold both sides of y; x is memory of the caller.
static void lookupAll(const hemi::ExecutionPolicy& p, hemi::Array<float>& x, hemi::Array<float>& y) {
  const float* xp = x.readOnlyPtr();
  float* yp = y.writeOnlyPtr();
  hemi::parallel_for(p, 0, x.size(), [=] HEMI_LAMBDA(size_t i) { yp[i] = lookup(xp[i]); });
}

int main() {
  const int n = 8 * 64;
  float* points = new float[n];
  for (int i = 0; i < n; ++i) points[i] = (float)i / 64.0f;
  int bad = 0;
  {
    hemi::Array<float> x(points, n), y(n);
    hemi::ExecutionPolicy p;
    p.setBlockSize(128);
    lookupAll(p, x, y);
    const float* r = y.readOnlyPtr(hemi::host);
    for (int i = 0; i < n; ++i) {
      const int k = i / 64;
      const float t = (float)(i % 64) / 64.0f;  // all these are exact
      if (r[i] != (float)(k * k) + t * (float)(2 * k + 1)) ++bad;
    }
  }
  delete[] points;
  printf("%s: %d of %d wrong\n", HEMI_LOC_STRING, bad, n);
  return bad == 0 ? 0 : 1;
}
