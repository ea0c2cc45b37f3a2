// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/device_api.h"

#include <gtest/gtest.h>

#include <vector>

#include "amphi/runtime/backend.hpp"
#include "hemi/array.h"
#include "hemi/launch.h"

namespace {

struct Place {
  unsigned local, localCount, block, blocks, global, globalCount;
  int offset, xOffset, yOffset, stride, xStride, yStride;
};

HEMI_KERNEL_FUNCTION(whereAmI, Place* places) {
  const Place here = {hemi::localThreadIndex(), hemi::localThreadCount(),  hemi::globalBlockIndex(),
                      hemi::globalBlockCount(), hemi::globalThreadIndex(), hemi::globalThreadCount(),
                      hemiGetElementOffset(),   hemiGetElementXOffset(),   hemiGetElementYOffset(),
                      hemiGetElementStride(),   hemiGetElementXStride(),   hemiGetElementYStride()};
  places[hemi::globalThreadIndex()] = here;
}

TEST(DeviceApi, EveryThreadKnowsItsPlace) {
  hemi::Array<Place> places(3 * 64);
  hemi::launch(hemi::ExecutionPolicy(3, 64, 0), whereAmI(), places.writeOnlyDevicePtr());
  const Place* p = places.readOnlyHostPtr();
  for (unsigned i = 0; i < 3 * 64; ++i) {
    EXPECT_EQ(p[i].local, i % 64);
    EXPECT_EQ(p[i].localCount, 64u);
    EXPECT_EQ(p[i].block, i / 64);
    EXPECT_EQ(p[i].blocks, 3u);
    EXPECT_EQ(p[i].global, i);
    EXPECT_EQ(p[i].globalCount, 192u);
    EXPECT_EQ(p[i].offset, static_cast<int>(i));
    EXPECT_EQ(p[i].xOffset, static_cast<int>(i));
    EXPECT_EQ(p[i].yOffset, 0);
    EXPECT_EQ(p[i].stride, 192);
    EXPECT_EQ(p[i].xStride, 192);
    EXPECT_EQ(p[i].yStride, 1);
  }
}

TEST(DeviceApi, OutsideALaunchThereIsOneThread) {
  Place p{};
  whereAmI()(&p);
  EXPECT_EQ(p.global, 0u);
  EXPECT_EQ(p.globalCount, 1u);
  EXPECT_EQ(p.localCount, 1u);
  EXPECT_EQ(p.blocks, 1u);
  EXPECT_EQ(p.offset, 0);
  EXPECT_EQ(p.stride, 1);
  EXPECT_EQ(p.yOffset, 0);
  EXPECT_EQ(p.yStride, 1);
}

// Rotates the elements of a block by one; needs its barriers on both sides.
HEMI_KERNEL_FUNCTION(rotate, int* x) {
  int* mine = x + hemi::globalBlockIndex() * hemi::localThreadCount();
  const int next = mine[(hemi::localThreadIndex() + 1) % hemi::localThreadCount()];
  hemi::synchronize();
  mine[hemi::localThreadIndex()] = next;
}

TEST(DeviceApi, SynchronizeIsABarrierOnTheCpuToo) {
  constexpr int blocks = 5, threads = 96;
  hemi::Array<int> x(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i) x.writeOnlyHostPtr()[i] = i;
  hemi::launch(hemi::ExecutionPolicy(blocks, threads, 0), rotate(), x.devicePtr());
  for (int i = 0; i < blocks * threads; ++i)
    EXPECT_EQ(x.readOnlyHostPtr()[i], i / threads * threads + (i + 1) % threads);
}

HEMI_KERNEL(image)(int* pixels, int nx, int ny) {
  for (int y = hemiGetElementYOffset(); y < ny; y += hemiGetElementYStride())
    for (int x = hemiGetElementXOffset(); x < nx; x += hemiGetElementXStride())
      pixels[y * nx + x] += 1000 * y + x;
}

struct Size {  // stands for dim3 where there is none
  unsigned x, y, z;
};

TEST(DeviceApi, ElementsInTwoDimensions) {
  constexpr int nx = 70, ny = 19;
  hemi::Array<int> pixels(nx * ny);
  for (int i = 0; i < nx * ny; ++i) pixels.writeOnlyHostPtr()[i] = 0;
  HEMI_KERNEL_LAUNCH(image, (Size{2, 3, 1}), (Size{16, 4, 1}), 0, 0, pixels.devicePtr(), nx, ny);
  for (int i = 0; i < nx * ny; ++i) EXPECT_EQ(pixels.readOnlyHostPtr()[i], 1000 * (i / nx) + i % nx) << i;
}

}  // namespace
