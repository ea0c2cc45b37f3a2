// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Does not include <cstdint>.
inline std::uint64_t twice(std::uint64_t x) { return 2 * x; }
