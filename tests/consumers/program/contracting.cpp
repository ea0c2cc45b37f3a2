// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Part of a target that gave up the promise of equal bits for itself.
#include "amphi/config/config.hpp"

static_assert(AMPHI_BIT_EXACT == 0);
