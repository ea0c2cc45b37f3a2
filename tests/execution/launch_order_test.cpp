// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"

// Launches of one stream see all that those before them wrote, and write nothing that those still read, also
// where a GPU starts a kernel while the one before it ends.

namespace {

using namespace amphi_test;

// Everything comes from another block's elements; the last blocks take longest.
AMPHI_LAUNCHABLE void reverse_and_add(int n, const int* in, int* out, int step) {
  for (auto i : amphi::grid_stride_range(0, n)) {
    const int v = in[n - 1 - i];
    auto number = static_cast<unsigned>(v);
    for (int k = 0; k < (i > n - 2000 ? 300 : 0); ++k) number = number * 1664525u + 1013904223u;
    if (step < 0 && number == 1) return;  // never: but the compiler must keep the loop
    out[i] = v + step;
  }
}
// In place: each element is read by the launch before, in another block.
AMPHI_LAUNCHABLE void increment_at(int i, int* x, int by) { x[i] += by; }

constexpr int n = 150000, rounds = 60;

void chain(const amphi::policy& p, int* a, int* b) {
  const int sizes[] = {32, 1024, 96, 256};
  for (int r = 0; r < rounds; ++r) {
    amphi::policy q = p;
    if (r % 3 != 0) q.block = sizes[r % 4];
    if (r % 5 == 1) q.grid = 7;
    amphi::launch<reverse_and_add>(q, n, a, b, r);
    amphi::parallel_for<increment_at>(p, 0, n, b, 2);
    if (r % 7 == 3) amphi::launch<reverse_and_add>(p, 1, b + 5, b + 5, 0);  // one block among large ones
    std::swap(a, b);
  }
}

// By hand: each round turns the order round and adds r + 2, and now and then 0 to one element.
std::vector<int> expected() {
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 0);
  for (int r = 0; r < rounds; ++r) {
    std::vector<int> y(n);
    for (int i = 0; i < n; ++i)
      y[static_cast<std::size_t>(i)] = x[static_cast<std::size_t>(n - 1 - i)] + r + 2;
    x = y;
  }
  return x;
}

template <class Run>
void check(const Run& run) {
  shared_data<int> a(n), b(n, -1);
  std::iota(a.data(), a.data() + n, 0);
  run(a.data(), b.data());
  EXPECT_TRUE(same_bits(rounds % 2 == 0 ? a.on_host() : b.on_host(), expected()));
}

}  // namespace

TEST(launch_order, chains_in_the_default_stream) {
  for (int repeat = 0; repeat < 3; ++repeat) check([](int* a, int* b) { chain({}, a, b); });
}

TEST(launch_order, chains_in_a_stream) {
  const amphi::stream s;
  for (int repeat = 0; repeat < 3; ++repeat) check([&](int* a, int* b) { chain({.stream = s}, a, b); });
}

TEST(launch_order, chains_in_a_graph) {
  const amphi::stream s;
  for (int repeat = 0; repeat < 3; ++repeat)
    check([&](int* a, int* b) {
      const amphi::graph g = s.capture([&] { chain({.stream = s}, a, b); });
      g.replay();
      s.synchronize();
    });
}
