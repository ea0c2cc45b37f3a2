// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/occupancy.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>

#include "amphi/core/error.hpp"

// NVIDIA's own calculation, which comes with the CUDA toolkit, is the reference where it is there.
#if defined(__has_include)
#  if __has_include(<cuda_occupancy.h>)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wconversion"
#    pragma GCC diagnostic ignored "-Wshadow"
#    pragma GCC diagnostic ignored "-Wextra"
#    pragma GCC diagnostic ignored "-Wunused-function"
#    include <cuda_occupancy.h>
#    pragma GCC diagnostic pop
#    define HAVE_CUDA_OCCUPANCY 1
#  endif
#endif

namespace {

using amphi::limits_of;
using amphi::occupancy;
using amphi::occupancy_limit;

TEST(occupancy, of_the_textbook) {
  // 65536 registers, 2048 threads.
  EXPECT_EQ(occupancy(limits_of(90), 32, 0, 256).blocks, 8);
  EXPECT_EQ(occupancy(limits_of(90), 32, 0, 256).fraction, 1.0);
  EXPECT_EQ(occupancy(limits_of(90), 64, 0, 256).blocks, 4);
  EXPECT_EQ(occupancy(limits_of(90), 64, 0, 256).fraction, 0.5);
  EXPECT_EQ(occupancy(limits_of(90), 64, 0, 256).limited_by, occupancy_limit::registers);
  EXPECT_EQ(occupancy(limits_of(90), 64, 0, 128).blocks, 8);
  EXPECT_EQ(occupancy(limits_of(90), 64, 0, 128).threads, 1024);
}

TEST(occupancy, says_what_limits_it) {
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 1024).limited_by, occupancy_limit::threads);
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 32).limited_by, occupancy_limit::blocks);
  EXPECT_EQ(occupancy(limits_of(90), 16, 100000, 32).limited_by, occupancy_limit::shared_memory);
  EXPECT_EQ(occupancy(limits_of(90), 16, 100000, 32).blocks, 2);
  EXPECT_EQ(occupancy(limits_of(90), 16, 232449, 32).limited_by, occupancy_limit::impossible);
  EXPECT_EQ(occupancy(limits_of(90), 16, 232449, 32).blocks, 0);
  EXPECT_EQ(occupancy(limits_of(90), 65, 0, 1024).blocks, 0);
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 1025).blocks, 0);
  EXPECT_STREQ(name(occupancy_limit::shared_memory), "shared memory");
}

TEST(occupancy, counts_the_waste_of_broken_warps) {
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 256).idle_lanes, 0.0);
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 33).idle_lanes, 31.0 / 64);
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 48).idle_lanes, 0.25);
  EXPECT_EQ(occupancy(limits_of(90), 16, 0, 33).warps, 64);
}

TEST(occupancy, refuses_what_no_kernel_can_have) {
  EXPECT_THROW((void)occupancy(limits_of(90), -1, 0, 32), amphi::launch_error);
  EXPECT_THROW((void)occupancy(limits_of(90), 16, -1, 32), amphi::launch_error);
  EXPECT_THROW((void)occupancy(limits_of(90), 16, 0, 0), amphi::launch_error);
}

TEST(max_occupancy_block, is_the_best_by_trying) {
  for (const int registers : {16, 32, 40, 64, 100, 255})
    for (const int shared : {0, 5000, 60000}) {
      const int best = amphi::max_occupancy_block(limits_of(90), registers, shared);
      int most = 0;
      for (int block = 32; block <= 1024; block += 32) {
        const int warps = occupancy(limits_of(90), registers, shared, block).warps;
        if (warps > most) most = warps;
      }
      EXPECT_EQ(occupancy(limits_of(90), registers, shared, best).warps, most) << registers << ' ' << shared;
    }
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, 0), 1024);
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, 0, 700), 512);
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, 0, 16), 16);
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, 300000), 0);
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, INT64_MAX, 1024, 8), 0) << "more than 64 bits hold";
  EXPECT_EQ(amphi::max_occupancy_block(limits_of(90), 32, 8, 1024, INT64_MAX), 0);
  // 512 bytes a thread: 1024 threads do not fit, and the largest block that does holds all there is to hold.
  EXPECT_LE(amphi::max_occupancy_block(limits_of(90), 32, 0, 1024, 512) * 512, 232448);
  EXPECT_GT(amphi::max_occupancy_block(limits_of(90), 32, 0, 1024, 512), 0);
}

#if defined(HAVE_CUDA_OCCUPANCY)
int reference_blocks(const amphi::device_limits& l, int registers, std::size_t shared, int block) {
  cudaOccDeviceProp p{};
  p.computeMajor = l.compute_capability / 10;
  p.computeMinor = l.compute_capability % 10;
  p.maxThreadsPerBlock = static_cast<int>(l.threads_per_block);
  p.maxThreadsPerMultiprocessor = l.threads_per_multiprocessor;
  p.regsPerBlock = l.registers_per_block;
  p.regsPerMultiprocessor = l.registers_per_multiprocessor;
  p.warpSize = l.warp_size;
  p.sharedMemPerBlock = static_cast<std::size_t>(l.shared_bytes_per_block);
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(l.shared_bytes_per_multiprocessor);
  p.numSms = 1;
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(l.shared_bytes_per_block_opt_in);
  p.reservedSharedMemPerBlock = static_cast<std::size_t>(l.shared_bytes_reserved);
  cudaOccFuncAttributes a{};
  a.maxThreadsPerBlock = INT_MAX;
  a.numRegs = registers;
  a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  a.maxDynamicSharedSizeBytes = p.sharedMemPerBlockOptin;
  const cudaOccDeviceState s{};
  cudaOccResult r{};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, block, shared) != CUDA_OCC_SUCCESS) return -1;
  return r.activeBlocksPerMultiprocessor;
}

constexpr int capabilities[] = {70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120};

TEST(occupancy, is_nvidias_for_all_blocks_and_registers) {
  for (const int capability : capabilities)
    for (int registers = 0; registers <= 255; registers += registers < 40 ? 1 : 5)
      for (int block = 1; block <= 1024; ++block)
        ASSERT_EQ(occupancy(limits_of(capability), registers, 0, block).blocks,
                  reference_blocks(limits_of(capability), registers, 0, block))
            << "sm_" << capability << ", " << registers << " registers, block " << block;
}

TEST(occupancy, is_nvidias_for_all_shared_sizes) {
  for (const int capability : capabilities)
    for (std::int64_t shared = 0; shared <= limits_of(capability).shared_bytes_per_block_opt_in + 300;
         shared += 61)
      for (const int block : {32, 96, 256, 1024})
        ASSERT_EQ(occupancy(limits_of(capability), 32, shared, block).blocks,
                  reference_blocks(limits_of(capability), 32, static_cast<std::size_t>(shared), block))
            << "sm_" << capability << ", " << shared << " bytes, block " << block;
}
#endif

}  // namespace
