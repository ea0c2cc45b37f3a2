// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/macros.hpp"

namespace amphi {

// Position or size in a grid, as CUDA's threadIdx and gridDim have it.
struct launch_index {
  std::uint32_t x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const launch_index&, const launch_index&) = default;
};

namespace detail {

struct cpu_plan;     // the launch (src/common)
struct block_state;  // what the block engine keeps of a running block (src/common)

// What the CPU knows about the GPU thread that the calling OS thread is playing. Outside a launch it is the
// only thread of the only block.
struct thread_context {
  launch_index thread, block;
  launch_index block_extent{1, 1, 1}, grid_extent{1, 1, 1};
  bool chunked = false;     // automatic launch: each block is a worker and takes one contiguous chunk
  bool block_form = false;  // the kernel takes an amphi::block and is called once per block
  bool in_launch = false;
  bool special_start = false;  // threads start in a permuted order, or a debugger waits for one of them
  bool one_row = false;        // threads start along x only, in order
  std::uint32_t next_thread = 0, thread_count = 1;  // of the block: started so far, and in all
  std::uint32_t start_limit = 1;                    // threads that may start now
  const char* kernel = nullptr;                     // name, for messages
  const cpu_plan* plan = nullptr;
  void** escape = nullptr;       // where the OS thread's own stack can be left to
  block_state* state = nullptr;  // made when a thread first meets a barrier or shared memory
};

extern constinit thread_local thread_context current_context;

// Gives the next start its place in the order of the launch, and stops there when a debugger asked to.
void start_special(thread_context& c, std::uint32_t started);

// Steps to the next thread of the block that has not started yet; false when all have.
AMPHI_DETAIL_NO_TSAN inline bool start_next_thread(thread_context& c) {
  const std::uint32_t started = c.next_thread;
  if (started >= c.start_limit) return false;
  c.next_thread = started + 1;
  if (c.special_start) {
    start_special(c, started);
  } else {
    // Threads that were suspended in between changed c.thread only through the engine, which restores it for
    // the thread that goes on; a start always computes its place anew.
    const std::uint32_t bx = c.block_extent.x, by = c.block_extent.y;
    c.thread = {started % bx, started / bx % by, started / bx / by};
  }
  return true;
}

// Runs the threads of a block one after another; a thread that waits at a barrier is suspended by the engine,
// which then calls this again, on another stack, for the rest.
template <class Body>
void run_threads(void* body) {
  thread_context& c = current_context;
  Body& run = *static_cast<Body*>(body);
#if !AMPHI_TSAN
  // The common case, written so that a kernel without barriers becomes an ordinary loop, which vectorises.
  if (c.one_row) {
    for (std::uint32_t t = c.next_thread; t < c.start_limit; t = c.next_thread) {
      c.next_thread = t + 1;
      c.thread.x = t;
      run();
    }
    return;
  }
#endif
  while (start_next_thread(c)) run();
}

}  // namespace detail
}  // namespace amphi
