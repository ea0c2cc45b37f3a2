// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A user's program: the unit that launches. Prints what it found and ends with 0 if saxpy was right.
#include <cstdio>
#include <cstring>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"

#if defined(_OPENMP)
#  error "amphi must not bring an OpenMP flag into user code"
#endif
static_assert(AMPHI_BIT_EXACT == 1);

AMPHI_LAUNCHABLE void saxpy(int n, float a, const float* x, float* y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

const char* backend_as_told_by_a_plain_unit();

int main() {
  const int n = 100'000;
  amphi::array<float> x(n), y(n);
  auto hx = x.host_write(), hy = y.host_write();
  for (int i = 0; i < n; ++i) hx[i] = 0.1f * static_cast<float>(i), hy[i] = 1.0f / static_cast<float>(i + 1);
  amphi::launch<saxpy>(n, 3.0f, x.read(), y.read_write());

  const auto result = y.host_read();
  for (int i = 0; i < n; ++i) {
    const float expected = 3.0f * (0.1f * static_cast<float>(i)) + 1.0f / static_cast<float>(i + 1);
    if (std::memcmp(&result[i], &expected, sizeof(float)) != 0) {
      std::printf("element %d is %.9g, not %.9g\n", i, result[i], expected);
      return 1;
    }
  }
  std::printf("consumer: saxpy is right on backend %s\n", backend_as_told_by_a_plain_unit());
}
