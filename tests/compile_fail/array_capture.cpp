// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (capture_its_view|capture its view)
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"

void fill(amphi::array<float>& x) {
#ifdef FAIL
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { (void)x.size(), (void)i; });
#else
  const amphi::view<float> v = x.write();
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { v[i] = 1; });
#endif
}
