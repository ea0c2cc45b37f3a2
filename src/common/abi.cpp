// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/config/abi.hpp"

// What every unit refers to; its name says which backend and checks this library was built for.
extern "C" const char AMPHI_DETAIL_ABI = 0;
