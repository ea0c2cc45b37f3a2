// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/extent.hpp"

namespace amphi {

// What a launch on a device of one compute capability may ask for, and what a multiprocessor has to give.
// Sizes in bytes, registers of 32 bits.
struct device_limits {
  int compute_capability = 0;  // 10 * major + minor

  std::int64_t threads_per_block = 0;
  extent3 block;  // largest block in each dimension
  extent3 grid;   // largest grid in each dimension
  int warp_size = 32;

  std::int64_t shared_bytes_per_block = 0;         // without opting in
  std::int64_t shared_bytes_per_block_opt_in = 0;  // the most that a kernel can have
  std::int64_t shared_bytes_reserved = 0;          // taken by the system out of each block's share
  std::int64_t shared_bytes_per_multiprocessor = 0;
  int shared_granularity = 0;  // shared memory is given out in multiples of this

  int registers_per_thread = 0;
  int registers_per_block = 0;
  int registers_per_multiprocessor = 0;
  int register_granularity = 0;  // a warp's registers are given out in multiples of this
  int partitions = 0;            // parts of a multiprocessor; a warp lives in one, with its registers

  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;

  friend constexpr bool operator==(const device_limits&, const device_limits&) = default;
};

// The limits of a compute capability given as in sm_90: 90. Needs no GPU. Throws device_error for one that is
// not in the table; the message lists those that are. Source: compute capability tables of the CUDA C++
// Programming Guide.
const device_limits& limits_of(int compute_capability);

// "70, 72, 75, …": what limits_of() knows.
const char* known_compute_capabilities();

}  // namespace amphi
