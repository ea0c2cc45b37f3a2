// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace amphi::detail {

// A stack for one thread of a block, with memory below it that nobody may touch: a kernel that needs more
// stack ends with a message (kernel, block, thread, size, AMPHI_STACK) instead of writing into its neighbour.
class guarded_stack {
 public:
  // Throws launch_error when the process has all stacks that it can have.
  guarded_stack();
  ~guarded_stack();
  guarded_stack(const guarded_stack&) = delete;
  guarded_stack& operator=(const guarded_stack&) = delete;

  char* low() const { return low_; }
  std::size_t bytes() const { return bytes_; }
  // The part of the stack that is used: `bytes` less a few cache lines, a different number for each stack, so
  // that the tops of many stacks do not compete for the same lines of the cache.
  std::size_t usable_bytes() const { return bytes_ - colour_; }

  // True when the process has so many that idle OS threads should not keep theirs.
  static bool scarce();

  static constexpr int most = 16384;  // of a process; the kernel allows some 32,000 guarded mappings

 private:
  char* low_ = nullptr;
  std::size_t bytes_ = 0, colour_ = 0;
};

// Lets the calling OS thread report a stack overflow of a thread of a block.
void watch_stack_overflow();

}  // namespace amphi::detail
