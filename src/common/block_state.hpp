// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "common/cpu_launch.hpp"
#include "common/fiber.hpp"
#include "common/shared_access_log.hpp"
#include "common/shared_arena.hpp"

namespace amphi::detail {

// Unwinds the stack of a thread whose block has failed. No user code should keep it.
struct thread_cancelled {};

// Plays the threads of a block that meet each other. One per OS thread (and per nested launch).
//
// Threads start one after another on the stack of the caller. A thread that has to wait is suspended with the
// stack that it is on, and switches straight to the thread that goes on in its place: one that was released,
// else the next one that has not started. When nothing can run, resolve() decides: a barrier where all
// live threads wait is released; anything else is a failure, and all suspended threads are unwound.
struct block_state {
 private:
  // A thread at the barrier of the block. A direct one has left its stack and place here, so that a barrier
  // walks through one array; another one has them in its fiber, and `at` is null. It is null behind the last
  // one that was released, too.
  struct arrival {
    fiber* who;
    void* at;
    thread_place* thread;
  };
  // What a thread that waits needs to start the next one.
  struct beginning {
    fiber* who;
    void* top;
  };

  // The hot part comes first: its offsets are short.
  thread_context* context_ = nullptr;
  fiber* current_ = nullptr;
  exception_globals* exceptions_ = nullptr;
  arrival *waiting_end_ = nullptr, *ready_at_ = nullptr, *ready_end_ = nullptr;
  const char* file_ = nullptr;   // of the first thread that waits at the barrier
  std::int32_t sync_line_ = -1;  // the same, where the barrier is a block.sync()
  bool direct_ = false;        // several threads, native switches, nobody is cancelled, no sanitizer looks on
  std::uint32_t detours_ = 0;  // lanes that were released, and exceptional_
  std::uint32_t exceptional_ = 0;                               // suspended threads with exceptions in flight
  const beginning *begin_at_ = nullptr, *begin_end_ = nullptr;  // stacks that the block has not used yet
  bool mixed_ = false, cancelling_ = false, sanitized_ = false, warps_used_ = false;
  meeting what_ = meeting::sync;
  std::int32_t line_ = 0;
  std::unique_ptr<arrival[]> waiting_, ready_;  // at the barrier of the block; released from it

 public:
  block_state();
  ~block_state();
  block_state(const block_state&) = delete;

  // Does this address lie in one of the stacks that threads are suspended on?
  bool holds(const void* address) const;
  block_state& operator=(const block_state&) = delete;

  // Around the blocks of one launch that the calling worker runs.
  void begin_launch(const thread_context& c);
  void end_launch();
  // Around one block. The end waits for suspended threads, and throws the block's failure.
  void begin_block();
  void end_block();

  // What a thread calls.
  bool direct() const { return direct_; }
  void arrive(const char* file, int line);  // at block.sync(), when direct
  std::uint32_t meet(meeting what, bool predicate, std::uint32_t& arrived, const char* file, int line);
  void meet_warp(warp_request& request, const char* file, int line);

  // Records the exception in flight, of the thread that runs.
  void note_exception() noexcept;

  // Gives the stacks back, between two launches.
  void drop_stacks() noexcept;

  // Called where the unwinding of a cancelled thread meets noexcept. Does not return if it was one.
  void abandon_if_cancelling();

  shared_arena arena;
#if AMPHI_CHECKED
  std::unique_ptr<shared_access_log> accesses;  // while shared_conflicts() counts
#endif

 private:
  friend struct debugger_layout;
  friend void show_to_debugger(block_state& s);
  friend void hide_from_debugger(block_state& s);

  static constexpr std::uint32_t most_threads = 1024, ring = 2 * most_threads;
  static constexpr std::uint32_t ahead = 3;  // stacks are fetched into the cache that many threads early
  struct fiber_set {
    std::vector<std::unique_ptr<fiber>> fibers;
    std::vector<beginning> beginnings;  // of the same
    std::vector<void*> tsan;  // what ThreadSanitizer takes for threads; shared by fibers when they are many
    char finished = 0;        // its address orders the blocks that use the set
  };
  struct warp_state {
    std::uint32_t waiting = 0, gone = 0;  // lanes at a warp operation; lanes that have returned
    std::uint32_t threw = 0;              // lanes that have ended by an exception
  };

  struct work {
    void (*run)(void*) = nullptr;
    void* argument = nullptr;
  };

  [[noreturn]] static void fiber_main();

