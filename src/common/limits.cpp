// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/limits.hpp"

#include <string>

#include "amphi/core/error.hpp"

namespace amphi {
namespace {

constexpr std::int64_t kib = 1024;

// The values in which the architectures since Volta differ.
constexpr device_limits row(int capability, int threads, int blocks, std::int64_t shared,
                            std::int64_t shared_of_block) {
  device_limits l;
  l.compute_capability = capability;
  l.threads_per_block = 1024;
  l.block = {1024, 1024, 64};
  l.grid = {INT32_MAX, 65535, 65535};
  l.shared_bytes_per_block = 48 * kib;
  l.shared_bytes_per_block_opt_in = shared_of_block;
  l.shared_bytes_reserved = capability >= 80 ? kib : 0;
  l.shared_bytes_per_multiprocessor = shared;
  l.shared_granularity = capability >= 80 ? 128 : 256;
  l.registers_per_thread = 255;
  l.registers_per_block = l.registers_per_multiprocessor = 65536;
  l.register_granularity = 256;
  l.partitions = 4;
  l.threads_per_multiprocessor = threads;
  l.blocks_per_multiprocessor = blocks;
  return l;
}

constexpr device_limits table[] = {
    row(70, 2048, 32, 96 * kib, 96 * kib),    //
    row(72, 2048, 32, 96 * kib, 96 * kib),    //
    row(75, 1024, 16, 64 * kib, 64 * kib),    //
    row(80, 2048, 32, 164 * kib, 163 * kib),  //
    row(86, 1536, 16, 100 * kib, 99 * kib),   //
    row(87, 1536, 16, 164 * kib, 163 * kib),  //
    row(89, 1536, 24, 100 * kib, 99 * kib),   //
    row(90, 2048, 32, 228 * kib, 227 * kib),  //
    row(100, 2048, 32, 228 * kib, 227 * kib), row(103, 2048, 32, 228 * kib, 227 * kib),
    row(110, 1536, 24, 228 * kib, 227 * kib), row(120, 1536, 24, 100 * kib, 99 * kib),
    row(121, 1536, 24, 100 * kib, 99 * kib),
};

}  // namespace

const device_limits& limits_of(int compute_capability) {
  for (const device_limits& l : table)
    if (l.compute_capability == compute_capability) return l;
  throw device_error("the limits of compute capability " + std::to_string(compute_capability) + " (sm_" +
                     std::to_string(compute_capability) +
                     ") are not in the table; known ones: " + known_compute_capabilities());
}

const char* known_compute_capabilities() { return "70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121"; }

}  // namespace amphi
