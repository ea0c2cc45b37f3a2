// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "amphi/core/detail/device_failure.hpp"

// What is known about failures that show up later than they happen.

namespace amphi::detail {

// Where code on this device, the current one, notes its first failed check.
failure_channel device_failure_channel(int device);

// The records of all devices, at the same address for host and devices; none when nothing has asked for a
// channel yet.
std::span<failure_record> device_failure_records() noexcept;

// Throws bounds_error if device code has recorded a failed check, and makes its record free again. `doing` is
// what the caller was doing: "synchronising a stream".
void throw_pending_failures(const char* doing);

// Remembers that a kernel was put on a GPU; the name must live as long as the program.
void note_launch(const char* kernel) noexcept;

// "; launched since the last synchronisation: saxpy, tile_sum (3 launches)", or nothing.
std::string launches_since_synchronisation();

// After a synchronisation that found nothing.
void forget_launches() noexcept;

// "amphi::histogram: the bin of element 5 is 99, …", with the cure.
std::string bad_bin_text(const char* algorithm, std::int64_t element, std::int64_t bin,
                         std::int64_t bin_count);
// The same for a segment of n elements that has bad offsets.
std::string bad_segment_text(std::int64_t index, std::int64_t first, std::int64_t last, std::int64_t n);

// "in kernel saxpy, block (3, 0, 0), thread (1, 0, 0)" while the calling thread plays a GPU thread, else
// nothing.
std::string place_in_launch();

}  // namespace amphi::detail
