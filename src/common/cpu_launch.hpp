// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>

#include "amphi/execution/detail/context.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

class kernel_pace;

// A launch on the CPU whose geometry has been chosen and checked.
struct alignas(64) cpu_plan {
  void (*run)(void*) = nullptr;
  void (*end)(void*) = nullptr;  // what the calling thread does when all blocks have run, if it is there
  void* body = nullptr;
  std::size_t body_bytes = 0, body_alignment = 1;  // 0: its bytes can't be copied
  const char* kernel = nullptr;
  kernel_pace* pace = nullptr;  // of a kernel whose launch may be left to one core, where that is quicker
  std::int64_t work = -1;       // items of such a launch
  thread_order order = thread_order::forward;
  bool chunked = false;  // one block of one thread per worker, as many blocks as the team has workers
  bool block_form = false;
  launch_index grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::int64_t workers = 1;
};

// Workers that a launch may use when nobody says how many: 1 inside another launch or OpenMP region and in a
// forked child, else AMPHI_WORKERS or omp_get_max_threads().
std::int64_t available_workers();

// False where a launch has to run on the calling thread.
bool may_use_workers();

// Runs the launch to its end. The exception of the lowest block that threw reaches the caller.
void cpu_launch(const cpu_plan& plan);

// The exception of the lowest block that threw.
class first_failure {
 public:
  // Blocks above the lowest failure need not run.
  bool skips(std::int64_t block) const { return block > lowest_.load(std::memory_order_relaxed); }

  void keep(std::int64_t block) {
    const std::lock_guard lock(mutex_);
    if (block >= lowest_.load(std::memory_order_relaxed)) return;
    lowest_.store(block, std::memory_order_relaxed);
    exception_ = std::current_exception();
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<std::int64_t> lowest_{INT64_MAX};
  std::mutex mutex_;
  std::exception_ptr exception_;
};

// Puts the row of the next thread into c. In a special order each thread is a row.
void begin_row(thread_context& c);

// False when no thread may start now.
inline bool find_row(thread_context& c) {
  c.running = &c.thread;
  if (c.next_thread < c.row_end) return true;
  if (c.next_thread >= c.start_limit) return false;
  begin_row(c);
  return true;
}

// Blocks that a worker takes one after another, x first.
struct taken_blocks {
  void (*run)(void*);
  void* body;
  std::int64_t first, last;  // numbers
};

// Runs them in the launch that current_context describes, from its block on, and keeps what they throw.
// Leaves out those that need not run.
void run_blocks(taken_blocks& blocks, first_failure& failure);

}  // namespace amphi::detail
