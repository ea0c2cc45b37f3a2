// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/runtime/device.hpp"

// The host as a device and as a place for memory; the same in both builds.

namespace amphi::detail {

// The CPU, its memory, and the limits that AMPHI_LIMITS chose.
device_properties host_properties();

// Memory that the system could still hand out.
std::size_t host_bytes_left();

// Pageable host memory whose pages nobody has touched; large blocks may get huge pages. Throws memory_error.
void* allocate_host(std::size_t bytes, std::size_t alignment = 64);
void deallocate_host(void* memory) noexcept;

// memory_error if the memory that copy_bytes or fill_bytes, named by `call`, was given is none.
void require_memory(const char* call, const void* memory, std::size_t bytes);

[[noreturn]] void throw_out_of_memory(std::size_t bytes, const char* space, std::size_t left);

}  // namespace amphi::detail
