// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/cancellation.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>

#include "common/block_state.hpp"

namespace amphi::detail {
namespace {

std::mutex mutex;
int blocks = 0;
std::terminate_handler previous = nullptr;

[[noreturn]] void on_terminate() {
  if (block_state* const s = current_context.state; s != nullptr) s->abandon_if_cancelling();
  if (previous != nullptr) previous();
  std::abort();
}

[[noreturn, maybe_unused]] void throw_here() { throw thread_cancelled{}; }

}  // namespace

void cancellation_begins() {
  const std::lock_guard lock(mutex);
  if (blocks++ == 0) previous = std::set_terminate(&on_terminate);
}

void cancellation_ended() {
  const std::lock_guard lock(mutex);
  if (--blocks == 0) std::set_terminate(previous);
}

void leave_main(void** mark) { __builtin_longjmp(mark, 1); }

void block_state::note_exception() noexcept {
  current_->request = nullptr;
  const std::uint32_t thread = linear(running_thread(), context_->block_extent);
  warps_[thread / 32].threw |= 1u << thread % 32;
  warps_used_ = true;
  keep_exception(thread);
}

void block_state::keep_exception(std::int64_t thrower) noexcept {
  if (cancelling_ && !current_->threw) return;  // a consequence of what failed
  if (failure_ && thrower_ <= thrower) return;
  failure_ = std::current_exception();
  thrower_ = thrower;
}

void block_state::fail(std::exception_ptr e) noexcept {
  failure_ = std::move(e);
  thrower_ = -1;
  cancel();
}

// From now on each suspended thread that goes on is unwound.
void block_state::cancel() {
  cancelling_ = true;
  direct_ = false;
  cancellation_begins();
  // Nobody starts any more; the place of the thread that runs does not depend on it from now on.
  context_->running->waited = true;
  context_->next_thread = context_->thread_count;
  // Released threads have not gone on yet when a stack is missing in the first interval.
  std::uint32_t n = 0;
  std::unique_ptr<arrival[]> all(new arrival[most_threads + ahead]());
  const auto add = [&](fiber* f) { all[n++] = {f, nullptr, nullptr}; };
  while (first_ != last_) add(lanes_[first_++ % ring]), --detours_;
  while (ready_at_ != ready_end_) all[n++] = *ready_at_++;
  for (const arrival* a = waiting_.get(); a != waiting_end_; ++a) all[n++] = *a;
  for (std::uint32_t w = 0; w < 32; ++w) {
    for (std::uint32_t l = 0; l < 32; ++l)
      if ((warps_[w].waiting >> l & 1u) != 0) add(lane_[w * 32 + l]);
    warps_[w].waiting = 0;
  }
  ready_.swap(all);
  ready_at_ = ready_.get();
  ready_end_ = ready_at_ + n;
  waiting_end_ = waiting_.get();
  votes_ = warps_waiting_ = 0;
  mixed_ = false;
}

// The failed block has ended.
void block_state::end_cancellation() {
  const auto forget = [](fiber& f) { f.cancelled_again = 0, f.threw = false; };
  forget(main_);
  for (const beginning* used = sets_[set_].beginnings.data(); used != begin_at_; ++used) forget(*used->who);
  cancelling_ = false;
  cancellation_ended();
}

// A thread that would go on without a look at the state of its block goes on with a throw: as if the kernel
// had called throw_here() in place of block_sync().
void block_state::make_it_throw([[maybe_unused]] fiber& f) const {
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (f.checks) return;
  if (f.exceptions.uncaught > (&f == &main_ ? context_->uncaught_outside : 0u)) {
    f.threw = true;  // leave_failed_barrier
    return;
  }
  auto** const at = static_cast<void**>(f.context.at);
  for (int i = 0; i < 6; ++i) at[i - 1] = at[i];
  at[5] = reinterpret_cast<void*>(&throw_here);
  f.context.at = at - 1;
  f.checks = true;
#endif
}

// The block has failed before the thread came to a barrier, which throws then, but for a destructor that is
// called while an exception unwinds the thread: there it does nothing.
void block_state::leave_barrier(fiber& self) {
  // A kernel that catches everything, or synchronises, in an endless loop must not keep the launch.
  if (++self.cancelled_again > 1000) abandon_if_cancelling();
  if (unwinding()) return;
  self.threw = false;
  throw thread_cancelled{};
}

// The block has failed while the thread waited. What unwinds it now was thrown before that, and belongs to
// the user.
void block_state::leave_failed_barrier(fiber& self) {
  self.threw = unwinding();
  leave_barrier(self);
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
  publish_end();
  self.started = false;
  self.cancelled_again = 0;
  self.threw = false;
  fiber& to = *next();
  put_in_place(self, to);
  if (sanitized_) before_switch(self, to, true);
  machine_switch(self.context, to.context);
}

}  // namespace amphi::detail
