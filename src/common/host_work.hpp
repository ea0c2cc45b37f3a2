// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

// Work on host memory by all workers, each on the chunk that grid_stride_range gives it, so that memory lies
// near the worker that will use it.

namespace amphi::detail {

// Makes the pages of fresh memory real; their bytes are undefined afterwards.
void host_touch(void* memory, std::size_t element_bytes, std::size_t count);

// Writes `count` copies of one element.
void host_fill(void* memory, const void* element, std::size_t element_bytes, std::size_t count);

void host_copy(void* to, const void* from, std::size_t bytes);

}  // namespace amphi::detail
