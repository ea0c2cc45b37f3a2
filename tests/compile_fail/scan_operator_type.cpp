// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: the operator of this algorithm gives another type than its accumulator
#include "amphi/algorithm/scan.hpp"

struct truncated {
#ifdef FAIL
  using result = int;
#else
  using result = float;
#endif
  AMPHI_HOST_DEVICE result operator()(float a, float b) const { return static_cast<result>(a + b); }
};

void sums(amphi::view<float> x) { amphi::inclusive_scan(x, x, truncated()); }
