// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

// What the block engine tells the sanitizers. The files of the engine are never instrumented themselves, so
// they ask at run time whether the program is: the calls are weak, and null without a sanitizer.

extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t size);
}

namespace amphi::detail {

inline bool under_tsan() { return &__tsan_create_fiber != nullptr; }
inline bool under_asan() { return &__asan_unpoison_memory_region != nullptr; }

// What happened before a publish() is seen after an observe() of the same address.
inline void tsan_publish(void* address) {
  if (under_tsan()) __tsan_release(address);
}
inline void tsan_observe(void* address) {
  if (under_tsan()) __tsan_acquire(address);
}

}  // namespace amphi::detail
