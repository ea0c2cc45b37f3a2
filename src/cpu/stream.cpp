// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/stream.hpp"

#include "amphi/runtime/event.hpp"
#include "common/recording.hpp"

namespace amphi {

// Every launch on the CPU is done when it returns.

void stream_view::synchronize() const { detail::refuse_wait_in_capture(); }
void stream_view::wait(const event&) const {}

stream::stream() = default;
stream::~stream() = default;
stream::stream(stream&&) noexcept = default;
stream& stream::operator=(stream&&) noexcept = default;
stream_view stream::per_thread() { return {}; }
event stream::record() const { return view_.record(); }

int detail::device_of(stream_view) { return -1; }

}  // namespace amphi
