// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/limits.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/runtime/device.hpp"

namespace {

TEST(limits, hold_for_every_known_architecture) {
  std::string list = amphi::known_compute_capabilities();
  std::istringstream in(list);
  int capability = 0, found = 0;
  for (char comma = 0; in >> capability; in >> comma, ++found) {
    const amphi::device_limits& l = amphi::limits_of(capability);
    EXPECT_EQ(l.compute_capability, capability);
    EXPECT_EQ(l.threads_per_block, 1024);
    EXPECT_EQ(l.block, amphi::extent3(1024, 1024, 64));
    EXPECT_EQ(l.grid, amphi::extent3(2147483647, 65535, 65535));
    EXPECT_EQ(l.warp_size, 32);
    EXPECT_EQ(l.shared_bytes_per_block, 49152);
    EXPECT_EQ(l.registers_per_block, 65536);
    // What the system keeps of each block's share is what a block can't have of the whole.
    EXPECT_EQ(l.shared_bytes_per_block_opt_in + l.shared_bytes_reserved, l.shared_bytes_per_multiprocessor);
    EXPECT_GE(l.blocks_per_multiprocessor * 1024, l.threads_per_multiprocessor);
  }
  EXPECT_EQ(found, 13);
}

TEST(limits, differ_where_the_architectures_do) {
  EXPECT_EQ(amphi::limits_of(75).threads_per_multiprocessor, 1024);
  EXPECT_EQ(amphi::limits_of(75).blocks_per_multiprocessor, 16);
  EXPECT_EQ(amphi::limits_of(75).shared_bytes_per_block_opt_in, 65536);
  EXPECT_EQ(amphi::limits_of(80).shared_bytes_per_block_opt_in, 166912);
  EXPECT_EQ(amphi::limits_of(86).threads_per_multiprocessor, 1536);
  EXPECT_EQ(amphi::limits_of(86).shared_bytes_per_block_opt_in, 101376);
  EXPECT_EQ(amphi::limits_of(89).blocks_per_multiprocessor, 24);
  EXPECT_EQ(amphi::limits_of(90).threads_per_multiprocessor, 2048);
  EXPECT_EQ(amphi::limits_of(90).shared_bytes_per_block_opt_in, 232448);
  EXPECT_EQ(amphi::limits_of(120).shared_bytes_per_multiprocessor, 102400);
}

TEST(limits, of_an_unknown_architecture_list_the_known_ones) {
  try {
    (void)amphi::limits_of(91);
    FAIL() << "nothing was thrown";
  } catch (const amphi::device_error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("91"), std::string::npos) << text;
    EXPECT_NE(text.find(amphi::known_compute_capabilities()), std::string::npos) << text;
  }
}

TEST(limits, of_the_table_are_those_of_the_device) {
  if (amphi::device_count() == 0) GTEST_SKIP() << "no GPU to compare with";
  for (int d = 0; d < amphi::device_count(); ++d) {
    const amphi::device_limits& of_device = amphi::properties_of(d).limits;
    EXPECT_EQ(of_device, amphi::limits_of(of_device.compute_capability)) << "device " << d;
  }
}

}  // namespace
