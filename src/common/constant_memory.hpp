// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// Writes a part of a symbol of device code on every device (src/cpu/constant_memory.cpp,
// src/cuda/constant_memory.cpp). `name` is for messages.
void write_symbol(const void* symbol, const char* name, const void* from, std::size_t bytes,
                  std::size_t offset, stream_view stream);

}  // namespace amphi::detail
