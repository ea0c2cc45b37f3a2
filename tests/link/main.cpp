// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/config/abi.hpp"

int main() { return 0; }
