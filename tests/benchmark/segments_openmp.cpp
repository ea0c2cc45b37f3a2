// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "segments_baseline.hpp"

namespace baseline {

void omp_segment_sums(const float* x, const std::int64_t* offsets, std::int64_t segments, float* out) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::int64_t s = 0; s < segments; ++s) {
    float sum = 0;
    const std::int64_t end = offsets[s + 1];
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = offsets[s]; i < end; ++i) sum += x[i];
    out[s] = sum;
  }
}

void omp_transpose(const float* in, std::int64_t nx, std::int64_t ny, float* out) {
#pragma omp parallel for collapse(2)
  for (std::int64_t x0 = 0; x0 < nx; x0 += 32)
    for (std::int64_t y0 = 0; y0 < ny; y0 += 32)
      for (std::int64_t x = x0; x < std::min(nx, x0 + 32); ++x)
        for (std::int64_t y = y0; y < std::min(ny, y0 + 32); ++y) out[x * ny + y] = in[y * nx + x];
}

}  // namespace baseline
