// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/block_state.hpp"

#include <cxxabi.h>

#include <atomic>

#include "common/barrier_report.hpp"
#include "common/cancellation.hpp"
#include "common/debugger.hpp"
#include "common/sanitizer.hpp"

namespace amphi::detail {
namespace {

// ThreadSanitizer remembers what some 250 threads did, and forgets all when there are more. So the threads of
// a block share a prime number of its fibers: neighbours, and threads at a distance of a power of two, are
// apart.
constexpr std::uint32_t tsan_fibers = 53;
std::atomic<int> tsan_fibers_made{0};

}  // namespace

block_state::block_state()
    : waiting_(new arrival[most_threads + ahead]()),
      ready_(new arrival[most_threads + ahead]()),
      lanes_(new fiber*[ring]),
      lane_(new fiber*[most_threads]) {
  sanitized_ = under_tsan() || under_asan();
  context_ = &current_context;
  waiting_end_ = waiting_.get();
  ready_at_ = ready_end_ = ready_.get();
  show_to_debugger(*this);
  // No reallocation in a fiber: ThreadSanitizer would take it for a race.
  for (fiber_set& set : sets_) {
    set.fibers.reserve(most_threads);
    set.beginnings.reserve(most_threads);
    set.tsan.reserve(tsan_fibers);
  }
}

block_state::~block_state() {
  hide_from_debugger(*this);
  for (const fiber_set& set : sets_) {
    for (void* f : set.tsan) __tsan_destroy_fiber(f);
    tsan_fibers_made -= static_cast<int>(set.tsan.size());
  }
}

void block_state::begin_launch(const thread_context& c) {
  context_ = &current_context;
  exceptions_ = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
  if (under_tsan()) main_.tsan = __tsan_get_current_fiber();
  tsan_publish(&started_);
  arena.begin_launch(c.kernel, c.plan != nullptr ? c.plan->shared_bytes : 0);
#if AMPHI_CHECKED
  accesses = new_shared_access_log(c.kernel);
#endif
  begin_block();
}

void block_state::end_launch() {
  tsan_observe(&ended_);
#if AMPHI_CHECKED
  if (accesses != nullptr) accesses->publish();
  accesses = nullptr;
#endif
}

bool block_state::holds(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const fiber_set& set : sets_)
    for (const auto& f : set.fibers)
      if (at - reinterpret_cast<std::uintptr_t>(f->bottom) < f->bytes) return true;
  return false;
}

void block_state::drop_stacks() noexcept {
  for (fiber_set& set : sets_) {
    set.fibers.clear();
    set.beginnings.clear();
  }
}

void block_state::begin_block() {
  current_ = &main_;
  direct_ = AMPHI_SWITCH == AMPHI_SWITCH_native && !sanitized_ && context_->thread_count > 1;
  if (under_tsan()) set_ ^= 1u;
  begin_at_ = sets_[set_].beginnings.data();
  begin_end_ = begin_at_ + sets_[set_].beginnings.size();
  arena.begin_block(set_ != 0);
}

void block_state::end_block() {
  fiber* const to = next();
  if (to != &main_) switch_to(main_, *to);  // comes back when all threads have ended
  if (cancelling_) end_cancellation();
  end_interval();
  if (warps_used_) {
    for (warp_state& w : warps_) w = {};
    warps_used_ = false;
  }
  const std::uint32_t abandoned = abandoned_;
  abandoned_ = 0;
  if (!failure_ && barrier_failure_.empty()) return;
  tsan_observe(&ended_);
  const std::exception_ptr failure = std::move(failure_);
  const std::string text = std::move(barrier_failure_);
  failure_ = nullptr;
  barrier_failure_.clear();
  if (failure) std::rethrow_exception(failure);
  throw_barrier_error(text, abandoned);
}

void block_state::end_interval() {
  ++barrier_number_;
#if AMPHI_CHECKED
  if (accesses != nullptr) accesses->end_of_interval();
#endif
}

