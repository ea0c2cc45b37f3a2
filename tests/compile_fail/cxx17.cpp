// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: amphi needs C\+\+20
// fail-flags: -std=c++17
#include "amphi/config/config.hpp"
