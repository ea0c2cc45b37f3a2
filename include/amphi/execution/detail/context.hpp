// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

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

// A number that a kernel's own stores can't change, as the compiler sees it: it is of a type that no data
// have, so that it stays in a register where a kernel writes integers.
class context_number {
 public:
  AMPHI_DETAIL_NO_TSAN constexpr context_number(std::uint32_t value = 0)
      : value_(static_cast<number>(value)) {}
  AMPHI_DETAIL_NO_TSAN constexpr operator std::uint32_t() const { return static_cast<std::uint32_t>(value_); }

 private:
  enum class number : std::uint32_t {};
  number value_;
};

struct context_index {
  context_number x, y, z;
  AMPHI_DETAIL_NO_TSAN constexpr context_index(const launch_index& i = {}) : x(i.x), y(i.y), z(i.z) {}
  AMPHI_DETAIL_NO_TSAN constexpr operator launch_index() const { return {x, y, z}; }
};

// The place of a thread. It lies in the frame that runs the thread, for as long as the thread lives; where
// nothing but the kernel's own arithmetic looks at it, it lies in a register.
struct thread_place : context_index {
  using context_index::context_index;
  bool waited = false;  // it was suspended, and the rest of its row was started elsewhere
};

// Outside a launch; nobody writes to it.
inline constinit thread_place only_thread;

// What the CPU knows about the GPU thread that the calling OS thread is playing. Outside a launch it is the
// only thread of the only block.
struct thread_context {
  context_index block, block_extent = launch_index{1, 1, 1}, grid_extent = launch_index{1, 1, 1};
  // Threads start along x, row after row. The row (row_y, row_z) starts at thread number row_start and goes
  // on to row_end; next_thread is the next one to start, as soon as the one that runs waits or has ended.
  context_number next_thread = 1, row_end = 1, row_start, row_y, row_z;
  // Rows and blocks that follow need nothing of the engine, up to this block.x; 0: they do.
  context_number straight_end;
  thread_place* running = &only_thread;  // of the thread that runs
  thread_place thread;                   // of one that has no frame: it has ended, or not started
  std::uint32_t thread_count = 1;        // of the block
  context_number start_limit = 1;        // how many of them may have started by now
  bool chunked = false;          // automatic launch: each block is a worker and takes one contiguous chunk
  bool block_form = false;       // the kernel takes an amphi::block and is called once per block
  bool last_phase_over = false;  // checked builds: in this block of a kernel in block form
  bool in_phase = false;         // checked builds: of a kernel in block form
  bool in_launch = false;
  bool special_start = false;    // threads start in a permuted order, or a debugger waits for one of them
  const char* kernel = nullptr;  // name, for messages
  const cpu_plan* plan = nullptr;
  void** escape = nullptr;             // where the OS thread's own stack can be left to
  std::uint32_t uncaught_outside = 0;  // exceptions in flight where the launch was made
  block_state* state = nullptr;        // made when a thread first meets a barrier or shared memory
};

AMPHI_DETAIL_INITIAL_EXEC extern constinit thread_local thread_context current_context;

// These name the context and take no reference to it: GNU ld (2.40) turns the `add` that computes the address
// of a thread's variable into `lea`, which leaves the flags alone, and a check that a reference is not null
// (UBSan) then reads stale ones.

// The place of the thread that runs.
AMPHI_DETAIL_NO_TSAN inline launch_index running_thread() { return *current_context.running; }

struct thread_row {
  std::uint32_t y, z;
  bool whole;  // all of its block
};
AMPHI_DETAIL_NO_TSAN inline thread_row row_to_start() {
  return {current_context.row_y, current_context.row_z,
          current_context.row_end == current_context.start_limit && current_context.row_start == 0};
}

