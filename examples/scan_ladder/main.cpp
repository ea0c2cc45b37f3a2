// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// scan_ladder: running sums, by the two classic schemes and by the library. Kogge and Stone need few rounds
// and much work, Brent and Kung many rounds and little work; the operations are counted as they are done.
// Sections of one block each are put together to scans of any length.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <type_traits>
#include <vector>

#include "amphi/algorithm/scan.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/same_bits.hpp"
#include "scan_ladder/sections.hpp"

namespace {

using ladder::method;

// Operations of one section of 2^log2 elements, as counted and as the formula has it.
bool count_work() {
  std::printf("operations of one section\n  %8s %14s %14s %14s %14s\n", "elements", "Kogge-Stone", "n log2 n",
              "Brent-Kung", "2 n");
  bool good = true;
  for (int log2 = 5; log2 <= 10; ++log2) {
    const std::int64_t n = std::int64_t{1} << log2;
    const auto count = [n](method m) {
      const amphi::array<int> in(n, 1);
      amphi::array<int> out(n);
      amphi::array<std::int64_t> total(1, 0);
      int* const no_sums = nullptr;
      ladder::scan_sections<amphi::plus<int>>(m, {}, m == method::kogge_stone ? n : n / 2, n,
                                              in.read().data(), out.write().data(), no_sums,
                                              ladder::counted{total.read_write().data()});
      return out.host_read()[n - 1] == n ? total.host_read()[0] : -1;
    };
    const std::int64_t kogge_stone = count(method::kogge_stone), brent_kung = count(method::brent_kung);
    std::printf("  %8lld %14lld %14lld %14lld %14lld\n", static_cast<long long>(n),
                static_cast<long long>(kogge_stone), static_cast<long long>(n * log2),
                static_cast<long long>(brent_kung), static_cast<long long>(2 * n));
    good &= kogge_stone == n * log2 - n + 1 && brent_kung == 2 * n - 2 - log2;
  }
  std::printf("  exactly: n log2 n - n + 1, and 2 n - 2 - log2 n: %s\n",
              good ? "as counted" : "NOT as counted");
  return good;
}

template <class T>
class experiment {
 public:
  experiment(std::int64_t n, std::int64_t block, int runs)
      : n_(n), block_(block), runs_(runs), in_(n), out_(n) {
    const auto x = in_.host_write();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint32_t random = static_cast<std::uint32_t>(i) * 2654435761u >> 8;
      x[i] = std::is_integral_v<T> ? static_cast<T>(static_cast<int>(random & 255u) - 128)
                                   : static_cast<T>(random) / static_cast<T>(1 << 24);
    }
  }

  bool run() {
    std::printf("\n%s, %lld elements, blocks of %lld\n", std::is_integral_v<T> ? "int32" : "float",
                static_cast<long long>(n_), static_cast<long long>(block_));
    std::printf("  %-36s %10s %8s %10s  %s\n", "scan", "ms", "GB/s", "to first", "result");
    bool good = serial();
    good &= sections("Kogge-Stone, sections only", method::kogge_stone);
    good &= sections("Brent-Kung, sections only", method::brent_kung);
    good &= any_length("Kogge-Stone, any length", method::kogge_stone);
    good &= any_length("Brent-Kung, any length", method::brent_kung);
    return good & library();
  }

 private:
  std::vector<T> copy_of_data() const { return {in_.host_read().begin(), in_.host_read().end()}; }

  bool row(const char* name, double ms, bool good, bool compared = true) {
    if (compared && first_ == 0) first_ = ms;
    std::printf("  %-36s %10.4f %8.2f", name, ms, 2e-6 * static_cast<double>(n_) * sizeof(T) / ms);
    if (compared) {
      std::printf(" %10.2f", first_ / ms);
    } else {
      std::printf(" %10s", "");
    }
    std::printf("  %s\n", good ? "right" : "WRONG");
    std::fflush(stdout);
    return good;
  }

  // Integers must be the serial loop's, floats those of loops in the same order.
  bool right(const char* name, std::span<const T> expected) const {
    return example::same_bits<T>(name, expected, out_.host_read());
  }

  bool serial() {
    expected_ = copy_of_data();
    const std::vector<T> data = expected_;
    std::vector<double> times;
    for (int run = 0; run <= runs_; ++run) {
      const auto begin = std::chrono::steady_clock::now();
      T sum{};
      for (std::size_t i = 0; i < data.size(); ++i) expected_[i] = sum += data[i];
      times.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + runs_ / 2, times.end());
    return row("serial, on the host", times[static_cast<std::size_t>(runs_ / 2)], true, false);
  }

  bool sections(const char* name, method m) {
    T* const no_sums = nullptr;
    const double ms = example::median_milliseconds(runs_, [&] {
      ladder::scan_sections<amphi::plus<T>>(m, {}, block_, n_, in_.read().data(), out_.write().data(),
                                            no_sums, ladder::uncounted{});
    });
    std::vector<T> expected = copy_of_data();
    const auto length = static_cast<std::size_t>(ladder::section_length(m, block_));
    for (std::size_t first = 0; first < expected.size(); first += length)
      ladder::serial_section<amphi::plus<T>>(
          m, std::span<T>(expected).subspan(first, std::min(length, expected.size() - first)));
    return row(name, ms, right(name, expected));
  }

  bool any_length(const char* name, method m) {
    ladder::scan_levels<T> levels(m, block_, n_);
    const double ms =
        example::median_milliseconds(runs_, [&] { levels.template scan<amphi::plus<T>>({}, in_, out_); });
    std::vector<T> expected = copy_of_data();
    if constexpr (std::is_integral_v<T>) {
      expected = expected_;
    } else {
      ladder::serial_scan<amphi::plus<T>>(m, block_, std::span<T>(expected));
    }
    return row(name, ms, right(name, expected));
  }

  bool library() {
    const double ms =
        example::median_milliseconds(runs_, [&] { amphi::inclusive_scan(in_.read(), out_.write()); });
    std::vector<T> expected = expected_;
    if constexpr (!std::is_integral_v<T>) {
      const amphi::policy one_worker{.backend = amphi::backend::cpu, .workers = 1};
      amphi::array<T> other(n_);
      amphi::inclusive_scan(one_worker, in_.read(one_worker), other.write(one_worker));
      expected.assign(other.host_read().begin(), other.host_read().end());
    }
    return row("amphi::inclusive_scan", ms, right("amphi::inclusive_scan", expected));
  }

  std::int64_t n_, block_;
  int runs_;
  amphi::array<T> in_, out_;
  std::vector<T> expected_;  // by the serial loop
  double first_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
  example::command_line options(argc, argv,
                                "running sums: Kogge-Stone, Brent-Kung, and amphi::inclusive_scan");
  const auto n = options.number("--n", gpu ? 1 << 24 : 1 << 20, 1, 1 << 30, "elements");
  const auto block = options.number("--block", 256, 2, 1024, "threads of a block");
  const auto runs = options.number("--runs", 11, 1, 1000, "runs of each scan; the median counts");
  options.finish();

  const amphi::device_properties device = amphi::properties_of_current_device();
  std::printf("%s (%s)\n\n", device.name, amphi::name(amphi::backend_in_use()));
  bool good = count_work();
  good &= experiment<std::int32_t>(n, block, static_cast<int>(runs)).run();
  good &= experiment<float>(n, block, static_cast<int>(runs)).run();
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
