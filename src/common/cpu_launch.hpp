// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/execution/detail/context.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

// A launch on the CPU whose geometry has been chosen and checked.
struct alignas(64) cpu_plan {
  void (*run)(void*) = nullptr;
  void* body = nullptr;
  const char* kernel = nullptr;
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

// Runs the block that current_context describes.
void run_block(void (*run)(void*), void* body);

}  // namespace amphi::detail
