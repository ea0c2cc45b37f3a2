// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "amphi/execution/detail/block_calls.hpp"
#include "amphi/execution/detail/context.hpp"
#include "common/guarded_stack.hpp"
#include "common/machine_context.hpp"

namespace amphi::detail {

// What the C++ runtime keeps per OS thread about exceptions in flight (Itanium C++ ABI, 2.2.2). A barrier
// inside a catch block would mix up the threads' exceptions if it were not part of what is switched.
struct exception_globals {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

// A stack on which threads of a block run, one after another until one is suspended, which keeps it until it
// ends.
struct alignas(64) fiber {
  machine_context context;
  thread_place* thread = nullptr;   // of the suspended thread; it lies on the stack
  bool started = false;             // false: the stack begins anew
  bool checks = true;               // looks, when it goes on, whether its block has failed
  bool threw = false;               // an exception of its own was unwinding it when its block failed
  exception_globals exceptions;     // of the suspended thread; null while it runs
  warp_request* request = nullptr;  // what it waits for; null at a barrier of the block
  // Where it waits: kept for lanes at a warp operation, and for threads at another barrier than the first one
  // that came (`apart` is then the number of the barrier).
  meeting what = meeting::sync;
  std::int32_t line = 0;
  const char* file = nullptr;
  std::int64_t apart = 0;

  void* top = nullptr;  // where the stack begins
  std::uint32_t cancelled_again = 0;
  std::unique_ptr<guarded_stack> stack;  // null: the OS thread's own

  // Sanitizers.
  void* tsan = nullptr;
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

}  // namespace amphi::detail
