// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/core/detail/checked_index.hpp"

// Lets amphi::shared_conflicts() see the elements of shared memory that checked CPU builds index. Builds
// without checks see none of this.

namespace amphi::detail {

#if AMPHI_CHECKED
extern bool shared_accesses_watched;

inline bool watching_shared_accesses() { return __atomic_load_n(&shared_accesses_watched, __ATOMIC_RELAXED); }

// The thread that the caller plays reads or writes `bytes` bytes; nothing happens when they are not shared.
void note_shared_access(const void* address, std::size_t bytes, const char* file, int line);

// In a phase of the block form: whose turn it is, and that all have had theirs.
void note_phase_thread(std::uint32_t thread);
void note_phase_end();
#else
constexpr bool watching_shared_accesses() { return false; }
constexpr void note_phase_thread(std::uint32_t) {}
constexpr void note_phase_end() {}
#endif

#if AMPHI_CHECKED
// How much of an element one instruction can load: words of 4, 8 or 16 bytes, where they are aligned so; of
// another struct, one word after another.
template <class T>
inline constexpr std::size_t access_bytes = (sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) >= sizeof(T)
                                                ? sizeof(T)
                                                : (sizeof(T) < 4 ? sizeof(T) : 4);

template <class T>
AMPHI_HOST_DEVICE constexpr void watch_access([[maybe_unused]] const T& element,
                                              [[maybe_unused]] const checked_index& i) {
#  if !AMPHI_DEVICE_CODE
  if (!std::is_constant_evaluated() && watching_shared_accesses())
    note_shared_access(&element, access_bytes<T>, i.file, i.line);
#  endif
}
#endif

}  // namespace amphi::detail