// The row whose threads start next, or what is left of it; gives the x of the first one. The compiler is told
// that an x is no large number, so that sums of it are known not to wrap.
AMPHI_DETAIL_NO_TSAN inline int begin_threads(thread_place& here, const thread_row& row) {
  here.y = row.y;
  here.z = row.z;
  current_context.running = &here;
  const int x = static_cast<int>(current_context.next_thread - current_context.row_start);
  if (x < 0 || x >= 1024 || x >= static_cast<int>(current_context.row_end - current_context.row_start))
    __builtin_unreachable();
  return x;
}
AMPHI_DETAIL_NO_TSAN inline void begin_thread(thread_place& here, int x) {
  here.x = static_cast<std::uint32_t>(x);
}
AMPHI_DETAIL_NO_TSAN inline bool has_waited(const thread_place& here) { return here.waited; }
AMPHI_DETAIL_NO_TSAN inline bool row_goes_on(int x) {
  return x < static_cast<int>(current_context.row_end - current_context.row_start);
}
AMPHI_DETAIL_NO_TSAN inline void end_row() { current_context.next_thread = current_context.row_end; }

// Goes on to the next block along x, if it may start at once.
AMPHI_DETAIL_NO_TSAN inline bool straight_to_next_block() {
  const std::uint32_t x = current_context.block.x + 1;
  if (x >= current_context.straight_end) return false;
  current_context.block.x = x;
#if AMPHI_CHECKED
  current_context.last_phase_over = false;
#endif
  return true;
}

// Goes on to the next row of a block that has several, or to the first one of the next block.
AMPHI_DETAIL_NO_TSAN inline bool straight_to_next_row() {
  if (current_context.straight_end == 0) return false;
  std::uint32_t start = current_context.row_end;
  if (start != current_context.start_limit) {
    const std::uint32_t y = current_context.row_y + 1;
    const bool plane = y == current_context.block_extent.y;
    current_context.row_y = plane ? 0 : y;
    current_context.row_z = current_context.row_z + (plane ? 1 : 0);
  } else {
    if (current_context.row_start == 0 || !straight_to_next_block()) return false;
    start = 0;
    current_context.row_y = 0;
    current_context.row_z = 0;
  }
  current_context.row_start = start;
  current_context.next_thread = start;
  current_context.row_end = start + current_context.block_extent.x;
  return true;
}

// An exception leaves the thread whose place this is.
void keep_thrower(const thread_place& here) noexcept;

// Says so, unless ended() was called.
class thrower_place {
 public:
  explicit thrower_place(const thread_place& here) : here_(here) {}
  ~thrower_place() {
    if (!ended_) keep_thrower(here_);
  }
  thrower_place(const thrower_place&) = delete;
  thrower_place& operator=(const thrower_place&) = delete;
  void ended() { ended_ = true; }

 private:
  const thread_place& here_;
  bool ended_ = false;
};

// A small body is copied, so that its captures are known not to change.
template <class Body>
using body_in_use =
    std::conditional_t<std::is_const_v<Body> && std::is_trivially_copyable_v<Body> && sizeof(Body) <= 128,
                       Body, Body&>;

// Calls a kernel in block form, for each block that may run at once.
template <class Body>
void run_once(void* body) {
  body_in_use<Body> run = *static_cast<Body*>(body);
  end_row();
  do {
    run();
  } while (straight_to_next_block());
}

// Starts the threads of a row one after another, then those of the rows and blocks behind it that may start
// at once; there is at least one. A thread that waits at a barrier is suspended by the engine, which then
// calls this again, on another stack, for the rest; a thread that went on after a wait ends the call. A
// kernel without barriers becomes an ordinary loop: nothing in it reads or writes the context in memory.
// (GCC keeps a store of the place in the loop unless what follows the loop is the end of the place's life.)
template <class Body>
void run_threads(void* body) {
  body_in_use<Body> run = *static_cast<Body*>(body);
  do {
    const thread_row row = row_to_start();
    do {
      thread_place here;
      thrower_place place(here);
      int x = begin_threads(here, row);
      do {
        begin_thread(here, x);
        run();
        if (has_waited(here)) return place.ended();
        ++x;
      } while (row_goes_on(x));
      place.ended();
    } while (row.whole && straight_to_next_block());
  } while (straight_to_next_row());
  end_row();
}

template <bool BlockForm, class Body>
constexpr auto runner() {
  if constexpr (BlockForm) {
    return &run_once<Body>;
  } else {
    return &run_threads<Body>;
  }
}

}  // namespace detail
}  // namespace amphi