// The life of a stack: it runs the threads that may start, then makes place. A native stack begins anew in
// the next block, others wait for it. What a thread that went on comes back to is not kept in registers: they
// come from the memory of its stack, and the next thread would wait for that.
void block_state::fiber_main() {
  if (block_state& s = *current_context.state; s.sanitized_) {
    s.after_switch(*s.current_);
    s.observe_start();
  }
  for (;;) {
    while (true) {
      work step = next_work();
      if (step.run == nullptr) break;
      // One call for both: a thread that went on ends where the processor expects the return of this call.
      asm volatile("" : "+r"(step.run));
      try {
        step.run(step.argument);
      } catch (const thread_cancelled&) {
      } catch (...) {
        current_context.state->note_exception();
      }
    }
    current_context.state->end_fiber();
  }
}

// Comes back in a later block, if ever.
void block_state::end_fiber() {
  fiber& self = *current_;
  publish_end();
  switch_to(self, *next());
  if (sanitized_) observe_start();
}

void block_state::observe_start() {
  tsan_observe(&started_);
  tsan_observe(&sets_[set_].finished);
}

// For the sanitizers: what a stack has run was before all that follows the block.
void block_state::publish_end() {
  if (!sanitized_) return;
  tsan_publish(&sets_[set_].finished);
  tsan_publish(&ended_);
}

// What a stack whose thread has ended does next: it starts threads, or gives itself up and goes on where a
// released thread waits, if that takes no more than a switch. Nothing, when it takes more.
[[gnu::noinline]] block_state::work block_state::next_work() {
  thread_context& c = current_context;
  if (find_row(c)) return {c.plan->run, c.plan->body};
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (block_state& s = *c.state; s.direct_ && s.released_directly())
    return {&amphi_resume_stack, s.take_released()};
#endif
  return {};
}

// A stack for a thread that starts. Null when there is none; the block has failed then.
fiber* block_state::fresh() {
  fiber_set& set = sets_[set_];
  if (begin_at_ == begin_end_) {
    try {
      watch_stack_overflow();
      auto f = std::make_unique<fiber>();
      f->stack = std::make_unique<guarded_stack>();
      f->bottom = f->stack->low();
      f->bytes = f->stack->usable_bytes();
      f->top = stack_top(f->stack->low(), f->bytes);
      const std::size_t number = set.fibers.size();
      if (under_tsan()) {
        if (set.tsan.empty() ||
            (set.tsan.size() < tsan_fibers && tsan_fibers_made < 4 * static_cast<int>(tsan_fibers))) {
          set.tsan.push_back(__tsan_create_fiber(0));
          ++tsan_fibers_made;
        }
        f->tsan = set.tsan[number % set.tsan.size()];
      }
      set.beginnings.push_back({f.get(), f->top});
      set.fibers.push_back(std::move(f));
      ++begin_end_;
    } catch (...) {
      fail(std::current_exception());
      return nullptr;
    }
  }
  fiber* const f = (begin_at_++)->who;
  if (AMPHI_SWITCH == AMPHI_SWITCH_native || !f->started) {
    if (under_asan() && !f->started) __asan_unpoison_memory_region(f->bottom, f->bytes);
    machine_make<&fiber_main>(f->context, f->stack->low(), f->stack->usable_bytes());
    f->started = true;
    f->fake_stack = nullptr;
  }
  if (under_tsan()) {  // one thread per stack
    context_->start_limit = context_->next_thread + 1;
    context_->row_end = context_->next_thread;
  }
  return f;
}

void block_state::before_switch(fiber& self, fiber& to, bool for_ever) {
  if (under_asan())
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &self.fake_stack, to.bottom, to.bytes);
  previous_ = &self;
  if (under_tsan() && self.tsan != to.tsan) __tsan_switch_to_fiber(to.tsan, 1);
}

void block_state::after_switch(fiber& self) {
  if (under_asan()) __sanitizer_finish_switch_fiber(self.fake_stack, &previous_->bottom, &previous_->bytes);
}

