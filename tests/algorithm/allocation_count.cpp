// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm/allocation_count.hpp"

#include <atomic>
#include <cstddef>

#include "amphi/config/config.hpp"

// The C library lets a program bring its own malloc; this one counts and hands on. Sanitizers bring theirs.
#if defined(__GLIBC__) && !AMPHI_TSAN && !AMPHI_ASAN
#  define AMPHI_TEST_COUNTS 1
#else
#  define AMPHI_TEST_COUNTS 0
#endif

namespace amphi_test {
namespace {
std::atomic<std::int64_t> calls{0};
}

bool counts_allocations() { return AMPHI_TEST_COUNTS != 0; }
std::int64_t allocations() { return calls; }

}  // namespace amphi_test

#if AMPHI_TEST_COUNTS
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) {
  ++amphi_test::calls;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  ++amphi_test::calls;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  ++amphi_test::calls;
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++amphi_test::calls;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  ++amphi_test::calls;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? 12 : 0;  // ENOMEM
}
}
#endif
