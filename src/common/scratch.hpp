// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// Scratch on the device of a stream, held by one call of an algorithm at a time.
struct device_scratch {
  void* data = nullptr;
  void* zeroed = nullptr;
  void* result = nullptr;  // pinned host memory
  void* lease = nullptr;
};

struct device_room {
  int multiprocessors = 0;
  std::int64_t shared_bytes = 0;  // that a block may have
};

// Of the stream's device.
device_room room_of(stream_view s);

// Waits while another host thread holds the stream's scratch. src/cuda does it; src/cpu is never asked.
device_scratch lease_device_scratch(stream_view s, std::size_t bytes, std::size_t zeroed, std::size_t result);
void end_lease(void* lease, stream_view s) noexcept;

}  // namespace amphi::detail
