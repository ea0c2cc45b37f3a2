// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/host_work.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "amphi/execution/detail/share.hpp"
#include "common/cpu_launch.hpp"

namespace amphi::detail {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t worth_sharing = std::size_t{1} << 20;  // bytes; below, waking workers costs more

// Calls body(offset, count) for the caller's chunk of `count` items, on each worker.
template <class Body>
void for_chunks(std::size_t count, std::size_t bytes, const Body& body) {
  if (bytes < worth_sharing || !may_use_workers()) {
    body(std::size_t{0}, count);
    return;
  }
  const auto chunk = [&] {
    const share s = grid_share(count);
    if (s.offset < s.end)
      body(static_cast<std::size_t>(s.offset), static_cast<std::size_t>(s.end - s.offset));
  };
  cpu_plan plan;
  plan.chunked = true;
  plan.workers = available_workers();
  plan.kernel = "amphi host memory";
  plan.run = &run_threads<const decltype(chunk)>;
  plan.body = const_cast<void*>(static_cast<const void*>(&chunk));
  cpu_launch(plan);
}

}  // namespace

void host_touch(void* memory, std::size_t element_bytes, std::size_t count) {
  const std::size_t bytes = element_bytes * count;
  if (bytes < worth_sharing) return;
  for_chunks(count, bytes, [&](std::size_t first, std::size_t n) {
    char* const begin = static_cast<char*>(memory) + first * element_bytes;
    char* const end = begin + n * element_bytes;
    for (char* p = begin; p < end; p += page) *static_cast<volatile char*>(p) = 0;
  });
}

void host_fill(void* memory, const void* element, std::size_t element_bytes, std::size_t count) {
  for_chunks(count, element_bytes * count, [&](std::size_t first, std::size_t n) {
    char* const begin = static_cast<char*>(memory) + first * element_bytes;
    const std::size_t bytes = n * element_bytes;
    if (n == 0) return;
    // Grow a block of copies up to a page or so, then repeat it from cache.
    std::memcpy(begin, element, element_bytes);
    const std::size_t most = std::max(element_bytes, page / element_bytes * element_bytes);
    for (std::size_t done = element_bytes; done < bytes;) {
      const std::size_t step = std::min({done, most, bytes - done});
      std::memcpy(begin + done, begin, step);
      done += step;
    }
  });
}

void host_copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0 || to == from) return;
  for_chunks(bytes, bytes, [&](std::size_t first, std::size_t n) {
    std::memmove(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, n);
  });
}

}  // namespace amphi::detail
