// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The block engine of the CPU: time per thread, barrier and core of a tree sum, kernels without barriers
// against loops over blocks and threads, and the block form against the plain loop. One worker, so that a
// core is what is measured.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"

namespace {

int repetitions = 21;

AMPHI_LAUNCHABLE void thread_tree(const float* x, float* out) {
  AMPHI_SHARED(s, float[1024]);
  const auto block = amphi::this_block();
  const int t = static_cast<int>(amphi::thread_index().x), n = static_cast<int>(amphi::block_extent().x);
  s[t] = x[static_cast<int>(amphi::block_index().x) * n + t];
  block.sync();
  for (int d = n / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}

AMPHI_LAUNCHABLE void block_tree(amphi::block block, const float* x, float* out) {
  AMPHI_SHARED(s, float[1024]);
  const int n = block.size(), first = static_cast<int>(block.index().x) * n;
  block.for_each_thread([&](int t) { s[t] = x[first + t]; });
  for (int d = n / 2; d > 0; d /= 2)
    block.for_each_thread([&](int t) {
      if (t < d) s[t] += s[t + d];
    });
  block.single([&] { out[block.index().x] = s[0]; });
}

// What one would write for a CPU.
void loop_tree(int blocks, int n, const float* x, float* out) {
  float s[1024];
  for (int b = 0; b < blocks; ++b) {
    for (int t = 0; t < n; ++t) s[t] = x[b * n + t];
    for (int d = n / 2; d > 0; d /= 2)
      for (int t = 0; t < d; ++t) s[t] += s[t + d];
    out[b] = s[0];
  }
}

AMPHI_LAUNCHABLE void thread_saxpy(int n, float a, const float* x, float* y) {
  const std::int64_t i = amphi::global_thread_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

AMPHI_LAUNCHABLE void thread_polynomial(int n, const float* x, float* y) {
  const std::int64_t i = amphi::global_thread_index();
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < 8; ++k) v = v * v * 0.25f + x[i];
  y[i] = v;
}

// The same kernels as loops over blocks and threads; the index is computed as the kernel does.
[[gnu::noinline]] void loop_saxpy(int blocks, int block, int n, float a, const float* x, float* y) {
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < block; ++t) {
      const std::int64_t i = static_cast<std::int64_t>(b) * block + t;
      if (i < n) y[i] = a * x[i] + y[i];
    }
}
[[gnu::noinline]] void loop_polynomial(int blocks, int block, int n, const float* x, float* y) {
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < block; ++t) {
      const std::int64_t i = static_cast<std::int64_t>(b) * block + t;
      if (i >= n) continue;
      float v = x[i];
      for (int k = 0; k < 8; ++k) v = v * v * 0.25f + x[i];
      y[i] = v;
    }
}

AMPHI_LAUNCHABLE void block_saxpy(amphi::block block, int n, float a, const float* x, float* y) {
  const std::int64_t first = static_cast<std::int64_t>(block.index().x) * block.size();
  block.for_each_thread([&](int t) {
    const std::int64_t i = first + t;
    if (i < n) y[i] = a * x[i] + y[i];
  });
}

// Time that this thread computed: other programs on the machine do not count.
double seconds(const std::function<void()>& f) {
  const auto now = [] {
    timespec t{};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  f();
  return now() - start;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// Medians of interleaved pairs.
std::pair<double, double> compare(const std::function<void()>& a, const std::function<void()>& b) {
  std::vector<double> ta, tb;
  a();
  b();
  for (int i = 0; i < repetitions; ++i) ta.push_back(seconds(a)), tb.push_back(seconds(b));
  return {median(ta), median(tb)};
}

amphi::policy geometry(int grid, int block) {
  amphi::policy p;
  p.grid = grid;
  p.block = block;
  p.backend = amphi::backend::cpu;
  p.workers = 1;
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  const std::size_t elements = small ? 1 << 12 : 1 << 16;
  repetitions = small ? 3 : 21;
  std::vector<float> x(elements, 1.0f), y(elements, 2.0f), out(elements);
  std::printf("%-44s %10s %10s\n", "", "ns", "ratio");
  for (int block : {32, 64, 256, 1024}) {
    const int blocks = static_cast<int>(x.size()) / block;
    const amphi::policy p = geometry(blocks, block);
    const auto [engine, loops] = compare([&] { amphi::launch<thread_tree>(p, x.data(), out.data()); },
                                         [&] { loop_tree(blocks, block, x.data(), out.data()); });
    int barriers = 1;
    for (int d = block / 2; d > 0; d /= 2) ++barriers;
    const double each = engine * 1e9 / static_cast<double>(x.size()) / barriers;
    std::printf("tree sum, block of %-4d: thread and barrier      %6.2f\n", block, each);
    const auto [form, plain] = compare([&] { amphi::launch<block_tree>(p, x.data(), out.data()); },
                                       [&] { loop_tree(blocks, block, x.data(), out.data()); });
    std::printf("  block form against plain loop              %8.0f %10.2f\n", form * 1e9 / blocks,
                form / plain);
    (void)loops;
  }
  const int n = static_cast<int>(x.size());
  for (int block : {32, 256, 1024}) {
    const int blocks = n / block;
    const amphi::policy p = geometry(blocks, block);
    const auto [a, b] = compare([&] { amphi::launch<thread_saxpy>(p, n, 0.5f, x.data(), y.data()); },
                                [&] { loop_saxpy(blocks, block, n, 0.5f, x.data(), y.data()); });
    std::printf("no barrier, saxpy, block of %-4d              %8.2f %10.2f\n", block, a * 1e9 / n, a / b);
    const auto [c, d] = compare([&] { amphi::launch<thread_polynomial>(p, n, x.data(), y.data()); },
                                [&] { loop_polynomial(blocks, block, n, x.data(), y.data()); });
    std::printf("no barrier, polynomial, block of %-4d         %8.2f %10.2f\n", block, c * 1e9 / n, c / d);
    const auto [e, f] = compare([&] { amphi::launch<block_saxpy>(p, n, 0.5f, x.data(), y.data()); },
                                [&] { loop_saxpy(blocks, block, n, 0.5f, x.data(), y.data()); });
    std::printf("block form, saxpy, block of %-4d              %8.2f %10.2f\n", block, e * 1e9 / n, e / f);
  }
  return 0;
}
