// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

// Does not compile where min is a macro.
inline int least() { return std::numeric_limits<int>::min(); }
