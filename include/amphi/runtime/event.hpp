// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

#include "amphi/runtime/stream.hpp"

struct CUevent_st;  // what a cudaEvent_t points to

namespace amphi {

// A point in the work of a stream, made by stream.record(). On the CPU, where work is done when its launch
// returns, it is a point in time. A default-made event is reached already.
class event {
 public:
  event() = default;
  ~event();
  event(event&& other) noexcept;
  event& operator=(event&& other) noexcept;
  event(const event&) = delete;  // two owners would destroy one event twice
  event& operator=(const event&) = delete;

  // Has everything before the event been done? Does not block.
  bool ready() const;
  // Blocks the host until it has. Throws what failed before it.
  void synchronize() const;

  // The CUDA handle; null on the CPU.
  CUevent_st* native() const { return handle_; }

 private:
  friend class stream_view;
  friend std::chrono::duration<double, std::milli> elapsed(const event& first, const event& second);

  CUevent_st* handle_ = nullptr;
  std::int64_t nanoseconds_ = 0;  // of the steady clock, on the CPU
};

// Time between two events of one device, as the device measured it (CUDA resolves about half a microsecond).
// Waits for both.
std::chrono::duration<double, std::milli> elapsed(const event& first, const event& second);

}  // namespace amphi
