// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/cancellation.hpp"

#include <cstdlib>
#include <exception>
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

}  // namespace amphi::detail
