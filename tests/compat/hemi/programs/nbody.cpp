// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 1 and 2: forces between bodies, with a class of its own copy constructor, a constant, and an array
// that is used on both sides.
#include <math.h>
#include <stdio.h>

#include "hemi/array.h"
#include "hemi/hemi.h"
#include "hemi/launch.h"
#include "hemi/parallel_for.h"

struct HEMI_ALIGN(16) Vec4 {
  float x, y, z, w;

  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4() {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4(float x_, float y_, float z_, float w_) : x(x_), y(y_), z(z_), w(w_) {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4(const Vec4& v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4& operator=(const Vec4& v) {
    x = v.x;
    y = v.y;
    z = v.z;
    w = v.w;
    return *this;
  }
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4 operator-(const Vec4& v) const { return Vec4(x - v.x, y - v.y, z - v.z, w - v.w); }
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4& operator+=(const Vec4& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    w += v.w;
    return *this;
  }
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  Vec4 operator*(float s) const { return Vec4(x * s, y * s, z * s, w * s); }
  HEMI_DEV_CALLABLE_INLINE_MEMBER
  float inverseLength(float softening) const {
#ifdef HEMI_DEV_CODE
    return rsqrtf(x * x + y * y + z * z + softening);
#else
    return 1.0f / sqrtf(x * x + y * y + z * z + softening);
#endif
  }
};

HEMI_DEFINE_CONSTANT(float softeningSquared, 0.01f);

// The mass of a body is its w.
HEMI_DEV_CALLABLE
Vec4 attraction(const Vec4& on, const Vec4& by) {
  Vec4 d = by - on;
  d.w = 0;
  const float inverse = d.inverseLength(HEMI_CONSTANT(softeningSquared));
  return d * (by.w * inverse * inverse * inverse);
}

HEMI_KERNEL_FUNCTION(allForces, Vec4* forces, const Vec4* bodies, int n, Vec4 wind) {
  for (auto i : hemi::grid_stride_range(0, n)) {
    Vec4 force = wind;
    for (auto j : range(0, n)) force += attraction(bodies[i], bodies[j]);
    forces[i] = force * bodies[i].w;
  }
}

HEMI_KERNEL(push)(Vec4* bodies, Vec4 by, int n) {
  for (int i = hemiGetElementXOffset(); i < n; i += hemiGetElementXStride()) bodies[i] += by;
}

// Moves all bodies, so that forces should stay as they are.
static void shift(hemi::Array<Vec4>& bodies, Vec4 by) {
  Vec4* b = bodies.ptr();
  float dx = by.x, dy = by.y;
  hemi::parallel_for(0, bodies.size(), [=] HEMI_LAMBDA(int i) {
    b[i].x += dx;
    b[i].y += dy;
  });
  HEMI_KERNEL_LAUNCH(push, 4, 64, 0, 0, bodies.ptr(), Vec4(-dx, -dy, 0, 0), (int)bodies.size());
}

int main() {
  const int n = 512;
  hemi::Array<Vec4> bodies(n, true), forces(n, true);
  Vec4* b = bodies.writeOnlyHostPtr();
  for (int i = 0; i < n; ++i)
    b[i] = Vec4((float)(i % 8), (float)(i / 8 % 8), (float)(i / 64), 1.0f + (float)(i % 3));

  allForces kernel;
  shift(bodies, Vec4(8, 16, 0, 0));
  hemi::launch(kernel, forces.writeOnlyPtr(), bodies.readOnlyPtr(), n, Vec4(0, 0, 0, 0));

  b = bodies.hostPtr();
  const Vec4* f = forces.readOnlyHostPtr();
  double worst = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    double want = 0;
    for (int j = 0; j < n; ++j) {
      const double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      want += b[i].w * b[j].w * dx / pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
    }
    worst = fmax(worst, fabs(f[i].x - want) / fmax(1, fabs(want)));
    sum += f[i].x;
  }
  printf("%s: %d bodies, forces to %g, their sum %g\n", HEMI_LOC_STRING, n, worst, sum);
  return worst < 1e-4 && fabs(sum) < 0.1 && b[9].x == 1 && b[9].y == 1 ? 0 : 1;
}
