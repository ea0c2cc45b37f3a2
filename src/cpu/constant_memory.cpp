// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/constant_memory.hpp"

namespace amphi::detail {

void write_symbol(const void*, const char*, const void*, std::size_t, std::size_t, stream_view) {}

}  // namespace amphi::detail
