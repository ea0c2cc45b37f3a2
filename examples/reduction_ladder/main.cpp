// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// reduction_ladder: the sum of many numbers, from the first idea to the library's reduce, step by step. Every
// kernel is written once and runs on a GPU and on a CPU. Sums of integers are exact; sums of floats have the
// bits of serial loops that add in the same order.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/same_bits.hpp"
#include "reduction_ladder/steps.hpp"

namespace {

template <class T>
T left_to_right(std::span<const T> data) {
  T sum = data[0];
  for (const T& x : data.subspan(1)) sum += x;
  return sum;
}

template <class T>
std::span<const T> span_of(const amphi::array<T>& a, std::int64_t n) {
  return {a.host_read().data(), static_cast<std::size_t>(n)};
}

template <class T>
class experiment {
 public:
  experiment(std::int64_t n, std::int64_t block, int runs)
      : n_(n), block_(block), runs_(runs), data_(n), work_(n) {
    const auto x = data_.host_write();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint32_t random = static_cast<std::uint32_t>(i) * 2654435761u >> 8;
      x[i] = std::is_integral_v<T> ? static_cast<T>(static_cast<int>(random & 255u) - 128)
                                   : static_cast<T>(random) / static_cast<T>(1 << 24);
    }
    for (amphi::array<T>& s : sums_) s.resize(n);
  }

  bool run() {
    std::printf("\n%s, %lld elements, blocks of %lld\n", std::is_integral_v<T> ? "int32" : "float",
                static_cast<long long>(n_), static_cast<long long>(block_));
    std::printf("  %-36s %10s %8s %10s %10s  %12s  %s\n", "step", "ms", "GB/s", "to before", "to first",
                "all, ms", "result");
    bool good = host();
    const std::vector<ladder::step<T>> steps = ladder::all_steps<T>();
    for (const ladder::step<T>& s : steps) good &= one_pass(s);
    good &= passes(steps.back());
    good &= library();
    return good;
  }

 private:
  using clock = std::chrono::steady_clock;

  // The median time of `f`, which ends with a value on the host.
  template <class Prepare, class F>
  double to_the_host(Prepare prepare, F f) {
    std::vector<double> times;
    for (int run = 0; run <= runs_; ++run) {
      prepare();
      amphi::synchronize();
      const auto begin = clock::now();
      result_ = f();
      times.push_back(std::chrono::duration<double, std::milli>(clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + runs_ / 2, times.end());
    return times[static_cast<std::size_t>(runs_ / 2)];
  }

  // `compared`: with the first kernel and the one before.
  bool row(const char* name, double ms, double all, bool good, bool compared = true) {
    std::printf("  %-36s %10.4f %8.2f", name, ms, 1e-6 * static_cast<double>(n_) * sizeof(T) / ms);
    if (compared) {
      if (first_ == 0) first_ = before_ = ms;
      std::printf(" %10.2f %10.2f", before_ / ms, first_ / ms);
      before_ = ms;
    } else {
      std::printf(" %10s %10s", "", "");
    }
    std::printf("  %12.4f  %s\n", all, good ? "right" : "WRONG");
    std::fflush(stdout);
    return good;
  }

  bool same(T expected) const { return std::memcmp(&result_, &expected, sizeof(T)) == 0; }

  // Is `sum` right? Integers exactly; floats within the error of `additions` in a row.
  bool near(T sum, double additions) const {
    double right = 0, magnitude = 0;
    for (const T x : span_of(data_, n_)) {
      right += static_cast<double>(x);
      magnitude += std::abs(static_cast<double>(x));
    }
    const double bound = std::is_integral_v<T> ? 0 : additions * 0x1p-24 * magnitude;
    return std::abs(static_cast<double>(sum) - right) <= bound;
  }

  bool host() {
    std::vector<T> copy;
    const double ms = to_the_host([&] { copy.assign(span_of(data_, n_).begin(), span_of(data_, n_).end()); },
                                  [&] { return ladder::recursive_sum(std::span<T>(copy)); });
    return row("recursive, on the host", ms, ms, near(result_, 64), false);
  }

  // The kernel alone, and with the sums of its tiles added up on the host.
  bool one_pass(const ladder::step<T>& s) {
    const std::int64_t tiles = ladder::tiles_of(s, n_, block_);
    const auto prepare = [&] {
      if (s.in_place) work_.copy_from(data_);
    };
    amphi::array<T>& data = s.in_place ? work_ : data_;
    const double ms = example::median_milliseconds(
        runs_, prepare, [&] { ladder::sum_tiles(s, {}, block_, data, n_, sums_[0]); });
    const double all = to_the_host(prepare, [&] {
      ladder::sum_tiles(s, {}, block_, data, n_, sums_[0]);
      return left_to_right(span_of(sums_[0], tiles));
    });
    const std::vector<T> expected =
        ladder::serial_sums(s, span_of(data_, n_), static_cast<std::size_t>(block_));
    const bool good = example::same_bits<T>(s.name.c_str(), expected, span_of(sums_[0], tiles)) &&
                      same(left_to_right(std::span<const T>(expected))) &&
                      near(result_, static_cast<double>(expected.size()) + 64);
    return row(s.name.c_str(), ms, all, good);
  }

  bool passes(const ladder::step<T>& s) {
    const double ms =
        example::median_milliseconds(runs_, [&] { ladder::sum_in_passes(s, {}, block_, data_, n_, sums_); });
    const double all = to_the_host(
        [] {}, [&] { return ladder::sum_in_passes(s, {}, block_, data_, n_, sums_).host_read()[0]; });
    std::vector<T> expected(span_of(data_, n_).begin(), span_of(data_, n_).end());
    while (expected.size() > 1)
      expected = ladder::serial_sums(s, std::span<const T>(expected), static_cast<std::size_t>(block_));
    return row("several passes, to one value", ms, all, same(expected[0]) && near(result_, 100));
  }

  bool library() {
    amphi::array<T> sum(1);
    const double ms = example::median_milliseconds(
        runs_, [&] { amphi::reduce_into(data_.read(), sum.write(), T(), amphi::plus{}); });
    const double all = to_the_host([] {}, [&] { return amphi::reduce(data_.read(), T()); });
    const amphi::policy one_worker{.backend = amphi::backend::cpu, .workers = 1};
    return row("amphi::reduce", ms, all,
               same(amphi::reduce(one_worker, data_.read(one_worker), T())) && near(result_, 256));
  }

  std::int64_t n_, block_;
  int runs_;
  amphi::array<T> data_, work_, sums_[2];
  T result_{};
  double first_ = 0, before_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
  example::command_line options(argc, argv, "sums, from neighboured pairs to amphi::reduce, a step a row");
  const auto n = options.number("--n", gpu ? 1 << 24 : 1 << 20, 1, 1 << 30, "elements");
  const auto block = options.number("--block", 256, 1, ladder::largest_block, "threads of a block");
  const auto runs = options.number("--runs", 11, 1, 1000, "runs of each step; the median counts");
  options.finish();

  const amphi::device_properties device = amphi::properties_of_current_device();
  std::printf("%s (%s); ms: the step's kernels; all: until the sum is on the host\n", device.name,
              amphi::name(amphi::backend_in_use()));
  bool good = experiment<std::int32_t>(n, block, static_cast<int>(runs)).run();
  good &= experiment<float>(n, block, static_cast<int>(runs)).run();
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
