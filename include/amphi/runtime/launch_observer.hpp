// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/extent.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/stream.hpp"

namespace amphi {

// One launch, as an observer sees it.
struct launch_record {
  const char* kernel = "";  // name of the function or type of the body
  amphi::backend backend = amphi::backend::cpu;
  extent3 grid, block;  // an automatic launch on the CPU: workers × 1; a library's kernels: 0 × 0 × 0
  std::int64_t shared_bytes = 0;  // dynamic shared memory of a block
  int device = -1;                // of a GPU launch
  stream_view stream;
  bool finished = false;            // false: about to start; true: the launch call is over
  double milliseconds = -1;         // when finished and measured: time of the work; else −1
  int registers = 0;                // of a thread on a GPU
  std::int64_t declared_bytes = 0;  // of shared memory that the kernel declares; of a GPU launch
};

// Called on the launching thread, before and after each launch. It must not launch and must not throw.
using launch_observer = void (*)(const launch_record& record, void* user);

// Makes `observer` (null: nobody) see every launch of the process from now on, and passes `user` to it. With
// `measure`, each launch is timed, for which the host waits until the work is done, as AMPHI_TRACE=1 and
// AMPHI_PROFILE=1 do; else only launches on the CPU, which always wait, have a time.
void set_launch_observer(launch_observer observer, void* user = nullptr, bool measure = false);

}  // namespace amphi
