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
  if (cancelling_) return leave_barrier(self), 0;
  if (file != file_ || line != line_ || what != what_) note_place(self, what, file, line);
  votes_ += predicate ? 1u : 0u;
  waiting_[waiting_count_++] = {&self, nullptr, {}, false};
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
  arrival& mine = waiting_[waiting_count_++];
  mine.who = current_;
  mine.thread = running_thread();
  mine.direct = true;
  if (released_directly()) [[likely]]
    return amphi_switch_stack(&mine.at, take_released());
  return arrive_early(mine);
}

// Nobody has been released: the next thread starts, on a stack that an earlier block has used.
void block_state::arrive_early(arrival& mine) {
  fiber_set& set = sets_[set_];
  if (ready_at_ < ready_count_ || first_ != last_ ||
      current_context.next_thread >= current_context.thread_count || used_ == set.fibers.size() ||
      exceptions_to_swap())
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
    return leave_failed_barrier(self);
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

// Another barrier than the one where the others wait, or the first of them.
void block_state::arrive_apart(const char* file, int line) {
  note_place(*current_, meeting::sync, file, line);
  return arrive_directly();
}

// block.sync() where direct() is true.
inline void block_state::arrive(const char* file, int line) {
  if (file == file_ && line == line_ && what_ == meeting::sync) [[likely]]
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
