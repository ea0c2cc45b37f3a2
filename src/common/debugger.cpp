// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/debugger.hpp"

#include <cstddef>
#include <mutex>

#include "common/block_state.hpp"

namespace amphi::detail {
namespace {

std::mutex mutex;

}  // namespace

// offsetof of classes that are no standard layout: gcc and clang define it for these.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

// What the script reads: a table of numbers whose meaning `amphi.py` lists in the same order.
struct debugger_layout {
  static constexpr long version = 3;
  using s = block_state;
  static constexpr long table[] = {
      version,
      AMPHI_SWITCH,
      offsetof(s, next_engine_),
      offsetof(s, context_),
      offsetof(s, waiting_),
      offsetof(s, waiting_end_),
      offsetof(s, ready_at_),
      offsetof(s, ready_end_),
      offsetof(s, file_),
      offsetof(s, line_),
      offsetof(s, lane_),
      offsetof(s, warps_),
      sizeof(s::warp_state),
      sizeof(s::arrival),
      offsetof(s::arrival, at),
      offsetof(s::arrival, thread),
      offsetof(fiber, context),
      offsetof(fiber, thread),
      offsetof(fiber, file),
      offsetof(fiber, line),
      offsetof(fiber, apart),
      offsetof(s, barrier_number_),
      offsetof(thread_context, block),
      offsetof(thread_context, block_extent),
      offsetof(thread_context, kernel),
      offsetof(thread_context, running),
  };
};

#pragma GCC diagnostic pop

extern "C" {
[[gnu::used]] block_state* amphi_engines = nullptr;
[[gnu::used]] const long* amphi_engine_layout = debugger_layout::table;
}

void show_to_debugger(block_state& s) {
  const std::lock_guard lock(mutex);
  s.next_engine_ = amphi_engines;
  amphi_engines = &s;
}

void hide_from_debugger(block_state& s) {
  const std::lock_guard lock(mutex);
  for (block_state** p = &amphi_engines; *p != nullptr; p = &(*p)->next_engine_) {
    if (*p == &s) {
      *p = s.next_engine_;
      return;
    }
  }
}

}  // namespace amphi::detail
