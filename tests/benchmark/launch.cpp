// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// saxpy by launch and parallel_for against the best hand-written code, and what a launch costs.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "baseline.hpp"
#include "harness.hpp"

AMPHI_LAUNCHABLE void saxpy(std::int64_t n, float a, const float* x, float* y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}
AMPHI_LAUNCHABLE void saxpy_int(int n, float a, const float* x, float* y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}
AMPHI_LAUNCHABLE void axpy_at(std::int64_t i, float a, const float* x, float* y) { y[i] = a * x[i] + y[i]; }
// Pointers that promise not to overlap let the compiler load several elements ahead of the first store.
AMPHI_LAUNCHABLE void saxpy_restrict(std::int64_t n, float a, const float* AMPHI_RESTRICT x,
                                     float* AMPHI_RESTRICT y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}
AMPHI_LAUNCHABLE void nothing() {}

struct axpy {
  float a;
  const float* x;
  float* y;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { y[i] = a * x[i] + y[i]; }
};

namespace {

using benchmark::call;
using benchmark::graphs;
using benchmark::launched;
using benchmark::table;

constexpr float a = 1e-9f;  // keeps y bounded over many calls

void loop_with_lambda(const amphi::policy& p, std::int64_t n, const float* x, float* y) {
  amphi::parallel_for(p, std::int64_t{0}, n, [=] AMPHI_LAMBDA(std::int64_t i) { y[i] = a * x[i] + y[i]; });
}

// How a call is made of something that is launched, which does it a number of times.
using maker = std::function<call(const launched&)>;

void compare_forms(table& t, const std::string& baseline, std::int64_t n, const float* x, float* y,
                   bool on_gpu, const call& reference, const maker& make, int times) {
  const std::string where = on_gpu ? "GPU " : "CPU ";
  const auto row = [&](const char* what, const launched& f) {
    t.compare(where + what, baseline, n, 12.0 * static_cast<double>(n), on_gpu, make(f), reference, times);
  };
  row("launch<fn>", [=](const amphi::policy& p) { amphi::launch<saxpy>(p, n, a, x, y); });
  if (n < INT32_MAX)
    row("launch<fn>, int", [=](const amphi::policy& p) { amphi::launch<saxpy_int>(p, n, a, x, y); });
  row("launch<fn>, restrict", [=](const amphi::policy& p) { amphi::launch<saxpy_restrict>(p, n, a, x, y); });
  row("parallel_for<fn>",
      [=](const amphi::policy& p) { amphi::parallel_for<axpy_at>(p, std::int64_t{0}, n, a, x, y); });
  row("parallel_for(functor)", [=](const amphi::policy& p) {
    amphi::parallel_for(p, std::int64_t{0}, n, axpy{a, x, y});
  });
  row("parallel_for(lambda)", [=](const amphi::policy& p) { loop_with_lambda(p, n, x, y); });
}

table cpu_saxpy(std::int64_t most) {
  table t("saxpy on the CPU against omp parallel for simd");
  for (const std::int64_t n : {std::int64_t{100}, std::int64_t{1} << 16, std::int64_t{1} << 20, most}) {
    amphi::array<float> x(n, 1.0f), y(n, 2.0f);
    const float* px = x.host_read();
    float* py = y.host_read_write();
    const auto directly = [](const launched& f) { return call([f] { f({}); }); };
    compare_forms(
        t, "omp parallel for simd", n, px, py, false,
        [=] { baseline::saxpy_loop(static_cast<int>(n), a, px, py); }, directly, 1);
  }
  return t;
}

table cpu_launch() {
  table t("a launch of nothing on the CPU");
  t.compare(
      "launch<nothing>", "empty omp parallel", 1, 0, false, [] { amphi::launch<nothing>(); },
      [] { baseline::empty_region(); });
  return t;
}

#if AMPHI_CUDA
// The hand-written kernel that is fastest for this n, over block sizes and both forms.
std::pair<std::string, call> best_kernel(std::int64_t n, const float* x, float* y, const graphs& make) {
  const int multiprocessors = amphi::properties_of_current_device().multiprocessors;
  std::pair<std::string, call> best;
  double best_time = 1e300;
  const auto consider = [&](const std::string& name, const launched& kernel) {
    const call f = make(kernel);
    for (int i = 0; i < 3; ++i) f();
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) times.push_back(benchmark::time_of(f, 2, true));
    const double time = benchmark::quartiles::of(times).median;
    if (time < best_time) best_time = time, best = {name, f};
  };
  for (const int block : {64, 128, 256, 512, 1024}) {
    const std::string size = std::to_string(block);
    consider("raw monolithic, block " + size, [=](const amphi::policy& p) {
      baseline::saxpy_monolithic(p.stream.native(), n, a, x, y, block);
    });
    const int most = multiprocessors * (2048 / block);
    const int grid = static_cast<int>(std::min<std::int64_t>(most, (n + block - 1) / block));
    consider("raw grid-stride, restrict, block " + size, [=](const amphi::policy& p) {
      baseline::saxpy_grid_stride_restrict(p.stream.native(), n, a, x, y, block, grid);
    });
    consider("raw grid-stride, block " + size, [=](const amphi::policy& p) {
      baseline::saxpy_grid_stride(p.stream.native(), n, a, x, y, block, grid);
    });
  }
  return best;
}

