// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "amphi/runtime/stream.hpp"

// Which work has to wait for which. On the CPU, where work is done when its launch returns, there is nothing
// to wait for.

namespace amphi::detail {

struct stream_state;  // what stays of an amphi::stream after its end

// A stream that was used, kept so that it can be waited for later, also after an owning amphi::stream is
// gone. A stream that was made by CUDA calls must outlive the waiting.
struct stream_use {
  stream_view stream;
  std::shared_ptr<stream_state> state;  // null for default streams and those of CUDA calls
  std::uint64_t thread = 0;             // which host thread's per-thread stream
};

stream_use use_of(stream_view s);
bool same_stream(const stream_use& a, const stream_use& b);

// Where more work can be put so that it runs after the use: its stream, or the default stream when that one
// is gone or belongs to another thread.
stream_view living_stream(const stream_use& u);
// Is the stream gone, and all its work done?
bool is_over(const stream_use& u);

// Is work put on the stream recorded for later instead of run? On the CPU all streams of a thread are, or
// none.
bool is_capturing(stream_view s);
bool is_capturing(const stream_use& u);

// Work put on `then` afterwards runs after what was put on `first` so far. Both belong to the current device.
// If `then` is being captured and `first` is not, the host waits instead, so that the graph may run at any
// time. Throws launch_error if only `first` is.
void order_after(const stream_use& first, const stream_use& then);

// Blocks the host until the work put on the stream so far is done. Throws what failed in it, and launch_error
// while it is captured.
void host_wait(const stream_use& u, const char* doing);

// The same for destructors: waits where that is safe, and never throws.
void host_wait_quietly(const stream_use& u) noexcept;

}  // namespace amphi::detail
