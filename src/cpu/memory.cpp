// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/memory.hpp"

#include "common/host.hpp"
#include "common/recording.hpp"

namespace amphi {

void* allocate(std::size_t bytes, memory_space) { return detail::allocate_host(bytes); }

void deallocate(void* memory, memory_space) noexcept { detail::deallocate_host(memory); }

void copy_bytes(void* to, const void* from, std::size_t bytes, stream_view) {
  if (bytes == 0) return;
  detail::require_memory("copy_bytes", to, bytes);
  detail::require_memory("copy_bytes", from, bytes);
  detail::copy_host(to, from, bytes);
}

void fill_bytes(void* to, unsigned char value, std::size_t bytes, stream_view) {
  if (bytes == 0) return;
  detail::require_memory("fill_bytes", to, bytes);
  detail::fill_host(to, value, bytes);
}

}  // namespace amphi
