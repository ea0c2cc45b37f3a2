// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 1 and 2 for GPUs only: kernels and lambdas that use CUDA's own words.
#include <stdio.h>

#include <stdexcept>

#include "hemi/array.h"
#include "hemi/launch.h"
#include "hemi/parallel_for.h"

HEMI_KERNEL(reverse)(int* x) {
  __shared__ int s[64];
  int* mine = x + blockIdx.x * blockDim.x;
  s[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

HEMI_KERNEL_FUNCTION(countEven, const int* x, int n, int* count) {
  for (auto i : hemi::grid_stride_range(0, n))
    if (x[i] % 2 == 0) atomicAdd(count, 1);
}

static int run() {
  const int n = 4 * 64;
  hemi::Array<int> x(n), count(1), sum(1);
  for (int i = 0; i < n; ++i) x.writeOnlyHostPtr()[i] = i;
  *count.writeOnlyHostPtr() = *sum.writeOnlyHostPtr() = 0;

  HEMI_KERNEL_LAUNCH(reverse, dim3(4), dim3(64), 0, 0, x.ptr());
  hemi::launch(countEven(), x.readOnlyPtr(), n, count.ptr());
  const int* xp = x.readOnlyPtr();
  int* sp = sum.ptr();
  hemi::parallel_for(0, n, [=] HEMI_LAMBDA(int i) { atomicAdd(sp, xp[i]); });

  int bad = 0;
  for (int i = 0; i < n; ++i) bad += x.readOnlyHostPtr()[i] != i / 64 * 64 + 63 - i % 64;
  bad += *count.readOnlyHostPtr() != n / 2;
  bad += *sum.readOnlyHostPtr() != n * (n - 1) / 2;
  printf("%d wrong\n", bad);
  return bad;
}

int main() {
  try {
    return run() == 0 ? 0 : 1;
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
    return 1;
  }
}
