// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Seven calls that the floating-point check must find, by line, among others that it must pass over. Not
// compiled.
#include <cmath>

#include "amphi/execution/parallel_for.hpp"

using std::cos;

float on_the_host(float x) { return std::exp(x); }

AMPHI_LAUNCHABLE float declared(float x);
float after_a_declaration(float x) { return std::exp(x); }

AMPHI_LAUNCHABLE float on_one_line(float x) { return std::exp(x); }

AMPHI_LAUNCHABLE void on_several_lines(int n, amphi::policy p = {}, const char* text = "std::exp(") {
  for (int i = 0; i < n; ++i) {
    y[i] = sinf(x[i]) + object.exp(1) + amphi::math::exp(2.0f) + std::sqrt(3.0f); /* std::tan(x) */
    z[i] = ::pow(a[i], 2) * cos(x[i]);
  }                 /* std::tan(x)
                    std::tan(x) */
  q = std::log(x);  // amphi: allow libm
}

void in_a_lambda(int n) {
  amphi::parallel_for(0, n, [=] AMPHI_LAMBDA(int i) { y[i] = std::erf(x[i]); });
  on_the_host(std::exp(2.0f));
}

__global__ void in_a_kernel(float* y, float a) { y[0] = __expf(a) + __fdividef(a, a); }