table gpu_saxpy(std::int64_t most) {
  table t("saxpy on the GPU against the best hand-written scalar kernel");
  for (std::int64_t n = 1 << 16; n <= most; n = n < most && n * 16 > most ? most : n * 16) {
    amphi::array<float> x(n, 1.0f, amphi::memory_space::device), y(n, 2.0f, amphi::memory_space::device);
    const float* px = x.read();
    float* py = y.read_write();
    const graphs make{{}, static_cast<int>(std::clamp<std::int64_t>((1 << 27) / n, 1, 64))};
    const auto [name, reference] = best_kernel(n, px, py, make);
    compare_forms(t, name, n, px, py, true, reference, std::cref(make), make.times);
    const std::int64_t bytes = n * 4;
    t.compare("device-to-device copy", name, n, 2.0 * static_cast<double>(bytes), true,
              make([=](const amphi::policy& p) { baseline::device_copy(p.stream.native(), py, px, bytes); }),
              reference, make.times);
    if (n == most) break;
  }
  return t;
}

table gpu_launch() {
  table t("host cost of a launch of nothing on the GPU");
  int count = 0;
  const auto drained = [&count](const call& f) {
    return [&count, f] {
      f();
      if (++count % 256 == 0) amphi::synchronize();  // the queue never fills up
    };
  };
  t.compare("launch<nothing>, <<<1,32>>>", "raw <<<1,32>>>", 1, 0, false,
            drained([] { amphi::launch<nothing>({.grid = 1, .block = 32}); }),
            drained([] { baseline::empty_kernel(); }));
  t.compare("cudaLaunchKernelExC", "raw <<<1,32>>>", 1, 0, false,
            drained([] { baseline::empty_kernel_ex(); }), drained([] { baseline::empty_kernel(); }));
  t.compare("launch<nothing>, automatic", "raw <<<1,32>>>", 1, 0, false,
            drained([] { amphi::launch<nothing>(); }), drained([] { baseline::empty_kernel(); }));
  amphi::synchronize();
  return t;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  return benchmark::run("launch_benchmark", argc, argv, {}, [](const auto& o) {
#if AMPHI_CUDA
    if (amphi::backend_in_use() == amphi::backend::cuda)
      return std::vector<table>{gpu_launch(), gpu_saxpy(std::int64_t{1} << (o.small ? 20 : 29))};
#endif
    return std::vector<table>{cpu_launch(), cpu_saxpy(std::int64_t{1} << (o.small ? 21 : 25))};
  });
}
