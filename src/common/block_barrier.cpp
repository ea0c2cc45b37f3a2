// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/block_state.hpp"

#include <cstring>

#include "common/barrier_report.hpp"
#include "common/cancellation.hpp"
#include "common/sanitizer.hpp"

// The barrier of a block, as its threads meet it.

namespace amphi::detail {
namespace {

bool same_place(const char* a, int line_a, const char* b, int line_b) {
  return line_a == line_b && (a == b || std::strcmp(a, b) == 0);
}

}  // namespace

void block_state::swap_exceptions(fiber& self, fiber& to) {
  const auto flying = [](const exception_globals& e) { return e.caught != nullptr || e.uncaught != 0; };
  self.exceptions = *exceptions_;
  if (flying(self.exceptions)) ++exceptional_, ++detours_;
  *exceptions_ = to.exceptions;
  if (flying(to.exceptions)) --exceptional_, --detours_;
  to.exceptions = {};
}

// Another barrier than the one where threads wait, or the first of them.
void block_state::note_place(fiber& self, meeting what, const char* file, int line) {
  if (waiting_end_ == waiting_.get()) {
    what_ = what, file_ = file, line_ = line;
    sync_line_ = what == meeting::sync ? line : -1;
  } else if (what != what_ || !same_place(file, line, file_, line_)) {
    self.what = what, self.file = file, self.line = line;
    self.apart = barrier_number_;
    mixed_ = true;
  }
}

std::uint32_t block_state::meet(meeting what, bool predicate, std::uint32_t& arrived, const char* file,
                                int line) {
  fiber& self = *current_;
  if (cancelling_) return leave_barrier(self), 0;
  if (file != file_ || line != line_ || what != what_) note_place(self, what, file, line);
  votes_ += predicate ? 1u : 0u;
  *waiting_end_++ = {&self, nullptr, nullptr};
  note_wait();
  char* const turn = &barriers_[barrier_number_ & 1];
  if (sanitized_) tsan_publish(turn);
  fiber* const to = next();
  if (to != &self) switch_to(self, *to);
  if (cancelling_) return leave_failed_barrier(self), 0;
  if (sanitized_) tsan_observe(turn);
  arrived = met_;
  return voted_;
}

#if AMPHI_SWITCH == AMPHI_SWITCH_native
// block.sync() in the common case: all that is to be done comes before the switch, so that a thread waits
// with the registers of its kernel only. Everything else is a tail call.
inline void block_state::arrive_directly() {
  arrival& mine = *waiting_end_++;
  mine.who = current_;
  mine.thread = current_context.running;
  if (released_directly()) [[likely]]
    return amphi_switch_stack(&mine.at, take_released());
  return arrive_early(mine);
}

// Nobody has been released: the next thread starts, on a stack that an earlier block has used.
void block_state::arrive_early(arrival& mine) {
  note_wait();
  if (ready_at_ != ready_end_ || current_context.next_thread >= current_context.thread_count ||
      begin_at_ == begin_end_ || !straight_on())
    return arrive_slowly(mine);
  const beginning& next = *begin_at_++;
  current_ = next.who;
  return amphi_begin_stack(&mine.at, next.top, &fiber_main);
}

// Who goes on is not simply the next of those that were released.
void block_state::arrive_slowly(arrival& mine) {
  fiber& self = *mine.who;
  // This thread may be resumed at once, or unwound with the others, by its fiber.
  mine.at = nullptr;
  fiber& to = *next();
  if (cancelling_) {
    self.checks = true;
    if (&to != &self) switch_to(self, to);
    return leave_failed_barrier(self);
  }
  if (&to == &self) return;
  // A release has swapped the arrays; the entry stays where it was.
  put_in_place(self, to);
  if (to.context.entry == nullptr) return amphi_switch_stack(&mine.at, to.context.at);
  const machine_entry entry = to.context.entry;
  to.context.entry = nullptr;
  return amphi_begin_stack(&mine.at, to.context.at, entry);
}

// Another barrier than the one where the others wait, or the first of them.
void block_state::arrive_apart(const char* file, int line) {
  note_place(*current_, meeting::sync, file, line);
  return arrive_directly();
}

// block.sync() where direct() is true.
inline void block_state::arrive(const char* file, int line) {
  if (file == file_ && line == sync_line_) [[likely]]
    return arrive_directly();
  return arrive_apart(file, line);
}
#endif

namespace {
[[gnu::noinline]] void sync_otherwise(const char* file, int line) {
  std::uint32_t arrived = 0;
  (void)block_meet(meeting::sync, false, arrived, file, line);
}
}  // namespace

void block_sync(const char* file, int line) {
#if AMPHI_SWITCH == AMPHI_SWITCH_native
  if (block_state* const s = current_context.state; s != nullptr && s->direct()) [[likely]]
    return s->arrive(file, line);
#endif
  sync_otherwise(file, line);
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
