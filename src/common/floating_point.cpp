// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <mutex>

#include "amphi/verify/floating_point_report.hpp"
#include "common/cpu_launch.hpp"

namespace amphi {
namespace {

void add_place(std::string& text, const char* place, const arithmetic_state& s) {
  text += place;
  if (!s.measured) {
    text += "not measured\n";
    return;
  }
  if (s.exact()) {
    text += "exact\n";
    return;
  }
  auto fault = [&, first = true](bool present, const char* words) mutable {
    if (!present) return;
    if (!first) text += "          ";
    first = false;
    text += words;
    text += '\n';
  };
  fault(
      s.fuses,
      "fuses: a * b + c is rounded once; compile with -ffp-contract=off (nvcc: --fmad=false), which linking "
      "amphi::amphi does, and write amphi::math::fma where fusing is meant");
  fault(s.reassociates,
        "reassociates: sums are rearranged or kept with more bits; compile without -ffast-math and "
        "-fassociative-math, and with SSE arithmetic (-mfpmath=sse)");
  fault(s.approximates,
        "approximates: quotients or square roots are not correctly rounded; compile without -ffast-math, "
        "-freciprocal-math and -mrecip (nvcc: --use_fast_math, --prec-div=false, --prec-sqrt=false)");
  fault(s.assumes_finite,
        "assumes finite: NaN is taken to be impossible; compile without -ffast-math and -ffinite-math-only");
  fault(s.flushes_subnormals,
        "flushes: subnormal numbers become zero; an object or library of the program was linked with "
        "-ffast-math, or somebody set the processor's FTZ or DAZ bit (nvcc: --ftz=true, --use_fast_math)");
  fault(
      !s.rounds_to_nearest,
      "rounding: the rounding mode is not to nearest; call std::fesetround(FE_TONEAREST) in this thread, and "
      "before the first launch");
}

void add_faults(arithmetic_state& all, const arithmetic_state& s) {
  all.measured = true;
  all.fuses |= s.fuses;
  all.reassociates |= s.reassociates;
  all.approximates |= s.approximates;
  all.assumes_finite |= s.assumes_finite;
  all.flushes_subnormals |= s.flushes_subnormals;
  all.rounds_to_nearest &= s.rounds_to_nearest;
}

}  // namespace

std::string floating_point_findings::text() const {
  std::string text;
  add_place(text, "host      ", host);
  add_place(text, "workers   ", workers);
  add_place(text, "device    ", device);
  return text;
}

namespace detail {

arithmetic_state measure_on_workers(arithmetic_state (*measure)()) {
  struct work {
    arithmetic_state (*measure)();
    std::mutex mutex;
    arithmetic_state all;

    void operator()() {
      const arithmetic_state s = measure();
      const std::lock_guard lock(mutex);
      add_faults(all, s);
    }
  };
  work w{measure, {}, {}};
  cpu_plan plan;
  plan.chunked = true;
  plan.workers = available_workers();
  plan.kernel = "floating_point_report";
  plan.run = &run_threads<work>;
  plan.body = &w;
  cpu_launch(plan);
  return w.all;
}

}  // namespace detail
}  // namespace amphi
