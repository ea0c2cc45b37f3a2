// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/core/extent.hpp"

namespace amphi::detail {

// memory_error: two columns of a soa have different sizes.
[[noreturn]] void throw_unequal_columns(std::size_t size, std::size_t other);

// bounds_error: a copy would need more room than there is; `what` are the things that are counted.
[[noreturn]] void throw_no_room(const char* what, std::size_t room, std::size_t needed);

// Elements from one row to the next, so that rows start at multiples of 128 bytes.
std::int64_t aligned_pitch(std::int64_t x, std::size_t element_bytes);

// Elements of the rows of an extent, padding included. A negative size, a pitch below the length of a row,
// and more than any memory holds are memory_errors.
std::size_t pitched_count(const extent2& extent, std::int64_t pitch, std::size_t element_bytes);

}  // namespace amphi::detail
