// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/detail/scan_order.hpp"

// Work of several phases in one launch on the CPU: a phase begins when all tasks of those before it are done.
// Workers take tasks in order, so whoever is waited for is at work, however many workers there are. A task
// must not throw.

namespace amphi::detail {

struct alignas(64) phase_counters {
  unsigned ticket;
  alignas(64) unsigned done;
};

// task(phase, index) for index 0 … tasks − 1 of each phase, by all that call this with the same counters,
// which were zero.
template <class Task>
void run_phases(phase_counters& counters, unsigned phases, unsigned tasks, const Task& task) {
  for (;;) {
    const unsigned t = scan_take(&counters.ticket);
    if (t >= phases * tasks) return;
    const unsigned phase = t / tasks;
    for (int spins = 0; __atomic_load_n(&counters.done, __ATOMIC_ACQUIRE) < phase * tasks; ++spins)
      scan_pause(spins);
    task(phase, t % tasks);
    __atomic_fetch_add(&counters.done, 1u, __ATOMIC_RELEASE);
  }
}

}  // namespace amphi::detail
