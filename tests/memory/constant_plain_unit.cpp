// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory/constant_units.hpp"

namespace amphi_test {

double host_read_in_plain_unit(int i) { return scale * table[i]; }
void host_write_in_plain_unit(int i, int value) { amphi::copy_to_constant(table, {&value, 1}, i); }

}  // namespace amphi_test
