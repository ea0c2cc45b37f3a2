// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (capture_its_view|capture its view)
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/soa.hpp"

template <template <class> class F>
struct particle_fields {
  F<float> mass, charge;
};
using particle = particle_fields<amphi::as_value>;

void fill(amphi::soa<particle>& p) {
#ifdef FAIL
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { (void)p.size(), (void)i; });
#else
  const amphi::soa_view<particle> v = p.write();
  amphi::parallel_for(0, 10, [=] AMPHI_LAMBDA(int i) { v[i] = particle{1, 2}; });
#endif
}
