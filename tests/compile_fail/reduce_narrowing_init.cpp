// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: the init of this algorithm narrows the elements
#include "amphi/algorithm/reduce.hpp"

double sum(amphi::view<const double> x) {
#ifdef FAIL
  return amphi::reduce(x, 0, amphi::plus{});
#else
  return amphi::reduce(x, 0.0, amphi::plus{});
#endif
}
