// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>

#include "amphi/execution/detail/phase.hpp"
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

std::int64_t number_of_block(const thread_context& c) { return linear64(c.block, c.grid_extent); }

// Each block has an order of its own.
std::uint64_t salt_of_block(const thread_context& c) {
  return static_cast<std::uint64_t>(number_of_block(c)) + 1;
}

// Blocks that may run in one call, so that a failure elsewhere ends the rest soon.
constexpr std::int64_t most_straight = 64;

// Of a block that runs next. Blocks behind it along x follow at once, as long as none of their threads waits,
// shares memory or throws.
inline void begin_threads_of(thread_context& c, std::int64_t blocks_left) {
  c.next_thread = 0;
  c.start_limit = c.thread_count;
#if AMPHI_CHECKED
  c.last_phase_over = c.in_phase = false;
#endif
  c.row_start = c.row_y = c.row_z = 0;
  c.row_end = c.special_start ? 0 : std::min<std::uint32_t>(c.block_extent.x, c.thread_count);
  c.straight_end = 0;
  if (c.state != nullptr) {
    c.state->begin_block();
  } else if (!c.special_start) {
    const std::uint32_t x = c.block.x, grid = c.grid_extent.x;
    c.straight_end =
        x + static_cast<std::uint32_t>(std::min({blocks_left, most_straight, std::int64_t{grid} - x}));
  }
  // ThreadSanitizer tells threads apart by their stacks: none starts on the caller's.
  if (under_tsan() && c.thread_count > 1) {
    (void)require_state();
    c.start_limit = c.row_end = 0;
  }
}

// Threads run on the caller's stack until one waits: then it stays there, and the rest start on other stacks.
inline void run_here(thread_context& c, const taken_blocks& blocks) {
  while (find_row(c)) {
    try {
      blocks.run(blocks.body);
    } catch (const thread_cancelled&) {
    } catch (...) {
      require_state().note_exception();
    }
  }
}

// Leaves the block that ran last.
void step(thread_context& c, taken_blocks& blocks) {
  blocks.first = number_of_block(c) + 1;
  const std::uint32_t x = c.block.x + 1;
  c.block.x = x;
  if (x < c.grid_extent.x) return;
  c.block.x = 0;
  const std::uint32_t y = c.block.y + 1;
  c.block.y = y;
  if (y < c.grid_extent.y) return;
  c.block.y = 0;
  c.block.z = c.block.z + 1;
}

void end_block(thread_context& c, first_failure& failure) {
  try {
    c.state->end_block();
  } catch (...) {
    failure.keep(number_of_block(c));
  }
}

}  // namespace

void begin_row(thread_context& c) {
  const std::uint32_t started = c.next_thread, bx = c.block_extent.x, by = c.block_extent.y;
  std::uint32_t i = started;
  if (c.special_start) {
    i = static_cast<std::uint32_t>(permutation(c.plan->order, c.thread_count, salt_of_block(c))(started));
  }
  const std::uint32_t x = i % bx, y = i / bx % by, z = i / bx / by;
  c.row_start = started - x, c.row_y = y, c.row_z = z;
  c.row_end = c.special_start ? started + 1 : std::min<std::uint32_t>(started - x + bx, c.start_limit);
  const settings& s = current_settings();
  if (s.break_set && equals(s.break_block, c.block, c.grid_extent) &&
      equals(s.break_thread, {x, y, z}, c.block_extent)) {
    c.thread.x = x, c.thread.y = y, c.thread.z = z;  // for the debugger: the thread has not started
    std::raise(SIGTRAP);
  }
}

void keep_thrower(const thread_place& here) noexcept {
  thread_context& c = current_context;
  if (!here.waited) c.next_thread = c.row_start + here.x + 1;
  c.thread = here;
  c.running = &c.thread;
}

bool permuted_phase::next() {
  if (place_ == count_) return false;
  const thread_context& c = current_context;
  thread_ = static_cast<int>(permutation(c.plan->order, count_, salt_of_block(c))(place_++));
  return true;
}

void permuted_phase::keep_exception() noexcept {
  if (exception_ != nullptr && lowest_ < thread_) return;
  delete static_cast<std::exception_ptr*>(exception_);
  exception_ = new std::exception_ptr(std::current_exception());
  lowest_ = thread_;
}

void permuted_phase::rethrow() {
  if (exception_ == nullptr) return;
  const std::unique_ptr<std::exception_ptr> held(static_cast<std::exception_ptr*>(exception_));
  std::rethrow_exception(*held);
}

// The stack can be left to the mark over the frames of a noexcept kernel, when its block has failed.
void run_blocks(taken_blocks& blocks, first_failure& failure) {
  thread_context& c = current_context;
  void* mark[5];
  // A block that was taken runs; those behind it need not when another one has failed.
  bool goes_on = true;
  if (__builtin_setjmp(mark) != 0) {
    end_block(c, failure);
    step(c, blocks);
    goes_on = blocks.first < blocks.last && !failure.skips(blocks.first);
  }
  c.escape = mark;
  while (goes_on) {
    try {
      begin_threads_of(c, blocks.last - blocks.first);
      run_here(c, blocks);
    } catch (...) {
      failure.keep(number_of_block(c));
    }
    if (c.state != nullptr) end_block(c, failure);
    step(c, blocks);
    goes_on = blocks.first < blocks.last && !failure.skips(blocks.first);
  }
  c.escape = nullptr;
}

}  // namespace amphi::detail
