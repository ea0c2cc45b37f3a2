// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/block_state.hpp"

#include <cxxabi.h>

#include <atomic>
#include <cstring>

#include "common/barrier_report.hpp"
#include "common/cancellation.hpp"
#include "common/debugger.hpp"
#include "common/sanitizer.hpp"

namespace amphi::detail {
namespace {

constexpr std::uint32_t ahead = 3;  // stacks are fetched into the cache that many threads early

// ThreadSanitizer remembers what some 250 threads did, and forgets all when there are more. So the threads of
// a block share a prime number of its fibers: neighbours, and threads at a distance of a power of two, are
// apart.
constexpr std::uint32_t tsan_fibers = 53;
std::atomic<int> tsan_fibers_made{0};

bool same_place(const char* a, int line_a, const char* b, int line_b) {
  return line_a == line_b && (a == b || std::strcmp(a, b) == 0);
}

[[noreturn, maybe_unused]] void throw_here() { throw thread_cancelled{}; }

}  // namespace

void enter_fiber() { block_state::fiber_main(); }

block_state::block_state()
    : waiting_(new arrival[most_threads + ahead]()),
      ready_(new arrival[most_threads + ahead]()),
      lanes_(new fiber*[ring]),
      lane_(new fiber*[most_threads]) {
  sanitized_ = under_tsan() || under_asan();
  context_ = &current_context;
  show_to_debugger(*this);
  // No reallocation in a fiber: ThreadSanitizer would take it for a race.
  for (fiber_set& set : sets_) {
    set.fibers.reserve(most_threads);
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

void block_state::begin_block() {
  current_ = &main_;
  main_.cancelled_again = 0;
  direct_ = AMPHI_SWITCH == AMPHI_SWITCH_native && !sanitized_;
  if (under_tsan()) set_ ^= 1u;
  arena.begin_block(set_ != 0);
}

void block_state::end_block() {
  fiber* const to = next();
  if (to != &main_) switch_to(main_, *to);  // comes back when all threads have ended
  used_ = 0;
  end_interval();
  for (warp_state& w : warps_) w = {};
  if (cancelling_) cancellation_ended();
  cancelling_ = false;
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

void block_state::note_exception() noexcept {
  current_->request = nullptr;
  if (cancelling_) return;  // a consequence of what failed
  const std::int64_t thrower = linear(running_thread(*context_), context_->block_extent);
  if (failure_ && thrower_ <= thrower) return;
  failure_ = std::current_exception();
  thrower_ = thrower;
}

void block_state::fail(std::exception_ptr e) noexcept {
  failure_ = std::move(e);
  thrower_ = -1;
  cancel();
}

// The life of a stack: it runs the threads that may start, then makes place. A native stack begins anew in
// the next block, others wait for it.
void block_state::fiber_main() {
  block_state& s = *current_context.state;
  fiber& self = *s.current_;
  if (s.sanitized_) s.after_switch(self);
  for (;;) {
    thread_context& c = *s.context_;
    self.cancelled_again = 0;
    if (s.sanitized_) {
      tsan_observe(&s.started_);
      tsan_observe(&s.sets_[s.set_].finished);
    }
    while (true) {
      work step = s.next_work(c);
      if (step.run == nullptr) break;
      // One call for both: a thread that went on ends where the processor expects the return of this call.
      asm volatile("" : "+r"(step.run));
      try {
        step.run(step.argument);
      } catch (const thread_cancelled&) {
      } catch (...) {
        s.note_exception();
      }
    }
    if (s.sanitized_) {
      tsan_publish(&s.sets_[s.set_].finished);
      tsan_publish(&s.ended_);
    }
    s.switch_to(self, *s.next());
  }
}

// What a stack whose thread has ended does next: it starts threads, or gives itself up and goes on where a
// released thread waits, if that takes no more than a switch. Nothing, when it takes more.
inline block_state::work block_state::next_work(thread_context& c) {
  if (find_row(c)) return {c.plan->run, c.plan->body};
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (direct_ && released_directly()) return {&amphi_resume_stack, take_released(c)};
#endif
  return {};
}

#if AMPHI_SWITCH == AMPHI_SWITCH_native
// True if the next thread to go on is one that was released from the barrier of the block, and switching to
// it is all that is to be done.
inline bool block_state::released_directly() const {
  const bool flying = exceptions_->caught != nullptr || exceptions_->uncaught != 0 || exceptional_ != 0;
  return ready_at_ < ready_count_ && first_ == last_ && ready_[ready_at_].direct && !flying;
}

// Puts that thread in place; its stack is what comes back.
inline void* block_state::take_released(thread_context& c) {
  const arrival& to = ready_[ready_at_++];
  __builtin_prefetch(ready_[ready_at_ + ahead - 1].at);
  c.thread = to.thread;
  c.placed = true;
  current_ = to.who;
  return to.at;
}
#endif

// A stack for a thread that starts. Null when there is none; the block has failed then.
fiber* block_state::fresh() {
  fiber_set& set = sets_[set_];
  if (used_ == set.fibers.size()) {
    try {
      watch_stack_overflow();
      auto f = std::make_unique<fiber>();
      f->stack = std::make_unique<guarded_stack>();
      f->bottom = f->stack->low();
      f->bytes = f->stack->usable_bytes();
      f->top = f->stack->low() + f->bytes / 16 * 16;
      f->number = used_;
      if (under_tsan()) {
        if (set.tsan.empty() ||
            (set.tsan.size() < tsan_fibers && tsan_fibers_made < 4 * static_cast<int>(tsan_fibers))) {
          set.tsan.push_back(__tsan_create_fiber(0));
          ++tsan_fibers_made;
        }
        f->tsan = set.tsan[used_ % set.tsan.size()];
      }
      set.fibers.push_back(std::move(f));
    } catch (...) {
      fail(std::current_exception());
      return nullptr;
    }
  }
  fiber* const f = set.fibers[used_++].get();
  if (AMPHI_SWITCH == AMPHI_SWITCH_native || !f->started) {
    if (under_asan() && !f->started) __asan_unpoison_memory_region(f->bottom, f->bytes);
    machine_make<&enter_fiber>(f->context, f->stack->low(), f->stack->usable_bytes());
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
  current_->thread = running_thread(*context_);
  for (;;) {
    if (first_ != last_) return lanes_[first_++ % ring];
    if (ready_at_ < ready_count_) {
      fiber& f = unpack(ready_[ready_at_++]);
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
  if (waiting_count_ == 0 && warps_waiting_ == 0) return false;
  if (failure_) {
    cancel();
  } else if (diverged) {
    for (std::uint32_t i = 0; i < waiting_count_; ++i) {
      fiber& f = unpack(waiting_[i]);
      if (f.apart != barrier_number_) f.what = what_, f.file = file_, f.line = line_;
    }
    std::vector<const fiber*> all;
    for (std::uint32_t i = 0; i < waiting_count_; ++i) all.push_back(waiting_[i].who);
    for (std::uint32_t w = 0; w < 32; ++w)
      for (std::uint32_t l = 0; l < 32; ++l)
        if ((warps_[w].waiting >> l & 1u) != 0) all.push_back(lane_[w * 32 + l]);
    const auto live = static_cast<std::uint32_t>(all.size());
    barrier_failure_ = describe_divergence(*context_, std::move(all), context_->thread_count - live);
    cancel();
  } else {
    waiting_.swap(ready_);
    ready_at_ = 0;
    ready_count_ = met_ = waiting_count_;
    voted_ = votes_;
    waiting_count_ = votes_ = 0;
    end_interval();
  }
  return true;
}

// From now on each suspended thread that goes on is unwound.
void block_state::cancel() {
  cancelling_ = true;
  direct_ = false;
  cancellation_begins();
  context_->next_thread = context_->thread_count;
  // Released threads have not gone on yet when a stack is missing in the first interval.
  std::uint32_t n = 0;
  std::unique_ptr<arrival[]> all(new arrival[most_threads + ahead]());
  const auto add = [&](fiber* f) { all[n++] = {f, nullptr, {}, false}; };
  while (first_ != last_) add(lanes_[first_++ % ring]);
  while (ready_at_ < ready_count_) all[n++] = ready_[ready_at_++];
  for (std::uint32_t i = 0; i < waiting_count_; ++i) all[n++] = waiting_[i];
  for (std::uint32_t w = 0; w < 32; ++w) {
    for (std::uint32_t l = 0; l < 32; ++l)
      if ((warps_[w].waiting >> l & 1u) != 0) add(lane_[w * 32 + l]);
    warps_[w].waiting = 0;
  }
  ready_.swap(all);
  ready_at_ = 0;
  ready_count_ = n;
  waiting_count_ = warps_waiting_ = 0;
  mixed_ = false;
}

fiber& block_state::unpack(const arrival& a) {
  fiber& f = *a.who;
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (a.direct) f.context.at = a.at, f.thread = a.thread;
#endif
  f.checks = !a.direct;
  return f;
}

// A thread that would go on without a look at the state of its block goes on with a throw: as if the kernel
// had called throw_here() in place of block_sync().
void block_state::make_it_throw([[maybe_unused]] fiber& f) const {
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (f.checks) return;
  auto** const at = static_cast<void**>(f.context.at);
  for (int i = 0; i < 6; ++i) at[i - 1] = at[i];
  at[5] = reinterpret_cast<void*>(&throw_here);
  f.context.at = at - 1;
  f.checks = true;
#endif
}

void block_state::throw_cancelled(fiber& self) {
  // A kernel that catches everything in an endless loop must not keep the launch.
  if (++self.cancelled_again > 1000) abandon_if_cancelling();
  throw thread_cancelled{};
}

void block_state::abandon_if_cancelling() {
  if (!cancelling_) return;
  fiber& self = *current_;
  ++abandoned_;
  // The exceptions that the thread was handling, ours among them, have nobody else to free them.
  for (int i = 0; i < 64 && exceptions_->caught != nullptr; ++i) abi::__cxa_end_catch();
  *exceptions_ = {};
  if (&self == &main_) {
    fiber* const to = next();
    if (to != &main_) switch_to(main_, *to);
    leave_main(context_->escape);
  }
  self.started = false;
  self.cancelled_again = 0;
  fiber& to = *next();
  current_ = &to;
  if (sanitized_) before_switch(self, to, true);
  machine_switch(self.context, to.context);
}

void block_state::swap_exceptions(fiber& self, fiber& to) {
  const auto flying = [](const exception_globals& e) { return e.caught != nullptr || e.uncaught != 0; };
  self.exceptions = *exceptions_;
  if (flying(self.exceptions)) ++exceptional_;
  *exceptions_ = to.exceptions;
  if (flying(to.exceptions)) --exceptional_;
  to.exceptions = {};
}

// Another barrier than the one where threads wait, or the first of them.
void block_state::note_place(fiber& self, meeting what, const char* file, int line) {
  if (waiting_count_ == 0) {
    what_ = what, file_ = file, line_ = line;
  } else if (what != what_ || !same_place(file, line, file_, line_)) {
    self.what = what, self.file = file, self.line = line;
    self.apart = barrier_number_;
    mixed_ = true;
  }
}

std::uint32_t block_state::meet(meeting what, bool predicate, std::uint32_t& arrived, const char* file,
                                int line) {
  fiber& self = *current_;
  if (cancelling_) {
    if (exceptions_->uncaught != 0) return 0;  // a destructor that synchronises while its thread is unwound
    throw_cancelled(self);
  }
  if (file != file_ || line != line_ || what != what_) note_place(self, what, file, line);
  votes_ += predicate ? 1u : 0u;
  waiting_[waiting_count_++] = {&self, nullptr, {}, false};
  char* const turn = &barriers_[barrier_number_ & 1];
  if (sanitized_) tsan_publish(turn);
  fiber* const to = next();
  if (to != &self) switch_to(self, *to);
  if (cancelling_) throw_cancelled(self);
  if (sanitized_) tsan_observe(turn);
  arrived = met_;
  return voted_;
}

#if AMPHI_SWITCH == AMPHI_SWITCH_native
// block.sync() in the common case: all that is to be done comes before the switch, so that a thread waits
// with the registers of its kernel only. Everything else is a tail call.
inline void block_state::arrive_directly(thread_context& c) {
  arrival& mine = waiting_[waiting_count_++];
  mine.who = current_;
  mine.thread = running_thread(c);
  mine.direct = true;
  if (released_directly()) [[likely]]
    return amphi_switch_stack(&mine.at, take_released(c));
  return arrive_early(c, mine);
}

// Nobody has been released: the next thread starts, on a stack that an earlier block has used.
void block_state::arrive_early(thread_context& c, arrival& mine) {
  fiber_set& set = sets_[set_];
  const bool flying = exceptions_->caught != nullptr || exceptions_->uncaught != 0 || exceptional_ != 0;
  if (ready_at_ < ready_count_ || first_ != last_ || c.next_thread >= c.thread_count ||
      used_ == set.fibers.size() || flying)
    return arrive_slowly(mine);
  fiber& f = *set.fibers[used_++];
  current_ = &f;
  return amphi_begin_stack(&mine.at, f.top, &enter_fiber);
}

// Who goes on is not simply the next of those that were released.
void block_state::arrive_slowly(arrival& mine) {
  fiber& self = *mine.who;
  arrival* const entries = waiting_.get();
  // This thread may be resumed at once, or unwound with the others, by its fiber.
  const std::uint32_t place = waiting_count_ - 1;
  entries[place].direct = false;
  fiber& to = *next();
  if (cancelling_) {
    self.checks = true;
    if (&to != &self) switch_to(self, to);
    throw_cancelled(self);
  }
  if (&to == &self) return;
  // A release has swapped the arrays; the entry stays where it was.
  entries[place].direct = true;
  put_in_place(self, to);
  if (to.context.entry == nullptr) return amphi_switch_stack(&entries[place].at, to.context.at);
  const machine_entry entry = to.context.entry;
  to.context.entry = nullptr;
  return amphi_begin_stack(&entries[place].at, to.context.at, entry);
}
#endif

// block.sync() in a block of several threads.
inline void block_state::arrive(thread_context& c, const char* file, int line) {
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (direct_ && file == file_ && line == line_ && what_ == meeting::sync) [[likely]]
    return arrive_directly(c);
#endif
  return arrive_elsewhere(c, file, line);
}

// Not where the others wait, or with more to be done than a switch.
void block_state::arrive_elsewhere([[maybe_unused]] thread_context& c, const char* file, int line) {
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (direct_) {
    note_place(*current_, meeting::sync, file, line);
    return arrive_directly(c);
  }
#endif
  std::uint32_t arrived = 0;
  (void)meet(meeting::sync, false, arrived, file, line);
}

namespace {
thread_local struct state_pool {
  std::vector<std::unique_ptr<block_state>> states;
  std::size_t used = 0;
} pool;
}  // namespace

block_state& require_state() {
  thread_context& c = current_context;
  if (c.state == nullptr) {
    if (pool.used == pool.states.size()) pool.states.push_back(std::make_unique<block_state>());
    block_state& s = *pool.states[pool.used];
    s.begin_launch(c);
    ++pool.used;
    c.state = &s;
  }
  return *c.state;
}

void release_state(thread_context& c) {
  if (c.state == nullptr) return;
  c.state->end_launch();
  c.state = nullptr;
  --pool.used;
}

namespace {
// The first thread of a launch to meet a barrier, or the only one of its block.
[[gnu::noinline]] void sync_first(const char* file, int line) {
  std::uint32_t arrived = 0;
  (void)block_meet(meeting::sync, false, arrived, file, line);
}
}  // namespace

void block_sync(const char* file, int line) {
  thread_context& c = current_context;
  block_state* const s = c.state;
  if (s != nullptr && c.thread_count > 1) [[likely]]
    return s->arrive(c, file, line);
  sync_first(file, line);
}

std::uint32_t block_meet(meeting what, bool predicate, std::uint32_t& arrived, const char* file, int line) {
  thread_context& c = current_context;
  if (c.thread_count == 1) {
    if (c.block_form) throw_block_form(name_of(what), file, line);
    arrived = 1;
    return predicate ? 1 : 0;
  }
  block_state* const s = c.state;
  return (s != nullptr ? *s : require_state()).meet(what, predicate, arrived, file, line);
}

}  // namespace amphi::detail
