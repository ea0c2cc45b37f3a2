// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/memory.hpp"

#include <string>

#include "amphi/core/error.hpp"
#include "common/device.hpp"
#include "common/host.hpp"

namespace amphi {

void detail::require_memory(const char* call, const void* memory, std::size_t bytes) {
  if (memory == nullptr)
    throw memory_error(std::string(call) + " of " + std::to_string(bytes) +
                       " bytes was given a null pointer; give it memory of as many bytes");
}

const char* name(memory_space space) {
  switch (space) {
    case memory_space::device:
      return "device";
    case memory_space::pinned:
      return "pinned";
    case memory_space::pageable:
      return "pageable";
    case memory_space::managed:
      break;
  }
  return "managed";
}

void* allocate(std::size_t bytes, memory_space space, stream_view stream) {
  const detail::device_guard on(detail::device_of(stream));
  return allocate(bytes, space);
}

}  // namespace amphi
