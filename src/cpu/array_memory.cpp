// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/array_state.hpp"

namespace amphi::detail {

// Without CUDA an array has one memory, so none of these does anything, or is asked for.

bool pin_memory(void*, std::size_t) noexcept { return false; }
void unpin_memory(void*) noexcept {}
int device_of_memory(const void*) { return -1; }
void device_fill(void*, const void*, std::size_t, std::size_t, stream_view) {}

}  // namespace amphi::detail
