// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/memory.hpp"

#include "common/device.hpp"

namespace amphi {

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