  fiber* next();
  static work next_work();
  fiber* fresh();
  bool resolve();
  void publish_end();
  void observe_start();
  void end_fiber();
  void end_interval();  // every live thread is at the barrier, or the block has ended
  bool complete_warps();
  void complete(std::uint32_t warp, std::uint32_t group, const fiber* running);
  bool same_request(std::uint32_t warp, std::uint32_t group) const;
  void find_returned();
  void cancel();
  void end_cancellation();
  void fail(std::exception_ptr e) noexcept;
  void keep_exception(std::int64_t thrower) noexcept;
  // All that belongs to `to` is put in place before the switch: what comes after it is run by a processor
  // that has just lost its guesses.
  void switch_to(fiber& self, fiber& to) {
    put_in_place(self, to);
    if (sanitized_) before_switch(self, to, false);
    machine_switch(self.context, to.context);
    if (sanitized_) after_switch(self);
  }
  void put_in_place(fiber& self, fiber& to) {
    self.thread = context_->running;
    context_->running = to.thread;
    current_ = &to;
    if (exceptions_to_swap()) swap_exceptions(self, to);
  }
  // True if the next thread to go on is one that was released from the barrier of the block, and switching to
  // it is all that is to be done.
  bool released_directly() const { return ready_at_->at != nullptr && straight_on(); }

  // Puts that thread in place; its stack is what comes back.
  void* take_released() {
    arrival* const to = ready_at_;
    ready_at_ = to + 1;
    __builtin_prefetch(to[ahead].at);
    current_context.running = to->thread;
    current_ = to->who;
    return to->at;
  }
  // True if an exception is in flight in the thread that runs or in one that waits.
  bool exceptions_to_swap() const {
    return exceptions_->caught != nullptr || exceptions_->uncaught != 0 || exceptional_ != 0;
  }
  // True if no lane goes on first, and no exceptions are to be swapped.
  bool straight_on() const {
    return detours_ == 0 && exceptions_->caught == nullptr && exceptions_->uncaught == 0;
  }
  // The thread that runs waits: the rest of its row starts elsewhere, if it has not yet.
  void note_wait() {
    thread_place& here = *current_context.running;
    if (here.waited) return;
    here.waited = true;
    current_context.next_thread = current_context.row_start + here.x + 1;
  }
  void swap_exceptions(fiber& self, fiber& to);
  void note_place(fiber& self, meeting what, const char* file, int line);
  void arrive_directly();
  void arrive_early(arrival& mine);
  void arrive_slowly(arrival& mine);
  void arrive_apart(const char* file, int line);
  static fiber& unpack(const arrival& a);
  void make_it_throw(fiber& f) const;
  void before_switch(fiber& self, fiber& to, bool for_ever);
  void after_switch(fiber& self);
  // True while an exception unwinds the thread that runs.
  bool unwinding() const {
    return exceptions_->uncaught > (current_ == &main_ ? context_->uncaught_outside : 0u);
  }
  void leave_barrier(fiber& self);
  void leave_failed_barrier(fiber& self);
  std::uint32_t lanes_of(std::uint32_t warp) const;
  [[noreturn]] void end_reader(fiber& self, const warp_request& request);

  std::uint32_t votes_ = 0, voted_ = 0, met_ = 0;  // being counted; of the last barrier, and its threads
  std::uint32_t first_ = 0, last_ = 0;             // lanes released from warp operations: a ring
  std::unique_ptr<fiber*[]> lanes_;
  std::uint32_t set_ = 0;

  fiber* previous_ = nullptr;  // who switched to the running one
  fiber main_;
  fiber_set sets_[2];
  std::uint32_t warps_waiting_ = 0;  // lanes that wait at warp operations
  warp_state warps_[32];
  std::unique_ptr<fiber*[]> lane_;  // of thread i, while it waits at a warp operation
  std::uint32_t abandoned_ = 0;

  block_state* next_engine_ = nullptr;  // for the debugger

  std::exception_ptr failure_;
  std::int64_t thrower_ = 0;     // of failure_
  std::string barrier_failure_;  // text of the barrier_error, if it is one
  std::int64_t barrier_number_ = 1;
  char started_ = 0, ended_ = 0;  // addresses that order what the sanitizer sees
  char barriers_[2] = {};
  char warp_syncs_[1024][2] = {};
  std::uint8_t warp_turn_[1024] = {};
};

// The engine of the calling thread's block, made when first needed.
block_state& require_state();

// Gives the engine back when a worker leaves a launch.
void release_state(thread_context& c);

}  // namespace amphi::detail
