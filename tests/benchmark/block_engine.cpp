// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The block engine of the CPU: time per thread, barrier and core of a tree sum, kernels without barriers
// against loops over blocks and threads, and the block form against the plain loop. One worker, so that a
// core is what is measured.
#include <cstdio>

#include "harness.hpp"

namespace {

using benchmark::table;

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

AMPHI_LAUNCHABLE void block_tree_of_first(amphi::block block, const float* x, float* out) {
  AMPHI_SHARED(s, float[1024]);
  const int n = block.size(), first = static_cast<int>(block.index().x) * n;
  block.for_each_thread([&](int t) { s[t] = x[first + t]; });
  for (int d = n / 2; d > 0; d /= 2) block.for_each_thread(d, [&](int t) { s[t] += s[t + d]; });
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

amphi::policy geometry(int grid, int block) {
  amphi::policy p;
  p.grid = grid;
  p.block = block;
  p.backend = amphi::backend::cpu;
  p.workers = 1;
  return p;
}

// n: threads times barriers, so that a time over it is what one of them takes.
table trees(int elements, int pairs) {
  table t("tree sums on one core against the plain loop", pairs);
  const std::vector<float> x(static_cast<std::size_t>(elements), 1.0f);
  std::vector<float> out(x.size());
  for (const int block : {32, 64, 256, 1024}) {
    const int blocks = elements / block;
    const amphi::policy p = geometry(blocks, block);
    const std::string of = ", block of " + std::to_string(block);
    std::int64_t barriers = 1;
    for (int d = block / 2; d > 0; d /= 2) ++barriers;
    const std::int64_t n = barriers * elements;
    const auto loop = [&] { loop_tree(blocks, block, x.data(), out.data()); };
    t.compare(
        "thread form" + of, "plain loop", n, 0, false,
        [&] { amphi::launch<thread_tree>(p, x.data(), out.data()); }, loop);
    std::printf("  thread and barrier: %.2f ns\n",
                t.rows().back().milliseconds * 1e6 / static_cast<double>(n));
    t.compare(
        "block form" + of, "plain loop", n, 0, false,
        [&] { amphi::launch<block_tree>(p, x.data(), out.data()); }, loop);
    t.compare(
        "block form, first threads" + of, "plain loop", n, 0, false,
        [&] { amphi::launch<block_tree_of_first>(p, x.data(), out.data()); }, loop);
  }
  return t;
}

table without_barriers(int n, int pairs) {
  table t("kernels without barriers on one core against loops over blocks and threads", pairs);
  const std::vector<float> x(static_cast<std::size_t>(n), 1.0f);
  std::vector<float> y(x.size(), 2.0f);
  for (const int block : {32, 256, 1024}) {
    const int blocks = n / block;
    const amphi::policy p = geometry(blocks, block);
    const std::string of = ", block of " + std::to_string(block);
    const auto saxpy = [&] { loop_saxpy(blocks, block, n, 0.5f, x.data(), y.data()); };
    const double bytes = 12.0 * n;
    t.compare(
        "saxpy, thread form" + of, "loops", n, bytes, false,
        [&] { amphi::launch<thread_saxpy>(p, n, 0.5f, x.data(), y.data()); }, saxpy);
    t.compare(
        "saxpy, block form" + of, "loops", n, bytes, false,
        [&] { amphi::launch<block_saxpy>(p, n, 0.5f, x.data(), y.data()); }, saxpy);
    t.compare(
        "polynomial, thread form" + of, "loops", n, 8.0 * n, false,
        [&] { amphi::launch<thread_polynomial>(p, n, x.data(), y.data()); },
        [&] { loop_polynomial(blocks, block, n, x.data(), y.data()); });
  }
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark::run("block_engine_benchmark", argc, argv, {}, [](const auto& o) {
    const int elements = o.small ? 1 << 12 : 1 << 16, pairs = o.small ? 3 : 21;
    return std::vector<table>{trees(elements, pairs), without_barriers(elements, pairs)};
  });
}
