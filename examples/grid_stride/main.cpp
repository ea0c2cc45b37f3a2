// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// grid_stride: four ways to write one loop, from the sequential one to amphi::grid_stride_range, and why the
// last ones are the ones to use: any grid does all the work, threads are reused, one thread debugs it, and
// problems may be larger than the largest grid.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "amphi/core/integer.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/same_bits.hpp"

namespace {

// One element a thread: right only if the grid has at least n threads.
AMPHI_LAUNCHABLE void monolithic(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = amphi::global_thread_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

// Each thread steps through the data by the number of threads: right for any grid.
AMPHI_LAUNCHABLE void by_hand(std::int64_t n, float a, const float* x, float* y) {
  for (std::int64_t i = amphi::global_thread_index(); i < n; i += amphi::global_thread_count())
    y[i] = a * x[i] + y[i];
}

// The same in one line. On the CPU an automatic launch gives each worker one contiguous part.
AMPHI_LAUNCHABLE void by_range(std::int64_t n, float a, const float* x, float* y) {
  for (const auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

// Writes down who did what.
AMPHI_LAUNCHABLE void sign(int n, int* who) {
  for (const int i : amphi::grid_stride_range(0, n)) who[i] = static_cast<int>(amphi::global_thread_index());
}

AMPHI_LAUNCHABLE void print_squares(int n) {
  for (const int i : amphi::grid_stride_range(0, n)) printf("  i = %d, i * i = %d\n", i, i * i);
}

AMPHI_LAUNCHABLE void count_visits(std::int64_t n, unsigned char* visits) {
  for (const auto i : amphi::grid_stride_range(0, n)) ++visits[i];
}

AMPHI_LAUNCHABLE void count_own_visit(std::int64_t n, unsigned char* visits) {
  if (amphi::global_thread_index() < n) ++visits[amphi::global_thread_index()];
}

// The data of the comparison and its right answer.
class comparison {
 public:
  explicit comparison(std::int64_t n) : n_(n), x_(n), start_(static_cast<std::size_t>(n)) {
    const auto x = x_.host_write();
    for (std::int64_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i % 1000) * 0.001f;
      start_[static_cast<std::size_t>(i)] = static_cast<float>(i % 77);
    }
    expected_ = start_;
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < n; ++i) expected_[static_cast<std::size_t>(i)] += 2.5f * x[i];
    print("sequential loop", "-", milliseconds_since(begin), true);
  }

  template <auto Kernel>
  bool run(const char* form, const amphi::policy& p) {
    std::vector<double> times;
    amphi::array<float> y;
    for (int i = 0; i < 5; ++i) {
      y.copy_from(start_);
      const auto x = x_.read(p);
      const auto out = y.read_write(p);
      amphi::synchronize();
      const auto begin = std::chrono::steady_clock::now();
      amphi::launch<Kernel>(p, n_, 2.5f, x, out);
      amphi::synchronize();
      times.push_back(milliseconds_since(begin));
    }
    std::sort(times.begin(), times.end());
    const std::string geometry = p.grid.is_automatic()
                                     ? std::string("automatic")
                                     : std::to_string(p.grid.x) + " x " + std::to_string(p.block.x);
    const bool equal = example::same_bits<float>(form, expected_, y.host_read());
    print(form, geometry, times[2], equal);
    return equal;
  }

 private:
  static double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  static void print(const char* form, const std::string& geometry, double ms, bool equal) {
    std::printf("  %-28s %-16s %9.3f  %s\n", form, geometry.c_str(), ms, equal ? "yes" : "NO");
  }

  std::int64_t n_;
  amphi::array<float> x_;
  std::vector<float> start_, expected_;
};

// The indices that each thread took, as one line per thread.
bool show_reuse(const char* title, int n, const amphi::policy& p) {
  amphi::array<int> array(n);
  amphi::launch<sign>(p, n, array.write(p));
  const auto who = array.host_read();
  std::printf("\n%s:\n", title);
  const int threads = *std::max_element(who.begin(), who.end()) + 1;
  for (int t = 0; t < threads; ++t) {
    std::printf("  thread %d:", t);
    for (int i = 0; i < n; ++i) {
      if (who[i] == t) std::printf(" %2d", i);
    }
    std::printf("\n");
  }
  if (p.block.is_automatic()) return true;
  for (int i = 0; i < n; ++i) {
    if (const int t = i % static_cast<int>(p.grid.size() * p.block.size()); who[i] != t) {
      std::printf("index %d was done by thread %d, expected %d\n", i, who[i], t);
      return false;
    }
  }
  return true;
}

// More elements than blocks fit into grid.y: the monolithic launch is refused, the grid-stride one does it.
bool show_largest_grid() {
  const std::int64_t largest = amphi::properties_of_current_device().limits.grid.y, n = 3 * largest + 5;
  std::printf("\n%lld elements on a grid of at most %lld blocks in y:\n", static_cast<long long>(n),
              static_cast<long long>(largest));
  amphi::array<unsigned char> visits(n, 0);
  try {
    amphi::launch<count_own_visit>({.grid = {1, n}, .block = 1}, n, visits.read_write());
    amphi::synchronize();
    std::printf("a grid past the limit was accepted\n");
    return false;
  } catch (const std::exception& e) {
    std::printf("  monolithic: %s\n", e.what());
  }
  const amphi::policy p{.grid = {1, largest}, .block = 1};
  amphi::launch<count_visits>(p, n, visits.read_write(p));
  for (std::int64_t i = 0; i < n; ++i) {
    if (const int seen = visits.host_read()[i]; seen != 1) {
      std::printf("element %lld was visited %d times, expected once\n", static_cast<long long>(i), seen);
      return false;
    }
  }
  std::printf("  grid-stride: %lld blocks visited each element once\n", static_cast<long long>(largest));
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv,
                                "four ways to write one loop, and what the grid-stride loop is good for");
  const std::int64_t n = options.number("--n", 1 << 22, 1, std::int64_t{1} << 32, "elements");
  options.finish();

  const amphi::device_properties device = amphi::properties_of_current_device();
  const int processors = device.multiprocessors;
  std::printf("y = 2.5 x + y, %lld elements, %s, %d multiprocessors\n", static_cast<long long>(n),
              device.name, processors);
  std::printf("  %-28s %-16s %9s  %s\n", "form", "grid x block", "ms", "equal");
  comparison c(n);
  bool good = c.run<monolithic>("monolithic", {.grid = amphi::ceil_div(n, 256), .block = 256});
  good &= c.run<by_hand>("grid-stride by hand", {.grid = amphi::ceil_div(n, 256), .block = 256});
  for (const int each : {1, 8, 32})
    good &= c.run<by_hand>(("by hand, " + std::to_string(each) + " per processor").c_str(),
                           {.grid = each * processors, .block = 256});
  good &= c.run<by_range>("grid_stride_range", {.grid = 32 * processors, .block = 256});
  good &= c.run<by_range>("grid_stride_range", {});
  good &= c.run<by_range>("grid_stride_range, serial", amphi::serial);

  good &= show_reuse("2 blocks of 4 threads share 20 indices, each thread is used again", 20,
                     {.grid = 2, .block = 4});
  good &= show_reuse("the automatic launch of the CPU gives each of 3 workers one part", 20,
                     {.backend = amphi::backend::cpu, .workers = 3});

  std::printf("\none thread prints in order (amphi::serial), as a debugger would see it:\n");
  amphi::launch<print_squares>(amphi::serial, 6);
  amphi::synchronize();

  good &= show_largest_grid();
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
