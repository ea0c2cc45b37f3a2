// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/texture_state.hpp"

namespace amphi::detail {

// Without CUDA all memory is the host's, and nobody asks for the rest.

bool is_device_memory(const void*) { return false; }
void* make_texture_array(const host_texture&) { return nullptr; }
unsigned long long make_texture_object(void*, const host_texture&) { return 0; }
void end_texture(void*, unsigned long long) noexcept {}
void fill_texture_array(void*, std::int64_t, std::size_t, const texel_memory&, stream_view) {}
void read_texture_array(void*, std::int64_t, std::size_t, const texel_memory&, stream_view) {}

}  // namespace amphi::detail
