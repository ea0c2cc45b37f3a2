// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/runtime/device.hpp"
#include "amphi/tune/tune.hpp"

// The parts that tune() is made of.

namespace amphi::detail {

// Of the device that a launch with this policy would run on.
device_properties properties_of_policy(const policy& p);

// Throws memory_error when the tuning file could not be written later. Gives the report the winner that the
// file has for its kernel and device, if that is one of the candidates; else says why it has to be measured.
bool recall(tune_report& report, const std::vector<tune_candidate>& candidates, const tune_options& options);

// Adds the winner of the report to the file, or says why there is none.
void keep(tune_report& report, const tune_options& options);

}  // namespace amphi::detail
