// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/launch_checks.hpp"

#include "amphi/core/error.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/number_text.hpp"

namespace amphi::detail {
namespace {

[[noreturn]] void refuse(const std::string& kernel, const std::string& what) {
  throw launch_error("launch of " + kernel + ": " + what);
}

std::string device_name(const device_limits& limits) {
  return "sm_" + std::to_string(limits.compute_capability);
}

void check_set_number(const std::string& kernel, const char* member, const policy_number& n,
                      std::int64_t least, std::int64_t most) {
  if (n.is_automatic() || (n.value >= least && n.value <= most)) return;
  refuse(kernel, std::string("policy.") + member + " is " + index_text(n.value) + ", it must be " +
                     std::to_string(least) + (most == INT64_MAX ? " or more" : " … " + std::to_string(most)) +
                     "; leave it out for the automatic choice");
}

void check_set_extent(const std::string& kernel, const char* member, const extent3& e) {
  if (e.is_automatic()) return;
  const std::int64_t sizes[] = {e.x, e.y, e.z};
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] > 0) continue;
    refuse(kernel, std::string(member) + "." + "xyz"[i] + " is " + std::to_string(sizes[i]) +
                       ", it must be 1 or more; leave ." + member +
                       " out of the policy for the automatic choice");
  }
}

void check_dimension(const std::string& kernel, const device_limits& limits, const char* member,
                     char dimension, std::int64_t size, std::int64_t limit, const char* cure) {
  if (size <= limit) return;
  refuse(kernel, std::string(member) + "." + dimension + " is " + index_text(size) + ", the limit of " +
                     device_name(limits) + " is " + std::to_string(limit) + "; " + cure);
}

}  // namespace

void check_numbers(const std::string& kernel, const policy& p) {
  constexpr std::int64_t any = INT64_MAX;
  if (p.grid.is_automatic() && p.block.is_automatic() && p.shared_bytes.is_automatic() &&
      p.shared_bytes_per_thread.is_automatic() && p.max_block.is_automatic() && p.workers.is_automatic())
    return;
  check_set_extent(kernel, "grid", p.grid);
  check_set_extent(kernel, "block", p.block);
  check_set_number(kernel, "shared_bytes", p.shared_bytes, 0, any);
  check_set_number(kernel, "shared_bytes_per_thread", p.shared_bytes_per_thread, 0, any);
  check_set_number(kernel, "max_block", p.max_block, 1, any);
  check_set_number(kernel, "workers", p.workers, 1, most_workers);
}

void check_geometry(const std::string& kernel, const device_limits& limits, const extent3& grid,
                    const extent3& block) {
  constexpr const char* smaller_block = "use a smaller block and more blocks";
  check_dimension(kernel, limits, "block", 'x', block.x, limits.block.x, smaller_block);
  check_dimension(kernel, limits, "block", 'y', block.y, limits.block.y, smaller_block);
  check_dimension(kernel, limits, "block", 'z', block.z, limits.block.z, smaller_block);
  if (block.size() > limits.threads_per_block)
    refuse(kernel, "a block of " + std::to_string(block.x) + " × " + std::to_string(block.y) + " × " +
                       std::to_string(block.z) + " = " + std::to_string(block.size()) +
                       " threads; the limit of " + device_name(limits) + " is " +
                       std::to_string(limits.threads_per_block) + "; " + smaller_block);
  constexpr const char* fewer_blocks = "use fewer blocks and a grid-stride loop";
  constexpr const char* use_x = "put the long dimension into grid.x, or use a grid-stride loop";
  check_dimension(kernel, limits, "grid", 'x', grid.x, limits.grid.x, fewer_blocks);
  check_dimension(kernel, limits, "grid", 'y', grid.y, limits.grid.y, use_x);
  check_dimension(kernel, limits, "grid", 'z', grid.z, limits.grid.z, use_x);
}

void check_shared(const std::string& kernel, const device_limits& limits, std::int64_t static_bytes,
                  std::int64_t dynamic_bytes) {
  const std::int64_t limit = limits.shared_bytes_per_block_opt_in;
  if (dynamic_bytes <= limit - static_bytes) return;
  refuse(kernel, "a block asks for " + index_text(dynamic_bytes) + " bytes of dynamic shared memory and " +
                     std::to_string(static_bytes) + " bytes of declared shared memory; the limit of " +
                     device_name(limits) + " is " + std::to_string(limit) +
                     " bytes together; use smaller tiles or fewer threads per block");
}

void check_declared_shared(const std::string& kernel, const device_limits& limits, const char* name,
                           std::int64_t declared_bytes, std::int64_t dynamic_bytes) {
  const std::int64_t most = limits.shared_bytes_per_block;
  if (declared_bytes > most)
    refuse(kernel, std::string("with AMPHI_SHARED(") + name + ", …) a block declares " +
                       std::to_string(declared_bytes) + " bytes of shared memory; the limit of " +
                       device_name(limits) + " for declared shared memory is " + std::to_string(most) +
                       " bytes; use smaller tiles, or dynamic shared memory (policy.shared_bytes)");
  check_shared(kernel, limits, declared_bytes, dynamic_bytes);
}

std::int64_t dynamic_shared_bytes(const std::string& kernel, const policy& p, std::int64_t threads) {
  const std::int64_t fixed = p.shared_bytes.value_or(0), each = p.shared_bytes_per_thread.value_or(0);
  std::int64_t scaled = 0, sum = 0;
  if (__builtin_mul_overflow(each, threads, &scaled) || __builtin_add_overflow(fixed, scaled, &sum))
    refuse(kernel, "policy.shared_bytes " + std::to_string(fixed) + " and shared_bytes_per_thread " +
                       std::to_string(each) + " for " + std::to_string(threads) +
                       " threads are more bytes than 64 bits can count; use smaller tiles");
  return sum;
}

}  // namespace amphi::detail
