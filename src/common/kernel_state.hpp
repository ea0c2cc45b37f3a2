// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "amphi/execution/detail/launch_call.hpp"
#include "amphi/runtime/limits.hpp"
#include "common/kernel_pace.hpp"

namespace amphi::detail {

// What automatic choices and checks of one kernel on one device depend on, and what came out.
struct kernel_choice {
  int device = 0;
  const void* address = nullptr;  // of the kernel, for blocks of the shape that was asked for
  std::int64_t block = 0, shared_bytes = 0, shared_bytes_per_thread = 0, max_block = 0;  // as asked for

  int threads = 0;  // of an automatic block
  int blocks = 0;   // that fill the device
  std::int64_t static_shared = 0;
  int registers = 0;    // of a thread
  int max_threads = 0;  // of a block of this kernel, for its registers
  bool starts_early = false;
  std::int64_t dynamic_shared = 0;
  const device_limits* limits = nullptr;
  const kernel_choice* next = nullptr;

  bool answers(const kernel_choice& q) const {
    return device == q.device && address == q.address && block == q.block && shared_bytes == q.shared_bytes &&
           shared_bytes_per_thread == q.shared_bytes_per_thread && max_block == q.max_block;
  }
};

// What the library remembers of one kernel for the life of the process.
struct kernel_state {
  std::string name;
  kernel_pace pace;                        // on the CPU
  const kernel_choice* choices = nullptr;  // a list that only grows; read without the lock
  std::vector<std::unique_ptr<kernel_choice>> owned;
  std::mutex mutex;  // of `owned` and of growing the list
};

// The state of a kernel, made at its first launch.
kernel_state& state_of(kernel& k);

// The name in a compiler's signature text: what stands behind the last "X = " of the template's arguments.
std::string launchable_name(const char* signature);

}  // namespace amphi::detail
