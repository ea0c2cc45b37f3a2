// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/tune.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "amphi/core/error.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/occupancy.hpp"
#include "common/number_text.hpp"
#include "common/observe.hpp"
#include "common/tune.hpp"

namespace amphi::detail {
namespace {

double measured_time(const policy& p, int calls, const std::function<void()>& run) {
  if (resolve(p.backend) == backend::cuda) {
    const event begin = p.stream.record();
    for (int i = 0; i < calls; ++i) run();
    return elapsed(begin, p.stream.record()).count();
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// A line on the terminal that says how far a long work is, and goes when it is done.
class progress_line {
 public:
  explicit progress_line(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~progress_line() {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void show(const std::string& text) const {
    if (shown_) std::fprintf(stderr, "\r\033[Kamphi: tuning %s", text.c_str());
  }

 private:
  bool shown_;
};

[[noreturn]] void bad(const std::string& kernel, const std::string& what) {
  throw bounds_error("tune(\"" + kernel + "\"): " + what);
}

void check(const std::string& kernel, const std::vector<tune_candidate>& candidates,
           const tune_options& options) {
  if (kernel.empty()) bad(kernel, "the name is empty; give the computation one");
  if (candidates.empty()) bad(kernel, "there are no candidates");
  const auto at_least = [&](const char* option, double value, double least) {
    if (!(value >= least) || std::isinf(value))
      bad(kernel, std::string("option ") + option + " is " + number_text(value) + ", it must be " +
                      number_text(least) + " or more");
  };
  at_least("bytes", options.bytes, 0);
  at_least("runs", options.runs, 1);
  at_least("warm_up", options.warm_up, 0);
  at_least("sample_milliseconds", options.sample_milliseconds, 0);
  at_least("registers", options.registers, 0);
  const backend first = resolve(candidates.front().policy.backend);
  for (const tune_candidate& c : candidates)
    if (resolve(c.policy.backend) != first)
      throw launch_error("tune(\"" + kernel + "\"): candidate " + c.variable + " " + c.value +
                         " runs on the " + name(resolve(c.policy.backend)) +
                         " backend and the first one on " + name(first) + "; tune each backend by itself");
}

// Whose blocks a launch is given as.
bool has_geometry(const tune_row& row, const tune_device& device) {
  if (row.block.is_automatic() || row.grid.is_automatic()) return false;
  const policy& p = row.candidate.policy;
  return device.backend == backend::cuda || !p.grid.is_automatic() || !p.block.is_automatic();
}

class tuning {
 public:
  tuning(tune_report& report, const std::function<void(const policy&)>& run, const tune_result& result,
         const tune_options& options, const device_limits& limits)
      : report_(report),
        run_(run),
        result_(result),
        options_(options),
        timer_(options.timer ? options.timer : tune_timer(&measured_time)),
        limits_(limits) {}

  void measure(const tune_candidate& c) {
    tune_row row;
    row.candidate = c;
    row.grid = c.policy.grid, row.block = c.policy.block;
    try {
      compare(row);
      time(row);
    } catch (const launch_error& e) {
      row.result = tune_row::outcome::refused;
      row.note = std::string("does not fit: ") + e.what();
    } catch (const std::exception& e) {
      row.result = tune_row::outcome::failed;
      row.note = std::string("failed: ") + e.what();
    } catch (...) {
      row.result = tune_row::outcome::failed;
      row.note = "failed: an exception that is no std::exception";
    }
    report_.rows.push_back(std::move(row));
  }

  void choose_winner() {
    for (std::size_t i = 0; i < report_.rows.size(); ++i) {
      if (report_.rows[i].result != tune_row::outcome::measured) continue;
      if (!report_.found() || report_.rows[i].milliseconds < report_.best().milliseconds) report_.winner = i;
    }
    for (tune_row& row : report_.rows) {
      if (row.result == tune_row::outcome::measured && &row == &report_.best()) {
        prepend(row, "fastest");
      } else if (row.result == tune_row::outcome::measured && row.low <= report_.best().high) {
        prepend(row, "as fast, within the spread");
      }
    }
  }

 private:
  static void prepend(tune_row& row, const std::string& word) {
    row.note = word + (row.note.empty() ? "" : "; ") + row.note;
  }
  static void append(tune_row& row, const std::string& words) {
    row.note += (row.note.empty() ? "" : "; ") + words;
  }

  void compare(tune_row& row) {
    if (!result_) return;
    result_(bits_, {row.candidate.variable + " " + row.candidate.value, row.candidate.policy});
    const verify_row& compared = bits_.rows().back();
    if (compared.result != verify_row::outcome::different) return;
    row.result = tune_row::outcome::different;
    row.note = "DIFFERS: " + compared.detail;
  }

  void time(tune_row& row) {
    const policy& p = row.candidate.policy;
    const std::function<void()> run = [&] { run_(p); };
    const auto timed = [&](int calls) {
      const double t = timer_(p, calls, run);
      if (!(t >= 0) || std::isinf(t))
        throw bounds_error("the timer gave " + number_text(t) + " milliseconds; it must give 0 or more");
      return t;
    };
    double first = 0;
    {
      const launch_watch watch;
      first = timed(1);
      describe(row, watch);
    }
    const double wanted = options_.sample_milliseconds / first;  // infinite when no clock can tell
    const int calls = wanted > 1 ? static_cast<int>(std::min(std::ceil(wanted), 1000.0)) : 1;
    for (int i = 0; i < options_.warm_up; ++i) (void)timed(calls);
    std::vector<double> times;
    for (int i = 0; i < options_.runs; ++i) times.push_back(timed(calls) / calls);
    std::sort(times.begin(), times.end());
    const std::size_t last = times.size() - 1;
    row.milliseconds = (times[last / 2] + times[(last + 1) / 2]) / 2;
    row.low = times[(last + 2) / 4], row.high = times[last - (last + 2) / 4];
    if (options_.bytes > 0 && row.milliseconds > 0)
      row.gigabytes_per_second = options_.bytes * 1e-6 / row.milliseconds;
  }

  // What the launch was, and what there is to say about its geometry.
  void describe(tune_row& row, const launch_watch& watch) {
    if (watch.seen()) row.grid = watch.last().grid, row.block = watch.last().block;
    if (!has_geometry(row, report_.device)) {
      const std::int64_t workers = row.candidate.policy.workers.value_or(0);
      if (workers > report_.device.multiprocessors)
        append(row, "more workers than the " + std::to_string(report_.device.multiprocessors) +
                        " threads of the machine");
      return;
    }
    const std::int64_t threads = row.block.size(), blocks = row.grid.size();
    if (const std::int64_t rest = threads % limits_.warp_size; rest != 0)
      append(row, "not a multiple of " + std::to_string(limits_.warp_size) + ": " +
                      std::to_string(limits_.warp_size - rest) + " lanes of each block idle");
    if (blocks < report_.device.multiprocessors)
      append(row, "too few blocks: " + std::to_string(blocks) + " for " +
                      std::to_string(report_.device.multiprocessors) +
                      (report_.device.backend == backend::cuda ? " multiprocessors" : " processors"));
    if (threads < 1 || threads > limits_.threads_per_block) return;  // only what launched nothing has these
    std::int64_t shared = row.candidate.policy.shared_bytes.value_or(0);
    int registers = options_.registers;
    if (watch.seen()) {
      shared = watch.last().shared_bytes + watch.last().declared_bytes;
      if (watch.last().registers > 0) registers = watch.last().registers;
    }
    const occupancy_result o = occupancy(limits_, registers, shared, static_cast<int>(threads));
    row.occupancy = o.fraction;
    if (report_.device.backend == backend::cpu)
      report_.predicted_for = "sm_" + std::to_string(limits_.compute_capability) +
                              (registers > 0 ? ", " + std::to_string(registers) + " registers a thread"
                                             : ", registers and declared shared memory not counted");
    if (o.limited_by == occupancy_limit::registers || o.limited_by == occupancy_limit::shared_memory)
      append(row, std::string("occupancy limited by ") + name(o.limited_by));
  }

  tune_report& report_;
  const std::function<void(const policy&)>& run_;
  const tune_result& result_;
  const tune_options& options_;
  tune_timer timer_;
  verify_report bits_{floating_point_findings()};
  device_limits limits_;
};

}  // namespace

tune_report tune(const std::string& kernel, const std::vector<tune_candidate>& candidates,
                 const std::function<void(const policy&)>& run, const tune_result& result,
                 const tune_options& options) {
  check(kernel, candidates, options);
  tune_report report;
  report.kernel = kernel;
  report.device = device_of_policy(candidates.front().policy);
  report.runs = options.runs;
  report.compared = static_cast<bool>(result);
  if (!options.file.empty() && recall(report, candidates, options)) return report;

  tuning work(report, run, result, options, properties_of_policy(candidates.front().policy).limits);
  {
    const progress_line progress(options.progress);
    for (const tune_candidate& c : candidates) {
      progress.show(kernel + ": " + std::to_string(report.rows.size() + 1) + " of " +
                    std::to_string(candidates.size()) + ", " + c.variable + " " + c.value);
      work.measure(c);
    }
  }
  work.choose_winner();
  if (!options.file.empty()) keep(report, options);
  return report;
}

}  // namespace amphi::detail
