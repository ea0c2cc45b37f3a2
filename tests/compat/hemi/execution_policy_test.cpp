// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/execution_policy.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using hemi::ExecutionPolicy;

static_assert(std::is_pointer_v<hemiStream_t>, "one layout in all units");

TEST(ExecutionPolicy, StartsAutomatic) {
  const ExecutionPolicy p;
  EXPECT_EQ(p.getConfigState(), ExecutionPolicy::Automatic);
  EXPECT_EQ(p.getGridSize(), 0);
  EXPECT_EQ(p.getBlockSize(), 0);
  EXPECT_EQ(p.getMaxBlockSize(), 0);
  EXPECT_EQ(p.getSharedMemBytes(), 0u);
  EXPECT_EQ(p.getStream(), hemiStream_t{});
}

TEST(ExecutionPolicy, StateSaysWhatWasSet) {
  for (int grid : {0, 100}) {
    for (int block : {0, 512}) {
      for (int shared : {-1, 0, 1024}) {
        ExecutionPolicy p;
        p.setGridSize(grid);
        p.setBlockSize(block);
        if (shared >= 0) p.setSharedMemBytes(static_cast<std::size_t>(shared));
        const int state = (grid > 0 ? ExecutionPolicy::GridSize : 0) |
                          (block > 0 ? ExecutionPolicy::BlockSize : 0) |
                          (shared >= 0 ? ExecutionPolicy::SharedMem : 0);
        EXPECT_EQ(p.getConfigState(), state);
        EXPECT_EQ(p.getGridSize(), grid);
        EXPECT_EQ(p.getBlockSize(), block);
        EXPECT_EQ(p.getSharedMemBytes(), shared > 0 ? 1024u : 0u);
      }
    }
  }
}

TEST(ExecutionPolicy, ZeroMakesAutomaticAgain) {
  ExecutionPolicy p(3, 64, 16);
  EXPECT_EQ(p.getConfigState(), ExecutionPolicy::FullManual);
  p.setGridSize(0);
  EXPECT_EQ(p.getConfigState(), ExecutionPolicy::BlockSize | ExecutionPolicy::SharedMem);
  p.setBlockSize(0);
  EXPECT_EQ(p.getConfigState(), ExecutionPolicy::SharedMem);
  p.setGridSize(7);
  EXPECT_EQ(p.getConfigState(), ExecutionPolicy::GridSize | ExecutionPolicy::SharedMem);
}

TEST(ExecutionPolicy, BecomesAPolicyOfAmphi) {
  const auto stream = reinterpret_cast<hemiStream_t>(0x40);
  ExecutionPolicy p(3, 64, 16, stream);
  p.setMaxBlockSize(256);
  EXPECT_EQ(p.getMaxBlockSize(), 256);
  EXPECT_EQ(p.getStream(), stream);
  const amphi::policy q = p;
  EXPECT_EQ(q.grid, amphi::extent3(3));
  EXPECT_EQ(q.block, amphi::extent3(64));
  EXPECT_EQ(q.max_block.value, 256);
  EXPECT_EQ(q.shared_bytes.value, 16);
  EXPECT_EQ(q.stream.native(), stream);

  p.setStream(0);
  EXPECT_EQ(p.getStream(), nullptr);
  const amphi::policy open = ExecutionPolicy();
  EXPECT_TRUE(open.grid.is_automatic() && open.block.is_automatic() && open.max_block.is_automatic() &&
              open.shared_bytes.is_automatic());
}

}  // namespace
