// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/event.hpp"
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

// A kernel between launches of another stream and of its own waits for both.
namespace {

AMPHI_LAUNCHABLE void slow_fill(int count, int* x, int value) {
  for (auto i : amphi::grid_stride_range(0, count)) {
    auto number = static_cast<unsigned>(i);
    for (int k = 0; k < 20000; ++k) number = number * 1664525u + 1013904223u;
    if (value < 0 && number == 1) return;  // never: but the compiler must keep the loop
    x[i] = value;
  }
}
AMPHI_LAUNCHABLE void add_both(int count, const int* a, const int* b, int* out) {
  for (auto i : amphi::grid_stride_range(0, count)) out[i] = a[count - 1 - i] + b[count - 1 - i];
}

// On `one` there is quick work, on `other` slow work that begins behind it, and then work that needs both.
void fork_and_join(const amphi::stream& one, const amphi::stream& other, int count, int* a, int* b, int* out,
                   int value) {
  const amphi::policy quick{.stream = one}, slow{.stream = other};
  amphi::launch<slow_fill>(quick, 1, a, 0);
  other.wait(one.record());
  amphi::launch<slow_fill>(slow, count, b, value);
  amphi::parallel_for<increment_at>(quick, 0, count, a, 1);
  one.wait(other.record());
  amphi::launch<add_both>(quick, count, a, b, out);
  amphi::parallel_for<increment_at>(quick, 0, count, out, 1000);
  other.wait(one.record());
}

void forks_and_joins(bool in_graph) {
  constexpr int count = 500;
  const amphi::stream one, other;
  shared_data<int> a(count, 0), b(count, 0), out(count, 0);
  for (int value = 1; value <= 5; ++value) {
    std::fill(a.data(), a.data() + count, 7);
    std::fill(b.data(), b.data() + count, -1);
    const auto work = [&] { fork_and_join(one, other, count, a.data(), b.data(), out.data(), value); };
    if (in_graph) {
      one.capture([&] {
           work();
           one.wait(other.record());
         })
          .replay();
    } else {
      work();
    }
    std::vector<int> expected(count, 8 + value + 1000);
    expected[count - 1] = 0 + 1 + value + 1000;  // a's first element was made 0
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

}  // namespace

TEST(launch_order, streams_wait_for_each_other) { forks_and_joins(false); }
TEST(launch_order, branches_of_a_graph_wait_for_each_other) { forks_and_joins(true); }
