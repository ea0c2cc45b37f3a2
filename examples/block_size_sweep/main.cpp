// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// block_size_sweep: how many threads a block, how many blocks? saxpy is measured over blocks of 32 … 1024
// threads, as a monolithic kernel and as a grid-stride loop, then over grids with the block that was best:
// one variable at a time. On the CPU, where blocks matter little, the number of workers is swept too.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/tune/tune.hpp"
#include "common/command_line.hpp"

namespace {

// One element a thread: the grid must have n threads.
AMPHI_LAUNCHABLE void monolithic(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = amphi::global_thread_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

AMPHI_LAUNCHABLE void grid_stride(std::int64_t n, float a, const float* x, float* y) {
  for (const auto i : amphi::grid_stride_range(0, n)) y[i] = a * x[i] + y[i];
}

class sweep {
 public:
  sweep(std::int64_t n, const amphi::tune_options& options)
      : n_(n), options_(options), x_(n), y_(n), start_(static_cast<std::size_t>(n)) {
    options_.bytes = 12.0 * static_cast<double>(n);  // x and y are read, y is written
    const auto x = x_.host_write();
    for (std::int64_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i % 1000) * 0.001f;
      start_[static_cast<std::size_t>(i)] = static_cast<float>(i % 77);
    }
  }

  template <auto Kernel>
  const amphi::tune_report& run(const std::string& name,
                                const std::vector<amphi::tune_candidate>& candidates) {
    const auto saxpy = [&](const amphi::policy& p) {
      amphi::launch<Kernel>(p, n_, 2.5f, x_.read(p), y_.read_write(p));
    };
    const auto result = [&](const amphi::policy& p) {
      y_.copy_from(start_);
      saxpy(p);
      const auto y = y_.host_read();
      return std::vector<float>(y.begin(), y.end());
    };
    reports_.push_back(amphi::tune(name, candidates, saxpy, result, options_));
    std::cout << reports_.back() << "\n";
    return reports_.back();
  }

  const std::vector<amphi::tune_report>& reports() const { return reports_; }

  bool good() const {
    for (const amphi::tune_report& r : reports_)
      if (!r.identical()) return false;
    return true;
  }

 private:
  std::int64_t n_;
  amphi::tune_options options_;
  amphi::array<float> x_, y_;
  std::vector<float> start_;
  std::vector<amphi::tune_report> reports_;
};

void write_file(const std::string& name, const std::string& text) {
  if (name.empty()) return;
  std::FILE* const out = std::fopen(name.c_str(), "wb");
  if (out == nullptr) throw std::runtime_error("can't write " + name);
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) != 0 || !written) throw std::runtime_error("can't write all of " + name);
}

// All reports as one table, and as one list.
std::string csv(const std::vector<amphi::tune_report>& reports) {
  std::string all;
  for (const amphi::tune_report& r : reports) {
    const std::string one = r.csv();
    all += all.empty() ? one : one.substr(one.find('\n') + 1);
  }
  return all;
}

std::string json(const std::vector<amphi::tune_report>& reports) {
  std::string all;
  for (const amphi::tune_report& r : reports) all += (all.empty() ? "[" : ",\n") + r.json();
  return all + "]\n";
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line line(argc, argv, "which block and which grid: saxpy over launch configurations");
  const std::int64_t n = line.number("--n", 10'000'000, 1, std::int64_t{1} << 31, "floats");
  amphi::tune_options options;
  options.runs = static_cast<int>(line.number("--runs", 11, 1, 1001, "timed samples of each candidate"));
  options.file = line.text("--file", "", "a tuning file: what it knows is not measured");
  options.again = line.flag("--again", "measure what the tuning file knows, too");
  const std::string csv_file = line.text("--csv", "", "a file for the numbers as a table");
  const std::string json_file = line.text("--json", "", "a file for the numbers as JSON");
  const std::string svg_file = line.text("--svg", "", "a file for a plot of the two sweeps over blocks");
  line.finish();

  const std::string of = ", n = " + std::to_string(n);  // the best policy may depend on it
  sweep s(n, options);
  const std::string device =
      s.run<monolithic>("monolithic saxpy" + of, amphi::vary_block_covering(n)).device.text();
  const amphi::policy best =
      s.run<grid_stride>("grid-stride saxpy" + of, amphi::vary_block()).best().candidate.policy;
  s.run<grid_stride>("grid-stride saxpy" + of + ", best block", amphi::vary_grid({.block = best.block}));
  const std::vector<amphi::tune_report> over_blocks(s.reports().begin(), s.reports().begin() + 2);
  if (s.reports()[0].device.backend == amphi::backend::cpu)
    s.run<grid_stride>("grid-stride saxpy" + of + ", no blocks", amphi::vary_workers());

  write_file(csv_file, csv(s.reports()));
  write_file(json_file, json(s.reports()));
  write_file(svg_file, amphi::tune_plot(over_blocks, "saxpy" + of + ", on " + device));
  return s.good() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "block_size_sweep: %s\n", e.what());
  return 1;
}
