// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: more than 32764 bytes
#include "amphi/execution/launch.hpp"

struct half_of_the_limit {
  unsigned char bytes[16384];
};

AMPHI_LAUNCHABLE void with_one(half_of_the_limit, int) {}
AMPHI_LAUNCHABLE void with_two(half_of_the_limit, half_of_the_limit) {}

void run() {
  amphi::launch<with_one>(half_of_the_limit{}, 1);
#ifdef FAIL
  amphi::launch<with_two>(half_of_the_limit{}, half_of_the_limit{});
#endif
}
