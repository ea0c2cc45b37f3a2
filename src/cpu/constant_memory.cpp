// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/constant_memory.hpp"

#include "common/recording.hpp"

namespace amphi::detail {

void write_symbol(const void*, const char*, const void*, std::size_t, std::size_t, stream_view) {}
bool is_captured(stream_view) { return current_recording() != nullptr; }

}  // namespace amphi::detail
