// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/fiber.hpp"

// What a barrier_error says.

namespace amphi::detail {

// "block.sync()", as a user writes it.
const char* name_of(meeting what);

// The threads of a block that wait at different places, grouped by place.
std::string describe_divergence(const thread_context& c, std::vector<const fiber*> waiting,
                                std::uint32_t returned);

// `abandoned` threads could not be unwound.
[[noreturn]] void throw_barrier_error(const std::string& text, std::uint32_t abandoned);

// Why the thread form's calls are errors in a kernel in block form, and what takes their place.
inline constexpr const char* block_form_rule =
    "such a kernel is called once per block on the CPU; use for_each_thread, for_each_lane or single, which "
    "synchronise at their end";

// A lane read another one that has no value to give.
[[noreturn]] void throw_bad_lane(const thread_context& c, const fiber& self, const warp_request& r);

}  // namespace amphi::detail
