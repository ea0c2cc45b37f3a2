// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 2: function object, lambda and function, each asking where it is.
#include <stdio.h>

#include "hemi/device_api.h"
#include "hemi/hemi.h"
#include "hemi/launch.h"

HEMI_KERNEL_FUNCTION(hello) {
  if (hemi::globalThreadIndex() + 1 == hemi::globalThreadCount())
    printf("function object: thread %d of %d\n", hemi::globalThreadIndex(), hemi::globalThreadCount());
}

HEMI_KERNEL_FUNCTION(helloTimes, int times) {
  for (int i = 0; i < times; i++)
    if (hemi::globalThreadIndex() == 0)
      printf("hello %d in block %d of %d\n", i, hemi::globalBlockIndex(), hemi::globalBlockCount());
}

int main(void) {
  hello hi;
  hemi::launch(hi);
  hemi::deviceSynchronize();
  hi();  // an ordinary call on the host

  helloTimes some;
  hemi::ExecutionPolicy ep;
  ep.setBlockSize(64);
  ep.setGridSize(2);
  hemi::launch(ep, some, 2);

  hemi::launch([=] HEMI_LAMBDA() {
    if (hemi::globalThreadIndex() == 0) printf("lambda: block of %d\n", hemi::localThreadCount());
  });
  hemi::deviceSynchronize();
  return 0;
}
