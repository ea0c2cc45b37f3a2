// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: whose members are F<type>
#include "amphi/core/soa_view.hpp"

template <template <class> class F>
struct particle_fields {
  F<float> mass, charge;
};
#ifdef FAIL
struct particle {
  float mass, charge;
};
#else
using particle = particle_fields<amphi::as_value>;
#endif
float mass(amphi::soa_view<particle> p) { return p[0].mass; }
