// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/runtime/launch_observer.hpp"

namespace amphi::detail {

// Does anybody look at launches: an observer of the user's, AMPHI_TRACE or AMPHI_PROFILE?
bool launches_observed();

// Must launches be timed for them?
bool launches_measured();

// Hands one record to everybody who looks.
void observe(const launch_record& record);

}  // namespace amphi::detail
