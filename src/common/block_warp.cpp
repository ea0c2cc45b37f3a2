// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "common/barrier_report.hpp"
#include "common/block_state.hpp"
#include "common/sanitizer.hpp"

// Warp operations: lanes arrive one by one, the last one does the operation for all.

namespace amphi::detail {
namespace {

std::uint32_t group_mask(std::uint32_t lane, std::uint32_t width) {
  const std::uint32_t base = lane & ~(width - 1);
  return (width == 32 ? ~0u : (1u << width) - 1) << base;
}

}  // namespace

std::uint32_t block_state::lanes_of(std::uint32_t warp) const {
  const std::uint32_t rest = context_->thread_count - warp * 32;
  return rest >= 32 ? ~0u : (1u << rest) - 1;
}

bool block_state::same_request(std::uint32_t warp, std::uint32_t group) const {
  const fiber* first = nullptr;
  for (std::uint32_t m = group; m != 0; m &= m - 1) {
    const fiber* f = lane_[warp * 32 + static_cast<std::uint32_t>(__builtin_ctz(m))];
    if (first == nullptr) {
      first = f;
    } else if (f->line != first->line || f->what != first->what ||
               f->request->width != first->request->width ||
               (f->file != first->file && std::strcmp(f->file, first->file) != 0)) {
      return false;
    }
  }
  return true;
}

// Does the operation of the waiting lanes of `group`, and lets all of them but `running` go on.
void block_state::complete(std::uint32_t warp, std::uint32_t group, const fiber* running) {
  const std::uint32_t here = warps_[warp].waiting & group;
  const auto base = static_cast<std::uint32_t>(__builtin_ctz(group));
  warp_round round;
  round.lanes = here >> base;
  for (std::uint32_t m = here; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(m));
    fiber* const f = lane_[warp * 32 + lane];
    round.of[lane - base] = f->request;
    round.width = f->request->width;
    if (f != running) lanes_[last_++ % ring] = f, ++detours_;
  }
  warps_[warp].waiting &= ~group;
  warps_waiting_ -= static_cast<std::uint32_t>(__builtin_popcount(here));
  ++warp_turn_[warp * 32 + base];
  try {
    round.of[__builtin_ctz(round.lanes)]->finish(round);
  } catch (...) {
    // Of the operation that a user gave to reduce, for all of its lanes; the block ends with this interval.
    keep_exception(static_cast<std::int64_t>(warp) * 32 + __builtin_ctz(here));
  }
}

// Which lanes have returned: those that wait nowhere when nothing can run.
void block_state::find_returned() {
  std::uint32_t live[32];
  for (std::uint32_t w = 0; w < 32; ++w) live[w] = warps_[w].waiting;
  for (const arrival* a = waiting_.get(); a != waiting_end_; ++a) {
    const std::uint32_t thread = linear(*unpack(*a).thread, context_->block_extent);
    live[thread / 32] |= 1u << (thread % 32);
  }
  for (std::uint32_t w = 0; w * 32 < context_->thread_count; ++w) warps_[w].gone = lanes_of(w) & ~live[w];
}

bool block_state::complete_warps() {
  find_returned();
  bool any = false;
  for (std::uint32_t w = 0; w * 32 < context_->thread_count; ++w) {
    for (std::uint32_t left = warps_[w].waiting; left != 0;) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      const std::uint32_t group = group_mask(lane, lane_[w * 32 + lane]->request->width);
      const std::uint32_t needed = group & lanes_of(w) & ~warps_[w].gone;
      if ((warps_[w].waiting & needed) == needed && same_request(w, needed)) {
        complete(w, group, nullptr);
        any = true;
        left &= ~group;
      } else {
        left &= left - 1;
      }
    }
  }
  return any;
}

