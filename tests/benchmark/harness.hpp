// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "amphi/amphi.hpp"

// Compares something with a baseline in one run: pairs of both are interleaved, the ratio is taken within a
// pair, and the baseline is also compared with itself, so that a ratio can be told from noise.

namespace benchmark {

struct quartiles {
  double low = 0, median = 0, high = 0;

  static quartiles of(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const auto at = [&](double q) {
      return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
    };
    return {at(0.25), at(0.5), at(0.75)};
  }
};

struct row {
  std::string what, baseline;
  std::int64_t n = 0;
  double milliseconds = 0, baseline_milliseconds = 0;  // medians
  double gigabytes_per_second = 0;                     // of `what`; 0 when no bytes were counted
  quartiles ratio;   // baseline time / time: above 1 is faster than the baseline
  quartiles itself;  // the baseline against itself
};

// Milliseconds of `repetitions` calls, one of them on average. On a GPU by events around all of them.
inline double time_of(const std::function<void()>& f, int repetitions, bool on_gpu) {
  if (on_gpu) {
    const amphi::stream_view stream;
    const amphi::event begin = stream.record();
    for (int i = 0; i < repetitions; ++i) f();
    const amphi::event end = stream.record();
    return amphi::elapsed(begin, end).count() / repetitions;
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i) f();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count() / repetitions;
}

class table {
 public:
  explicit table(std::string title, int pairs = 21) : title_(std::move(title)), pairs_(pairs) {
    std::printf("\n%s\n%-44s %-34s %11s %11s %11s %8s %7s %15s\n", title_.c_str(), "what", "baseline", "n",
                "ms", "baseline ms", "GB/s", "ratio", "baseline itself");
  }

  // `bytes`: read and written by `what`. `on_gpu`: both are timed by events. `times`: so often does one call
  // of candidate or reference do its work.
  void compare(const std::string& what, const std::string& baseline, std::int64_t n, double bytes,
               bool on_gpu, const std::function<void()>& candidate, const std::function<void()>& reference,
               int times = 1) {
    // Enough calls in a sample that the clock does not matter: about half a millisecond.
    double first = 0;
    for (int i = 0; i < 3; ++i)
      first = std::max(time_of(candidate, 1, on_gpu), time_of(reference, 1, on_gpu));
    const int repetitions = std::clamp(static_cast<int>(0.5 / std::max(first, 1e-6)), 1, 1000);
    (void)time_of(candidate, repetitions, on_gpu);
    std::vector<double> durations, references, ratios, itself;
    for (int i = 0; i < pairs_; ++i) {
      const double before = time_of(reference, repetitions, on_gpu);
      const double time = time_of(candidate, repetitions, on_gpu);
      const double after = time_of(reference, repetitions, on_gpu);
      durations.push_back(time), references.push_back(before), references.push_back(after);
      ratios.push_back((before + after) / (2 * time)), itself.push_back(before / after);
    }
    row r;
    r.what = what, r.baseline = baseline, r.n = n;
    r.milliseconds = quartiles::of(durations).median / times;
    r.baseline_milliseconds = quartiles::of(references).median / times;
    r.gigabytes_per_second = bytes * 1e-6 / r.milliseconds;
    r.ratio = quartiles::of(ratios), r.itself = quartiles::of(itself);
    std::printf("%-44s %-34s %11lld %11.5f %11.5f %8.1f %7.3f   %.3f … %.3f\n", what.c_str(),
                baseline.c_str(), static_cast<long long>(n), r.milliseconds, r.baseline_milliseconds,
                r.gigabytes_per_second, r.ratio.median, r.itself.low, r.itself.high);
    std::fflush(stdout);
    rows_.push_back(std::move(r));
  }

  const std::string& title() const { return title_; }
  const std::vector<row>& rows() const { return rows_; }

 private:
  std::string title_;
  int pairs_;
  std::vector<row> rows_;
};

using call = std::function<void()>;
using launched = std::function<void(const amphi::policy&)>;  // as the policy says

// Short kernels of a GPU are launched by a graph, many in a row: one by one they take less time than the host
// needs to launch them, which other tables compare. A call does the work `times`.
struct graphs {
  amphi::stream stream;
  int times;

  call operator()(const launched& f) const {
    if (times == 1) return [f] { f({}); };
    const auto made = std::make_shared<amphi::graph>(stream.capture([&] {
      for (int i = 0; i < times; ++i) f({.stream = stream});
    }));
    return [made] { made->replay(amphi::stream_view()); };
  }
};

// Writes tables as JSON: {"machine": …, "tables": [{"title": …, "rows": [{…}]}]}.
inline void write_json(const char* path, const std::vector<table>& tables) {
  std::FILE* f = std::fopen(path, "w");
  if (f == nullptr) {
    std::fprintf(stderr, "can't write %s\n", path);
    return;
  }
  const amphi::device_properties d = amphi::properties_of_current_device();
  std::fprintf(f, "{\"machine\": \"%s\", \"backend\": \"%s\", \"tables\": [", d.name,
               amphi::name(amphi::backend_in_use()));
  const char* between_tables = "\n";
  for (const table& t : tables) {
    std::fprintf(f, "%s{\"title\": \"%s\", \"rows\": [", between_tables, t.title().c_str());
    const char* between = "\n  ";
    for (const row& r : t.rows()) {
      std::fprintf(
          f,
          "%s{\"what\": \"%s\", \"baseline\": \"%s\", \"n\": %lld, \"ms\": %.6g, \"baseline_ms\": %.6g, "
          "\"GB/s\": %.5g, \"ratio\": [%.4g, %.4g, %.4g], \"baseline_itself\": [%.4g, %.4g, %.4g]}",
          between, r.what.c_str(), r.baseline.c_str(), static_cast<long long>(r.n), r.milliseconds,
          r.baseline_milliseconds, r.gigabytes_per_second, r.ratio.low, r.ratio.median, r.ratio.high,
          r.itself.low, r.itself.median, r.itself.high);
      between = ",\n  ";
    }
    std::fprintf(f, "]}");
    between_tables = ",\n";
  }
  std::fprintf(f, "\n]}\n");
  std::fclose(f);
}

// What a benchmark was asked for.
struct options {
  const char* json = nullptr;  // where to write the tables as well
  bool small = false;          // quick, to see that it works
  std::vector<std::string> flags;
  bool has(const char* flag) const { return std::find(flags.begin(), flags.end(), flag) != flags.end(); }
};

// The main program of a benchmark: options --json FILE and --small, and `flags` of its own.
inline int run(const char* program, int argc, char** argv, const std::vector<std::string>& flags,
               const std::function<std::vector<table>(const options&)>& measure) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json" && i + 1 < argc) {
      o.json = argv[++i];
    } else if (word == "--small") {
      o.small = true;
    } else if (std::find(flags.begin(), flags.end(), word) != flags.end()) {
      o.flags.push_back(word);
    } else {
      const bool help = word == "--help";
      std::FILE* const to = help ? stdout : stderr;
      if (!help) std::fprintf(to, "%s: there is no option %s\n", program, word.c_str());
      std::fprintf(to, "usage: %s [--json FILE] [--small]", program);
      for (const std::string& f : flags) std::fprintf(to, " [%s]", f.c_str());
      std::fprintf(to, "\n");
      return help ? 0 : 2;
    }
  }
  try {
    const std::vector<table> tables = measure(o);
    if (o.json != nullptr) write_json(o.json, tables);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", program, e.what());
    return 1;
  }
}

}  // namespace benchmark
