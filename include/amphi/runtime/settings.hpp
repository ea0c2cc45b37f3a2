// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi {

// The switches that a program's environment sets, as read at the first use of the library.
struct settings {
  amphi::backend backend = amphi::backend::automatic;  // AMPHI_BACKEND=cuda|cpu
  bool serial = false;                                 // AMPHI_SERIAL=1: automatic launches become <<<1,1>>>
  std::int64_t workers = 0;                            // AMPHI_WORKERS=n; 0: what OpenMP says
  thread_order order = thread_order::forward;          // AMPHI_ORDER=forward|reverse|random:SEED
  bool trace = false;                                  // AMPHI_TRACE=1: a line per launch on standard error
  bool profile = false;                                // AMPHI_PROFILE=1: a table at exit on standard error
  bool sync = false;                                   // AMPHI_SYNC=1: synchronise and check every launch
  bool break_set = false;                              // AMPHI_BREAK=BLOCK:THREAD, both linear or x,y,z
  extent3 break_block, break_thread;                   //
  int limits = 90;                                     // AMPHI_LIMITS=sm_75…: limits of launches on the CPU
  int device = -1;                                     // AMPHI_DEVICE=n|local_rank; -1: what CUDA says
  std::int64_t stack_bytes = 0;  // AMPHI_STACK=bytes of a GPU thread on the CPU; 0: default
};

// The settings of this process. Reads the environment at the first call; a value that a switch does not know
// throws amphi::error, which names the switch, the value and the values that it takes.
const settings& current_settings();

namespace detail {

// CPU threads that a launch may ask for. OpenMP's library ends the process when it can't make them, which
// happens with some ten thousand.
inline constexpr std::int64_t most_workers = 4096;

// Parses settings out of `get(name)`, which answers a value or null; what current_settings() does with
// getenv.
settings parse_settings(const char* (*get)(const char* name));

}  // namespace detail
}  // namespace amphi
