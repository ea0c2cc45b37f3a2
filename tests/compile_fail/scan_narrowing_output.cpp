// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: the output of this scan can't hold
#include "amphi/algorithm/scan.hpp"

#ifdef FAIL
using element = float;
#else
using element = double;
#endif

void sums(amphi::view<const double> x, amphi::view<element> y) { amphi::inclusive_scan(x, y); }
