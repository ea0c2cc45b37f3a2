// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Does my kernel give the same bits however it is launched? This program asks verify about two ways to
// compute the mean energy of some particles. The first one adds in an order that depends on the number of
// threads, which verify shows; the second leaves the sum to amphi::reduce.
#include <cstdlib>
#include <iostream>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/verify/verify.hpp"

AMPHI_HOST_DEVICE inline float energy(float mass, float speed) { return 0.5f * mass * speed * speed; }

// Each thread adds up what it visits. How many there are, and so what each one adds, depends on the launch.
AMPHI_LAUNCHABLE void add_per_thread(int n, const float* mass, const float* speed, float* sums) {
  float sum = 0;
  for (auto i : amphi::grid_stride_range(0, n)) sum += energy(mass[i], speed[i]);
  sums[amphi::global_thread_index()] = sum;
}

struct energy_of {
  const float* mass;
  const float* speed;
  AMPHI_HOST_DEVICE float operator()(int i) const { return energy(mass[i], speed[i]); }
};

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  const int most_threads = 1 << 20;
  amphi::array<float> mass(n), speed(n);
  {
    const auto m = mass.host_write();
    const auto s = speed.host_write();
    for (int i = 0; i < n; ++i) {
      m[i] = 1.0f + 0.001f * static_cast<float>(i % 1000);
      s[i] = 300.0f / static_cast<float>(i % 77 + 1);
    }
  }

  const auto by_thread = amphi::verify([&](const amphi::policy& p) {
    amphi::array<float> sums(most_threads, 0.0f);
    amphi::launch<add_per_thread>(p, n, mass.read(p), speed.read(p), sums.read_write(p));
    float total = 0;
    for (const float s : sums.host_read()) total += s;
    return total / static_cast<float>(n);
  });
  std::cout << "Sums per thread:\n" << by_thread;

  const auto by_reduce = amphi::verify([&](const amphi::policy& p) {
    const energy_of f{mass.read(p), speed.read(p)};
    return amphi::reduce(p, amphi::index_range(0, n), 0.0f, amphi::plus{}, f) / static_cast<float>(n);
  });
  std::cout << "\namphi::reduce:\n" << by_reduce;

  const bool as_expected = !by_thread.identical() && by_reduce.identical();
  std::cout << (as_expected ? "\nverify found the kernel whose result depends on its launch.\n"
                            : "\nUnexpected: see the tables above.\n");
  return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
