// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/stream_order.hpp"

#include "common/recording.hpp"

namespace amphi::detail {

struct stream_state {};

stream_use use_of(stream_view s) { return {s, nullptr, 0}; }
bool same_stream(const stream_use& a, const stream_use& b) { return a.stream == b.stream; }
stream_view living_stream(const stream_use& u) { return u.stream; }
bool is_over(const stream_use&) { return true; }
bool is_capturing(stream_view) { return current_recording() != nullptr; }
bool is_capturing(const stream_use&) { return current_recording() != nullptr; }
void order_after(const stream_use&, const stream_use&) {}
void host_wait(const stream_use&, const char*) {}
void host_wait_quietly(const stream_use&) noexcept {}

}  // namespace amphi::detail
