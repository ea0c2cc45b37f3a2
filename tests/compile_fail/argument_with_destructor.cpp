// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: polymorphic or not trivially copyable
#include <string>

#include "amphi/execution/launch.hpp"

#ifdef FAIL
using text = std::string;
#else
using text = const char*;
#endif

AMPHI_LAUNCHABLE void print(text) {}

void run() { amphi::launch<print>("hello"); }
