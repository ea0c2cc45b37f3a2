// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <csignal>
#include <exception>

#include "amphi/execution/thread_index.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/block_state.hpp"
#include "common/permutation.hpp"
#include "common/sanitizer.hpp"

namespace amphi::detail {
namespace {

bool equals(const extent3& wanted, const launch_index& index, const launch_index& extent) {
  const extent3 three{index.x, index.y, index.z};
  return wanted == three || (wanted.y == 0 && wanted.z == 0 && wanted.x == linear64(index, extent));
}

// Threads run on the caller's stack until one waits: then it stays there, and the rest start on other stacks.
// Apart from its caller, because it can be left over the frames of a noexcept kernel.
[[gnu::noinline]] void run_here(thread_context& c, const cpu_plan& plan) {
  void* mark[5];
  if (__builtin_setjmp(mark) != 0) return;
  c.escape = mark;
  while (c.next_thread < c.start_limit) {
    try {
      plan.run(plan.body);
    } catch (const thread_cancelled&) {
    } catch (...) {
      require_state().note_exception();
    }
  }
  c.escape = nullptr;
}

}  // namespace

void start_special(thread_context& c, std::uint32_t started) {
  const std::uint64_t salt = static_cast<std::uint64_t>(linear64(c.block, c.grid_extent)) + 1;
  const auto i = static_cast<std::uint32_t>(permutation(c.plan->order, c.thread_count, salt)(started));
  const std::uint32_t bx = c.block_extent.x, by = c.block_extent.y;
  c.thread = c.block_form ? launch_index{} : launch_index{i % bx, i / bx % by, i / bx / by};
  const settings& s = current_settings();
  if (s.break_set && equals(s.break_block, c.block, c.grid_extent) &&
      equals(s.break_thread, c.thread, c.block_extent))
    std::raise(SIGTRAP);
}

void run_permuted(std::uint32_t count, void (*call)(void* f, std::uint32_t i), void* f) {
  const thread_context& c = current_context;
  const std::uint64_t salt = static_cast<std::uint64_t>(linear64(c.block, c.grid_extent)) + 1;
  const permutation order(c.plan->order, count, salt);
  std::exception_ptr exception;
  std::uint32_t lowest = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::uint32_t>(order(k));
    try {
      call(f, i);
    } catch (...) {
      if (!exception || i < lowest) exception = std::current_exception(), lowest = i;
    }
  }
  if (exception) std::rethrow_exception(exception);
}

void run_block(const cpu_plan& plan) {
  thread_context& c = current_context;
  c.thread_count = plan.block_form ? 1u : static_cast<std::uint32_t>(size64(c.block_extent));
  c.next_thread = 0;
  c.start_limit = c.thread_count;
  c.thread = {};
  c.special_start = plan.order != thread_order::forward || current_settings().break_set;
  c.one_row = !c.special_start && !plan.block_form && c.block_extent.x == c.thread_count;
  if (c.state != nullptr) c.state->begin_block();
  // ThreadSanitizer tells threads apart by their stacks.
  if (c.thread_count > 1 && under_tsan()) {
    (void)require_state();
    c.start_limit = 0;
  } else {
    run_here(c, plan);
  }
  if (c.state != nullptr) c.state->end_block();
}

}  // namespace amphi::detail
