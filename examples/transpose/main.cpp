// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// transpose: a matrix is transposed directly, by tiles in shared memory, and by tiles with a padding column,
// which keeps the lanes of a warp out of each other's banks. The conflicts are predicted on the CPU, in
// checked builds; the times are those of the backend in use. Results are compared, bit by bit, with a loop.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/verify/shared_conflicts.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/same_bits.hpp"
#include "transpose/kernels.hpp"

namespace {

class comparison {
 public:
  comparison(amphi::extent2 size, int runs)
      : size_(size),
        runs_(runs),
        in_(size.size()),
        out_(size.size()),
        expected_(in_.size()),
        source_(in_.size()) {
    for (std::size_t i = 0; i < source_.size(); ++i) source_[i] = static_cast<float>(i % 8191) * 0.25f;
    in_.copy_from(source_);
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x)
        expected_[static_cast<std::size_t>(x * size.y + y)] =
            source_[static_cast<std::size_t>(y * size.x + x)];
    std::printf("  %-20s %10s %10s %8s  %-22s %s\n", "kernel", "ms", "GB/s", "of copy", "bank conflicts",
                "equal");
  }

  template <auto Kernel>
  bool run(const char* name, bool transposes = true) {
    const amphi::policy p = transpose::geometry(size_);
    const amphi::extent2 out_size = transposes ? amphi::extent2(size_.y, size_.x) : size_;
    out_.copy_from(std::vector<float>(source_.size(), -1.0f));
    const auto launch = [&] {
      amphi::launch<Kernel>(p, transpose::const_matrix(in_.read(p).data(), size_),
                            transpose::matrix(out_.write(p).data(), out_size));
    };
    const double ms = example::median_milliseconds(runs_, launch);
    const double rate = 8e-6 * static_cast<double>(size_.size()) / ms;  // read and written
    if (!transposes) copy_rate_ = rate;
    const bool same = example::same_bits<float>(name, transposes ? expected_ : source_, out_.host_read());
    std::printf("  %-20s %10.4f %10.1f %6.0f %%  %-22s %s\n", name, ms, rate, 100 * rate / copy_rate_,
                conflicts<Kernel>().c_str(), same ? "yes" : "NO");
    return same;
  }

 private:
  // What the CPU predicts for a matrix of 2 × 2 tiles.
  template <auto Kernel>
  std::string conflicts() const {
    const amphi::extent2 four_tiles(2 * transpose::tile, 2 * transpose::tile);
    const amphi::policy p = transpose::geometry(four_tiles, {.backend = amphi::backend::cpu});
    std::vector<float> in(4 * transpose::tile * transpose::tile, 1.0f), out = in;
    const auto report = amphi::shared_conflicts([&] {
      amphi::launch<Kernel>(p, transpose::const_matrix(in.data(), four_tiles),
                            transpose::matrix(out.data(), four_tiles));
    });
    if (!report.counted) return "see below";
    if (report.rows.empty()) return "no shared memory";
    if (report.ways() == 1) return "none";
    return std::to_string(report.ways()) + "-way, line " + std::to_string(report.rows[0].line);
  }

  amphi::extent2 size_;
  int runs_;
  amphi::array<float> in_, out_;
  std::vector<float> expected_, source_;
  double copy_rate_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  example::command_line line(argc, argv, "a matrix is transposed naively, by tiles, and by padded tiles");
  const auto nx = line.number("--nx", 4096, 1, 1 << 15, "columns");
  const auto ny = line.number("--ny", 4096, 1, 1 << 15, "rows");
  const auto runs = static_cast<int>(line.number("--runs", 11, 1, 1001, "timed samples"));
  line.finish();

  std::printf("%lld x %lld floats on %s\n", static_cast<long long>(nx), static_cast<long long>(ny),
              amphi::properties_of_current_device().name);
  comparison c({nx, ny}, runs);
  bool good = c.run<transpose::copy>("copy", false);
  good &= c.run<transpose::naive>("naive");
  good &= c.run<transpose::tiled<0>>("tiled");
  good &= c.run<transpose::tiled<1>>("tiled, padded");
  if (const auto nothing = amphi::shared_conflicts([] {}); !nothing.counted)
    std::printf("\n%s", nothing.text().c_str());
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "transpose: %s\n", e.what());
  return 1;
}
