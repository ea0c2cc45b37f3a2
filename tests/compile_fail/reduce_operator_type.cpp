// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: amphi: the operator of this algorithm gives another type
#include <vector>

#include "amphi/algorithm/reduce.hpp"

struct sum {
#ifdef FAIL
  AMPHI_HOST_DEVICE double operator()(float a, float b) const { return static_cast<double>(a) + b; }
#else
  AMPHI_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
#endif
};
float add(const std::vector<float>& x) { return amphi::reduce(x, 0.0f, sum()); }
