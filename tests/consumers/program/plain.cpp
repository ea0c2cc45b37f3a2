// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A unit that stays C++ in every build.
#include "amphi/runtime/backend.hpp"

const char* backend_as_told_by_a_plain_unit() { return amphi::name(amphi::backend_in_use()); }
