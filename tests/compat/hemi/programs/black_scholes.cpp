// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Hemi 1: prices of European options by a portable kernel, with a geometry that the host is free to ignore.
// Source of the formula: F. Black, M. Scholes, "The pricing of options and corporate liabilities" (1973); put
// and call of one option must differ by S − X exp(−R T).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

#include "hemi/array.h"
#include "hemi/hemi.h"

HEMI_DEFINE_CONSTANT(float riskFree, 0.02f);
HEMI_DEFINE_STATIC_CONSTANT(float volatility, 0.30f);

HEMI_DEV_CALLABLE_INLINE
float normalCdf(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

struct Option {
  float price, strike, years;

  HEMI_DEV_CALLABLE_INLINE_MEMBER
  float discounted(float rate) const { return strike * expf(-rate * years); }

  HEMI_DEV_CALLABLE_MEMBER
  float d1(float rate, float sigma) const;
};

HEMI_DEV_CALLABLE
float Option::d1(float rate, float sigma) const {
  return (logf(price / strike) + (rate + 0.5f * sigma * sigma) * years) / (sigma * sqrtf(years));
}

HEMI_KERNEL(blackScholes)(float* call, float* put, const Option* options, int n) {
  const int offset = hemiGetElementOffset();
  const int stride = hemiGetElementStride();
  const float rate = HEMI_CONSTANT(riskFree), sigma = HEMI_CONSTANT(volatility);
  for (int i = offset; i < n; i += stride) {
    const Option o = options[i];
    const float d1 = o.d1(rate, sigma), d2 = d1 - sigma * sqrtf(o.years);
    call[i] = o.price * normalCdf(d1) - o.discounted(rate) * normalCdf(d2);
    put[i] = o.discounted(rate) * normalCdf(-d2) - o.price * normalCdf(-d1);
  }
}

static float between(float low, float high) {
  const float t = (float)rand() / (float)RAND_MAX;
  return (1.0f - t) * low + t * high;
}

int main() {
  const int n = 200000;
  hemi::Array<Option> options(n, true);
  hemi::Array<float> calls(n, true), puts(n, true);
  srand(5347);
  Option* o = options.writeOnlyHostPtr();
  for (int i = 0; i < n; ++i) o[i] = {between(5, 30), between(1, 100), between(0.25f, 10)};

  int blockDim = 128;
  int gridDim = std::min(1024, (n + blockDim - 1) / blockDim);
  HEMI_KERNEL_LAUNCH(blackScholes, gridDim, blockDim, 0, 0, calls.writeOnlyPtr(), puts.writeOnlyPtr(),
                     options.readOnlyPtr(), n);

  const float *call = calls.readOnlyHostPtr(), *put = puts.readOnlyHostPtr();
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double parity = o[i].price - o[i].strike * exp(-0.02 * o[i].years);
    worst = std::max(worst, fabs(call[i] - put[i] - parity));
    if (!(call[i] >= -1e-4f) || !(call[i] <= o[i].price)) return printf("bad call %g at %d\n", call[i], i), 1;
  }
  printf("%s: %d options, put-call parity to %g\n", HEMI_LOC_STRING, n, worst);
  return worst < 1e-4 ? 0 : 1;
}
