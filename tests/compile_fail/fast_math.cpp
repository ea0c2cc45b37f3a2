// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: -ffast-math .* breaks the promise of equal bits
// fail-flags: -ffast-math
#include "amphi/config/config.hpp"
