// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace amphi_test {

// How often this program has asked the C library for memory, in all threads, its libraries included.
bool counts_allocations();
std::int64_t allocations();

}  // namespace amphi_test
