// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "amphi/config/config.hpp"

namespace amphi::detail {

// A clock that takes some ten nanoseconds to read: of the processor where it has one. Its ticks are 0.25 to
// 1 ns.
inline std::int64_t ticks_now() {
#if defined(__x86_64__)
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

// How long a core takes for an item of a kernel, as its launches found: quick to learn that one takes long,
// slow to forget it. Unknown is for ever.
class kernel_pace {
 public:
  double expected_ticks(std::int64_t items) const {
    return static_cast<double>(each_.load(std::memory_order_relaxed)) * static_cast<double>(items);
  }

  void note(std::int64_t ticks, double items) {
    const float now = static_cast<float>(static_cast<double>(ticks < 0 ? 0 : ticks) / items);
    const float known = each_.load(std::memory_order_relaxed);
    const float kept = known < std::numeric_limits<float>::max() ? known * 0.875f : now;
    each_.store(now > kept ? now : kept, std::memory_order_relaxed);
  }

 private:
  std::atomic<float> each_{std::numeric_limits<float>::max()};
};

// Ticks that a region of so many workers takes before and after their work (measured: 1.6 µs for 2, 4.6 µs
// for 16 on a processor of 2.5 ticks a ns). Work that takes a core less than half of that is not shared.
constexpr double ticks_of_region(std::int64_t workers) {
  return 2500.0 + 500.0 * static_cast<double>(workers);
}

}  // namespace amphi::detail
