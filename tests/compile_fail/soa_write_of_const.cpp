// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (assign|read-only|operator=)
#include "amphi/core/soa_view.hpp"

template <template <class> class F>
struct particle_fields {
  F<float> mass, charge;
};
using particle = particle_fields<amphi::as_value>;
#ifdef FAIL
void write(amphi::soa_view<const particle> p) { p[0] = particle{1, 2}; }
#else
void write(amphi::soa_view<particle> p) { p[0] = particle{1, 2}; }
#endif
