// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <csignal>
#include <exception>

#include "amphi/execution/thread_index.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/cpu_launch.hpp"
#include "common/permutation.hpp"

namespace amphi::detail {
namespace {

bool equals(const extent3& wanted, const launch_index& index, const launch_index& extent) {
  const extent3 three{index.x, index.y, index.z};
  return wanted == three || (wanted.y == 0 && wanted.z == 0 && wanted.x == linear64(index, extent));
}

thread_local thread_order current_order = thread_order::forward;

}  // namespace

void start_special(thread_context& c, std::uint32_t started) {
  const std::uint64_t salt = static_cast<std::uint64_t>(linear64(c.block, c.grid_extent)) + 1;
  const auto i = static_cast<std::uint32_t>(permutation(current_order, c.thread_count, salt)(started));
  const std::uint32_t bx = c.block_extent.x, by = c.block_extent.y;
  c.thread = c.block_form ? launch_index{} : launch_index{i % bx, i / bx % by, i / bx / by};
  const settings& s = current_settings();
  if (s.break_set && equals(s.break_block, c.block, c.grid_extent) &&
      equals(s.break_thread, c.thread, c.block_extent))
    std::raise(SIGTRAP);
}

void run_block(const cpu_plan& plan) {
  thread_context& c = current_context;
  c.thread_count = plan.block_form ? 1u : static_cast<std::uint32_t>(size64(c.block_extent));
  c.next_thread = 0;
  current_order = plan.order;
  c.special_start = plan.order != thread_order::forward || current_settings().break_set;

  // All threads run, also behind one that throws; the lowest thread's exception is the block's.
  std::exception_ptr exception;
  std::int64_t lowest = 0;
  while (c.next_thread < c.thread_count) {
    try {
      plan.run(plan.body);
    } catch (...) {
      const std::int64_t thrower = linear(c.thread, c.block_extent);
      if (!exception || thrower < lowest) exception = std::current_exception(), lowest = thrower;
    }
  }
  if (exception) std::rethrow_exception(exception);
}

}  // namespace amphi::detail
