// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "amphi/runtime/limits.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

// The checks that a launch passes on either backend. Each throws launch_error with the kernel, the member of
// the policy, its value, the limit and the cure.

// Members that hold numbers: never zero or negative when set, workers and blocks within reason.
void check_numbers(const std::string& kernel, const policy& p);

// A chosen geometry against a device.
void check_geometry(const std::string& kernel, const device_limits& limits, const extent3& grid,
                    const extent3& block);

// Shared memory of a block: what the kernel declares and what the launch adds.
void check_shared(const std::string& kernel, const device_limits& limits, std::int64_t static_bytes,
                  std::int64_t dynamic_bytes);

// The same when a block on the CPU has met the declaration of `name`, with which its declared shared memory
// is `declared_bytes`.
void check_declared_shared(const std::string& kernel, const device_limits& limits, const char* name,
                           std::int64_t declared_bytes, std::int64_t dynamic_bytes);

// Dynamic shared memory that a policy gives a block of `threads` threads.
std::int64_t dynamic_shared_bytes(const std::string& kernel, const policy& p, std::int64_t threads);

}  // namespace amphi::detail
