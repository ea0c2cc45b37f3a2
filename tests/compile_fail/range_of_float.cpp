// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (no matching function|no instance of)
#include "amphi/execution/grid_stride_range.hpp"

float sum() {
  float total = 0;
#ifdef FAIL
  for (auto i : amphi::grid_stride_range(0, 10.0f)) total += i;
#else
  for (auto i : amphi::grid_stride_range(0, 10)) total += static_cast<float>(i);
#endif
  return total;
}
