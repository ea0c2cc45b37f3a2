// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A C++ unit, in a CUDA build too, whose launches are to stay on the host.
#if !defined(HEMI_CUDA_DISABLE)
#  define HEMI_CUDA_DISABLE
#endif
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hemi/array.h"
#include "hemi/launch.h"
#include "hemi/parallel_for.h"

void fill_in_other_unit(hemi::Array<int>& x, int value);

namespace {

#if !defined(HEMI_HOST_COMPILER) || defined(HEMI_CUDA_COMPILER)
#  error "a C++ unit is read by a host compiler"
#endif

HEMI_LAUNCHABLE void fill(int n, int* x) {
  for (auto i : hemi::grid_stride_range(0, n)) x[i] = 2 * i;
}

TEST(HostUnit, LaunchesOnTheHost) {
  std::vector<int> x(1000), y(1000);
  hemi::cudaLaunch(fill, 1000, x.data());
  hemi::parallel_for(0, x.size(), [&](int i) { y[static_cast<std::size_t>(i)] = 3 * i; });
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(x[static_cast<std::size_t>(i)], 2 * i);
    EXPECT_EQ(y[static_cast<std::size_t>(i)], 3 * i);
  }
  hemi::launch([=](std::string text) { EXPECT_EQ(text, "any type"); }, std::string("any type"));
  EXPECT_EQ(hemi::deviceSynchronize(), hemi::success);
}

TEST(HostUnit, SharesArraysWithOtherUnits) {
  hemi::Array<int> x(100);
  fill_in_other_unit(x, 5);
  const int* p = x.readOnlyPtr();  // here the default is the host
  for (int i = 0; i < 100; ++i) EXPECT_EQ(p[i], 5 + i);
}

}  // namespace
