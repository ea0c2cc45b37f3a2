// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// saxpy, y = a·x + y, written once as a grid-stride loop and once as a monolithic kernel, run on every path
// of this machine. Each result is compared, bit by bit, with a serial loop. Exit code 1 when any differs.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "amphi/amphi.hpp"

AMPHI_LAUNCHABLE void saxpy(std::int64_t n, float a, const float* x, float* y) {
  for (auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

// One element per thread: needs a grid that covers n.
AMPHI_LAUNCHABLE void saxpy_monolithic(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = amphi::global_thread_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

namespace {

struct path {
  std::string name;
  amphi::policy policy;
  bool monolithic = false;
  std::int64_t most = INT64_MAX;  // elements: one GPU thread alone takes seconds for more
};

std::string geometry(const amphi::policy& p, bool on_cpu) {
  if (!p.grid.is_automatic() || !p.block.is_automatic()) {
    const auto text = [](const amphi::extent3& e) { return e.is_automatic() ? "auto" : std::to_string(e.x); };
    return "<<<" + text(p.grid) + "," + text(p.block) + ">>>";
  }
  return on_cpu ? "a chunk per worker" : "automatic";
}

std::vector<path> paths_of_this_machine(std::int64_t n) {
  using amphi::backend;
  using amphi::thread_order;
  const auto blocks = [n](std::int64_t block) {
    return std::max<std::int64_t>(1, amphi::ceil_div(n, block));
  };
  std::vector<path> paths = {
      {"CPU serial", {.grid = 1, .block = 1, .backend = backend::cpu}},
      {"CPU 1 worker", {.backend = backend::cpu, .workers = 1}},
      {"CPU all workers", {.backend = backend::cpu}},
      {"CPU exact", {.grid = 128, .block = 256, .backend = backend::cpu}},
      {"CPU exact, reverse",
       {.grid = 37, .block = 96, .backend = backend::cpu, .order = thread_order::reverse}},
      {"CPU exact, random",
       {.grid = 64, .block = 128, .backend = backend::cpu, .order = thread_order::random(2026)}},
      {"CPU monolithic", {.grid = blocks(256), .block = 256, .backend = backend::cpu}, true},
  };
  if (amphi::backend_in_use() != backend::cuda) return paths;
  paths.push_back({"GPU automatic", {.backend = backend::cuda}});
  paths.push_back(
      {"GPU serial", {.grid = 1, .block = 1, .backend = backend::cuda}, false, std::int64_t{1} << 20});
  for (int block = 32; block <= 1024; block *= 2)
    paths.push_back({"GPU grid-stride", {.block = block, .backend = backend::cuda}});
  for (int block = 32; block <= 1024; block *= 2)
    paths.push_back(
        {"GPU monolithic", {.grid = blocks(block), .block = block, .backend = backend::cuda}, true});
  return paths;
}

class experiment {
 public:
  explicit experiment(std::int64_t n) : x_(n), y_(n), start_(static_cast<std::size_t>(n)), n_(n) {
    std::mt19937 generator(2026);
    std::uniform_real_distribution<float> uniform(-1, 1);
    const auto x = x_.host_write();
    for (std::int64_t i = 0; i < n; ++i) {
      x[i] = uniform(generator);
      start_[static_cast<std::size_t>(i)] = uniform(generator);
    }
    reference_ = start_;
    for (std::size_t i = 0; i < reference_.size(); ++i) reference_[i] = a * x[i] + reference_[i];
  }

  // Runs one path, prints its row, and says whether every bit was right.
  bool run(const path& p) {
    const std::int64_t n = std::min(n_, p.most);
    y_.copy_from(start_);
    launch(p, n);
    const bool equal = check(p, n);

    std::vector<double> milliseconds;
    for (int i = 0; i < (n < n_ ? 1 : 7); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      launch(p, n);
      amphi::synchronize();
      const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
      milliseconds.push_back(time.count());
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + milliseconds.size() / 2,
                     milliseconds.end());
    const double median = milliseconds[milliseconds.size() / 2];
    const bool on_cpu = p.policy.backend == amphi::backend::cpu;
    std::printf("%-20s %-20s %12.4f %10.1f   %-5s%s\n", p.name.c_str(), geometry(p.policy, on_cpu).c_str(),
                median, 12e-6 * static_cast<double>(n) / median, equal ? "yes" : "NO",
                n < n_ ? ("  (first " + std::to_string(n) + ")").c_str() : "");
    std::fflush(stdout);
    return equal;
  }

 private:
  static constexpr float a = 2.5f;

  void launch(const path& p, std::int64_t n) {
    const auto x = x_.read(p.policy);
    const auto y = y_.read_write(p.policy);
    if (p.monolithic) {
      amphi::launch<saxpy_monolithic>(p.policy, n, a, x, y);
    } else {
      amphi::launch<saxpy>(p.policy, n, a, x, y);
    }
  }

  bool check(const path& p, std::int64_t n) {
    const auto y = y_.host_read();
    for (std::int64_t i = 0; i < n_; ++i) {
      const float right =
          i < n ? reference_[static_cast<std::size_t>(i)] : start_[static_cast<std::size_t>(i)];
      if (std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(right)) continue;
      std::printf("%s: first difference at element %lld: %.9g (%08x), the serial loop has %.9g (%08x)\n",
                  p.name.c_str(), static_cast<long long>(i), static_cast<double>(y[i]),
                  std::bit_cast<std::uint32_t>(y[i]), static_cast<double>(right),
                  std::bit_cast<std::uint32_t>(right));
      return false;
    }
    return true;
  }

  amphi::array<float> x_, y_;
  std::vector<float> start_, reference_;
  std::int64_t n_;
};

std::int64_t elements(int argc, char** argv) {
  std::int64_t n = std::int64_t{1} << 24;
  for (int i = 1; i < argc; ++i) {
    char* end = nullptr;
    if (std::strcmp(argv[i], "--n") == 0 && i + 1 < argc) {
      n = std::strtoll(argv[++i], &end, 10);
      if (*end == 0 && n >= 1 && n <= (std::int64_t{1} << 32)) continue;
      std::fprintf(stderr, "saxpy: --n %s: give 1 … 4294967296 elements\n", argv[i]);
      std::exit(2);
    }
    const bool help = std::strcmp(argv[i], "--help") == 0;
    std::fprintf(
        help ? stdout : stderr,
        "usage: saxpy [--n ELEMENTS]\nRuns y = a*x + y on every path of this machine and compares the bits.\n"
        "ELEMENTS is 16777216 unless given. Exit code 0: all paths agree; 1: one does not.\n");
    std::exit(help ? 0 : 2);
  }
  return n;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::int64_t n = elements(argc, argv);
  std::printf("saxpy of %lld floats, backend in use: %s\n\n%-20s %-20s %12s %10s   %s\n",
              static_cast<long long>(n), amphi::name(amphi::backend_in_use()), "path", "geometry",
              "median ms", "GB/s", "equal bits");
  experiment e(n);
  const std::vector<path> paths = paths_of_this_machine(n);
  for (const path& p : paths)
    if (!e.run(p)) return 1;
  std::printf("\n%zu paths, all bit-identical\n", paths.size());
} catch (const std::exception& e) {
  std::fprintf(stderr, "saxpy: %s\n", e.what());
  return 1;
}
