// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: each member of a struct of fields must be an F<type>
#include "amphi/core/soa_view.hpp"

template <template <class> class F>
struct particle_fields {
  F<float> mass;
#ifdef FAIL
  float charge;
#else
  F<float> charge;
#endif
};
using particle = particle_fields<amphi::as_value>;
float mass(amphi::soa_view<particle> p) { return p[0].mass; }