void block_state::meet_warp(warp_request& request, const char* file, int line) {
  fiber& self = *current_;
  if (cancelling_) return leave_barrier(self);
  self.what = request.what;
  self.file = file;
  self.line = line;
  self.request = &request;
  const std::uint32_t thread = linear(running_thread(), context_->block_extent);
  const std::uint32_t w = thread / 32, lane = thread % 32, group = group_mask(lane, request.width);
  const std::uint32_t first = thread - lane % request.width;
  self.checks = true;
  lane_[thread] = &self;
  warp_state& warp = warps_[w];
  warp.waiting |= 1u << lane;
  warps_used_ = true;
  ++warps_waiting_;
  char* const turn = &warp_syncs_[first][warp_turn_[first] & 1];
  const bool ordered = sanitized_ && request.what == meeting::warp_sync;
  if (ordered) tsan_publish(turn);
  const std::uint32_t needed = group & lanes_of(w) & ~warp.gone;
  if ((warp.waiting & needed) == needed && same_request(w, needed)) {
    complete(w, group, &self);
  } else {
    note_wait();
    fiber* const to = next();
    if (to != &self) switch_to(self, *to);
    if (cancelling_) {
      self.request = nullptr;
      return leave_failed_barrier(self);
    }
  }
  if (ordered) tsan_observe(turn);
  self.request = nullptr;
  if (request.bad_lane >= 0) end_reader(self, request);
}

// A lane was read that has no value. Where it threw, or read such a lane itself, the exception that the block
// ends with is the first one's: what follows from it must not hide it.
void block_state::end_reader(fiber& self, const warp_request& request) {
  const std::uint32_t thread = linear(running_thread(), context_->block_extent);
  const std::uint32_t wanted = thread - thread % request.width + static_cast<std::uint32_t>(request.bad_lane);
  const bool follows = request.bad_lane < 32 && wanted < context_->thread_count &&
                       (warps_[wanted / 32].threw >> wanted % 32 & 1u);
  if (!follows) throw_bad_lane(*context_, self, request);
  warps_[thread / 32].threw |= 1u << thread % 32;
  throw thread_cancelled();
}

void warp_meet(warp_request& request, const char* file, int line) {
  thread_context& c = current_context;
  if (c.thread_count > 1) return require_state().meet_warp(request, file, line);
  if (c.block_form) throw_block_form("this_warp()", file, line);
  warp_round round;
  round.lanes = 1;
  round.width = request.width;
  round.of[0] = &request;
  request.finish(round);
  if (request.bad_lane < 0) return;
  fiber self;
  self.what = request.what, self.file = file, self.line = line;
  throw_bad_lane(c, self, request);
}

// Byte by byte through volatile: what the lanes keep on their stacks is private to them, and a memcpy would
// be looked at by ThreadSanitizer.
void copy_private(void* to, const void* from, std::size_t bytes) {
  auto* t = static_cast<volatile unsigned char*>(to);
  auto* f = static_cast<const volatile unsigned char*>(from);
  for (std::size_t i = 0; i < bytes; ++i) t[i] = f[i];
}

void finish_shuffle(warp_round& round) {
  for (std::uint32_t l = 0; l < round.width; ++l) {
    warp_request* const r = round.of[l];
    if (r == nullptr) continue;
    if (r->argument >= 32 || round.of[r->argument] == nullptr) {
      r->bad_lane = static_cast<std::int32_t>(r->argument);
    } else {
      copy_private(r->out, round.of[r->argument]->in, r->bytes);
    }
  }
}

void finish_ballot(warp_round& round) {
  std::uint32_t mask = 0;
  for (std::uint32_t l = 0; l < round.width; ++l)
    if (round.of[l] != nullptr && round.of[l]->argument != 0) mask |= 1u << l;
  for (std::uint32_t l = 0; l < round.width; ++l)
    if (round.of[l] != nullptr) round.of[l]->result = mask;
}

void finish_match_any(warp_round& round) {
  const auto equal = [](const warp_request& a, const warp_request& b) {
    auto* x = static_cast<const volatile unsigned char*>(a.in);
    auto* y = static_cast<const volatile unsigned char*>(b.in);
    for (std::size_t i = 0; i < a.bytes; ++i)
      if (x[i] != y[i]) return false;
    return true;
  };
  for (std::uint32_t l = 0; l < round.width; ++l) {
    if (round.of[l] == nullptr) continue;
    round.of[l]->result = 0;
    for (std::uint32_t k = 0; k < round.width; ++k)
      if (round.of[k] != nullptr && equal(*round.of[l], *round.of[k])) round.of[l]->result |= 1u << k;
  }
}

}  // namespace amphi::detail
