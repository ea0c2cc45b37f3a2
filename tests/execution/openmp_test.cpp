// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>

#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "support/paths.hpp"

// A program with OpenMP regions of its own.

using namespace amphi_test;

namespace {

struct add_one {
  unsigned* counts;
  int team;
  int* other_threads;
  AMPHI_HOST_DEVICE void operator()(int i) const {
    ++counts[i];
#if !AMPHI_DEVICE_CODE
    if (omp_get_thread_num() != team) {
#  pragma omp atomic write
      *other_threads = 1;
    }
#endif
  }
};

// Inside an active region a launch runs on the calling thread, whatever its policy says.
TEST(openmp, a_launch_inside_a_region_runs_on_its_thread) {
  constexpr int team = 3, n = 1000;
  for (const path& p : cpu_paths()) {
    SCOPED_TRACE(p.name);
    std::vector<std::vector<unsigned>> counts(team, std::vector<unsigned>(n, 0u));
    int elsewhere[team] = {};
    int threads = 0;
#pragma omp parallel num_threads(team)
    {
      const int me = omp_get_thread_num();
      amphi::parallel_for(p.policy, 0, n,
                          add_one{counts[static_cast<std::size_t>(me)].data(), me, &elsewhere[me]});
#pragma omp atomic
      ++threads;
    }
    for (int t = 0; t < threads; ++t) {
      EXPECT_TRUE(same_bits(counts[static_cast<std::size_t>(t)], std::vector<unsigned>(n, 1u)));
      EXPECT_EQ(elsewhere[t], 0);
    }
  }
}

// A region of one thread is not active: launches in it use the workers.
TEST(openmp, a_launch_inside_a_region_of_one_thread_has_workers) {
  std::vector<unsigned> counts(7, 0u);
  int elsewhere = 0;
#pragma omp parallel num_threads(1)
  amphi::parallel_for({.backend = backend::cpu, .workers = 7}, 0, 7, add_one{counts.data(), 0, &elsewhere});
  EXPECT_TRUE(same_bits(counts, std::vector<unsigned>(7, 1u)));
  EXPECT_EQ(elsewhere, 1);
}

struct count_workers {
  long long* count;
  AMPHI_HOST_DEVICE void operator()() const {
    if (amphi::global_thread_index() == 0) *count = amphi::global_thread_count();
  }
};

TEST(openmp, omp_set_num_threads_holds_for_launches) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(4);
  long long count = 0;
  amphi::launch({.backend = backend::cpu}, count_workers{&count});
  omp_set_num_threads(before);
  EXPECT_EQ(count, 4);
}

}  // namespace
