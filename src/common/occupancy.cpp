// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/occupancy.hpp"

#include <algorithm>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"

namespace amphi {
namespace {

[[noreturn]] void bad(const char* what, std::int64_t value, const char* least) {
  throw launch_error(std::string("occupancy: ") + what + " is " + std::to_string(value) +
                     ", but must be at least " + least);
}

// Blocks whose registers fit. Each warp takes its registers out of one partition; a launch is also refused
// when the block's warps, spread evenly over the partitions, would need more than a block may have.
std::int64_t blocks_by_registers(const device_limits& l, int registers, int warps) {
  if (registers == 0) return INT32_MAX;
  if (registers > l.registers_per_thread) return 0;
  const int of_warp = round_up(registers * l.warp_size, l.register_granularity);
  if (of_warp * round_up(warps, l.partitions) > l.registers_per_block) return 0;
  const int resident = l.registers_per_multiprocessor / l.partitions / of_warp * l.partitions;
  return resident / warps;
}

std::int64_t blocks_by_shared_memory(const device_limits& l, std::int64_t shared_bytes) {
  if (shared_bytes > l.shared_bytes_per_block_opt_in) return 0;
  const std::int64_t taken =
      round_up(shared_bytes + l.shared_bytes_reserved, static_cast<std::int64_t>(l.shared_granularity));
  return taken == 0 ? INT32_MAX : l.shared_bytes_per_multiprocessor / taken;
}

}  // namespace

const char* name(occupancy_limit limit) {
  switch (limit) {
    case occupancy_limit::threads:
      return "threads";
    case occupancy_limit::registers:
      return "registers";
    case occupancy_limit::shared_memory:
      return "shared memory";
    case occupancy_limit::blocks:
      return "blocks";
    case occupancy_limit::impossible:
      break;
  }
  return "impossible";
}

occupancy_result occupancy(const device_limits& limits, int registers, std::int64_t shared_bytes, int block) {
  if (registers < 0) bad("registers per thread", registers, "0");
  if (shared_bytes < 0) bad("shared memory per block", shared_bytes, "0 bytes");
  if (block < 1) bad("the block", block, "1 thread");

  occupancy_result result;
  if (block > limits.threads_per_block) return result;
  const int warps = ceil_div(block, limits.warp_size);
  const int most_warps = limits.threads_per_multiprocessor / limits.warp_size;

  const std::int64_t by[] = {most_warps / warps, blocks_by_registers(limits, registers, warps),
                             blocks_by_shared_memory(limits, shared_bytes), limits.blocks_per_multiprocessor};
  const auto least = std::min_element(std::begin(by), std::end(by));
  if (*least == 0) return result;
  result.limited_by = static_cast<occupancy_limit>(least - std::begin(by));
  result.blocks = static_cast<int>(*least);
  result.warps = result.blocks * warps;
  result.threads = result.blocks * block;
  result.fraction = static_cast<double>(result.warps) / most_warps;
  result.idle_lanes = 1.0 - static_cast<double>(block) / (warps * limits.warp_size);
  return result;
}

int max_occupancy_block(const device_limits& limits, int registers, std::int64_t shared_bytes, int max_block,
                        std::int64_t shared_bytes_per_thread) {
  // Beyond 64 bits, where no block fits either, it is as much as they hold.
  const auto shared_of = [&](std::int64_t block) {
    std::int64_t scaled = 0, sum = 0;
    const bool overflows = __builtin_mul_overflow(shared_bytes_per_thread, block, &scaled) ||
                           __builtin_add_overflow(shared_bytes, scaled, &sum);
    return overflows ? INT64_MAX : sum;
  };
  int best = 0, best_warps = 0;
  const int last = std::min<int>(max_block, static_cast<int>(limits.threads_per_block));
  for (int block = last / limits.warp_size * limits.warp_size; block > 0; block -= limits.warp_size) {
    const int warps = occupancy(limits, registers, shared_of(block), block).warps;
    if (warps > best_warps) best = block, best_warps = warps;
  }
  if (best == 0 && last > 0 && last < limits.warp_size &&
      occupancy(limits, registers, shared_of(last), last).blocks > 0)
    best = last;  // less than a warp was asked for
  return best;
}

}  // namespace amphi
