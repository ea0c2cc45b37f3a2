// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: the bin of an element is an integer
#include "amphi/algorithm/scatter_add.hpp"

void sums([[maybe_unused]] amphi::view<const int> bins, amphi::view<const float> x, amphi::view<float> out) {
#ifdef FAIL
  amphi::scatter_add(x, x, out);
#else
  amphi::scatter_add(bins, x, out);
#endif
}