// Who goes on when the running thread waits or has ended: may be itself; main_ when all have ended.
fiber* block_state::next() {
  current_->thread = context_->running;
  for (;;) {
    if (first_ != last_) {
      --detours_;
      return lanes_[first_++ % ring];
    }
    if (ready_at_ != ready_end_) {
      fiber& f = unpack(*ready_at_++);
      if (cancelling_) make_it_throw(f);
      return &f;
    }
    if (!cancelling_ && context_->next_thread < context_->thread_count) {
      if (fiber* const f = fresh()) return f;
      continue;
    }
    if (!resolve()) return &main_;
  }
}

// Nothing can run, and every thread has started: releases threads, by success or by failure of the block.
// False when all threads have ended.
bool block_state::resolve() {
  if (cancelling_) return false;
  if (warps_waiting_ != 0 && complete_warps()) return true;
  const bool diverged = warps_waiting_ != 0 || mixed_;
  if (waiting_end_ == waiting_.get() && warps_waiting_ == 0) return false;
  if (failure_) {
    cancel();
  } else if (diverged) {
    std::vector<const fiber*> all;
    for (const arrival* a = waiting_.get(); a != waiting_end_; ++a) {
      fiber& f = unpack(*a);
      if (f.apart != barrier_number_) f.what = what_, f.file = file_, f.line = line_;
      all.push_back(&f);
    }
    for (std::uint32_t w = 0; w < 32; ++w)
      for (std::uint32_t l = 0; l < 32; ++l)
        if ((warps_[w].waiting >> l & 1u) != 0) all.push_back(lane_[w * 32 + l]);
    const auto live = static_cast<std::uint32_t>(all.size());
    barrier_failure_ = describe_divergence(*context_, std::move(all), context_->thread_count - live);
    cancel();
  } else {
    waiting_.swap(ready_);
    ready_at_ = ready_.get();
    ready_end_ = waiting_end_;
    ready_end_->at = nullptr;
    met_ = static_cast<std::uint32_t>(ready_end_ - ready_at_);
    waiting_end_ = waiting_.get();
    voted_ = votes_;
    votes_ = 0;
    end_interval();
  }
  return true;
}

fiber& block_state::unpack(const arrival& a) {
  fiber& f = *a.who;
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (a.at != nullptr) f.context.at = a.at, f.thread = a.thread;
#endif
  f.checks = a.at == nullptr;
  return f;
}

namespace {

// The states of nested launches. Destructors of static objects, which may launch too, come after the end of
// the thread's own objects: what they need then is made anew and stays.
struct state_pool {
  std::vector<std::unique_ptr<block_state>>* states = nullptr;
  std::size_t used = 0;
  bool ended = false;
};
constinit thread_local state_pool pool;

// A thread of a block that calls exit() ends the program on one of its stacks.
bool runs_on_a_stack_of_the_pool() {
  if (pool.states == nullptr) return false;
  for (const auto& s : *pool.states)
    if (s->holds(__builtin_frame_address(0))) return true;
  return false;
}

struct state_pool_end {
  bool armed = false;
  ~state_pool_end() {
    if (!runs_on_a_stack_of_the_pool()) delete pool.states;
    pool = {nullptr, 0, true};
    current_context.state = nullptr;  // a kernel that was called outside of launches has one
  }
};
thread_local state_pool_end pool_end;

block_state& unused_state() {
  if (pool.states == nullptr) {
    if (!pool.ended) pool_end.armed = true;
    pool.states = new std::vector<std::unique_ptr<block_state>>;
  }
  if (pool.used == pool.states->size()) pool.states->push_back(std::make_unique<block_state>());
  return *(*pool.states)[pool.used];
}

}  // namespace

block_state& require_state() {
  thread_context& c = current_context;
  if (c.state == nullptr) {
    block_state& s = unused_state();
    s.begin_launch(c);
    ++pool.used;
    c.state = &s;
    c.straight_end = 0;
  }
  return *c.state;
}

void release_state(thread_context& c) {
  if (c.state == nullptr) return;
  c.state->end_launch();
  if (guarded_stack::scarce()) c.state->drop_stacks();
  c.state = nullptr;
  --pool.used;
}

}  // namespace amphi::detail
