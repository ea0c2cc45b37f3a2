// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "amphi/tune/candidates.hpp"
#include "amphi/tune/file.hpp"
#include "amphi/tune/report.hpp"
#include "amphi/verify/verify.hpp"

// tune measures a computation under several launch policies and says which is the fastest:
//
//   const auto report = amphi::tune(
//       "saxpy", amphi::vary_block(),
//       [&](const amphi::policy& p) { amphi::launch<saxpy>(p, n, a, x.read(p), y.read_write(p)); },
//       [&](const amphi::policy& p) { …; return host_copy; },   // as for amphi::verify
//       {.bytes = 12.0 * n, .file = "tuning.txt"});
//   std::cout << report;
//   amphi::launch<saxpy>(report.best().candidate.policy, …);

namespace amphi {

// Milliseconds that `calls` calls of `run` take, one after another, under the policy.
using tune_timer = std::function<double(const policy& p, int calls, const std::function<void()>& run)>;

struct tune_options {
  double bytes = 0;                  // read and written by one run, for GB/s; 0: not counted
  int runs = 11;                     // samples that are timed
  int warm_up = 2;                   // samples before them
  double sample_milliseconds = 0.5;  // a sample calls `run` again until it takes about so long
  int registers = 0;     // of a thread, for the occupancy of launches on the CPU; a GPU knows its kernels
  std::string file{};    // tuning file: what it knows is not measured again, and a winner is added; "": none
  bool again = false;    // measure although the file knows the winner
  bool progress = true;  // a line on standard error, where that is a terminal
  tune_timer timer{};    // by default events on a GPU, the host's clock on the CPU
};

namespace detail {

using tune_result = std::function<void(verify_report& report, const verify_path& path)>;

tune_report tune(const std::string& kernel, const std::vector<tune_candidate>& candidates,
                 const std::function<void(const policy&)>& run, const tune_result& result,
                 const tune_options& options);

}  // namespace detail

// Times run(policy) for each candidate. It is called many times and must put its work on the policy's stream;
// what should not be timed is done before. `result(policy)`, called once for each candidate and not timed,
// does the whole computation and returns a host copy of what came out, as for verify(): candidates whose bits
// differ from the first one's are named and can't win. A candidate that can't be launched is a row that says
// why. `kernel` is what the table, and the tuning file, call the computation: where the best policy depends
// on sizes, they belong into the name.
//
// The winner is the shortest median. Throws bounds_error for no candidates or bad options, launch_error for
// candidates of different backends, and memory_error when the tuning file could not be written, all before
// anything is run; what else is wrong with the file is a message of the report and on standard error.
template <std::invocable<const policy&> Run, std::invocable<const policy&> Result>
tune_report tune(const std::string& kernel, const std::vector<tune_candidate>& candidates, Run&& run,
                 Result&& result, const tune_options& options = {}) {
  return detail::tune(
      kernel, candidates, [&run](const policy& p) { run(p); },
      [&result](verify_report& report, const verify_path& path) {
        auto r = result(path.policy);
        detail::add_result(report, path, 0, r);
      },
      options);
}

// The same without a look at the results.
template <std::invocable<const policy&> Run>
tune_report tune(const std::string& kernel, const std::vector<tune_candidate>& candidates, Run&& run,
                 const tune_options& options = {}) {
  return detail::tune(
      kernel, candidates, [&run](const policy& p) { run(p); }, {}, options);
}

}  // namespace amphi
