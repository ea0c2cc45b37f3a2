// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: has init changed places with the operator
#include "amphi/algorithm/scan.hpp"

void offsets(amphi::view<const int> counts, amphi::view<int> out) {
#ifdef FAIL
  amphi::exclusive_scan(counts, out, amphi::plus{}, 0);
#else
  amphi::exclusive_scan(counts, out, 0, amphi::plus{});
#endif
}
