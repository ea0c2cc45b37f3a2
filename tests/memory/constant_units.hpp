// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "amphi/memory/constant.hpp"
#include "amphi/runtime/policy.hpp"

// Constants in a header of three units, each of which has a copy.

namespace amphi_test {

AMPHI_CONSTANT(table, int[100]);
AMPHI_CONSTANT(scale, double);

// What a launch by this unit reads: scale * table[i] for all i.
std::vector<double> read_in_unit_b(const amphi::policy& p);
std::vector<double> read_in_unit_c(const amphi::policy& p);
// On the host, by a unit that is always plain C++.
double host_read_in_plain_unit(int i);
void host_write_in_plain_unit(int i, int value);

}  // namespace amphi_test
