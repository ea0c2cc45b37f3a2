// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: a constant is a trivial type
#include "amphi/memory/constant.hpp"

struct size {
#ifdef FAIL
  int x = 1;
#else
  int x;
#endif
};
AMPHI_CONSTANT(extent, size[4]);
int first() { return extent[0].x; }
