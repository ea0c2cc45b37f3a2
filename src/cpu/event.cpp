// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/event.hpp"

#include "common/recording.hpp"

namespace amphi {

// Streams of the CPU run in order and at once, so an event is a point in time.

event stream_view::record() const {
  event e;
  e.nanoseconds_ = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  return e;
}

event::~event() = default;
event::event(event&& other) noexcept : nanoseconds_(other.nanoseconds_) {}
event& event::operator=(event&& other) noexcept {
  nanoseconds_ = other.nanoseconds_;
  return *this;
}

bool event::ready() const { return true; }
void event::synchronize() const { detail::refuse_wait_in_capture(); }

std::chrono::duration<double, std::milli> elapsed(const event& first, const event& second) {
  detail::refuse_wait_in_capture();
  return std::chrono::nanoseconds(second.nanoseconds_ - first.nanoseconds_);
}

}  // namespace amphi
