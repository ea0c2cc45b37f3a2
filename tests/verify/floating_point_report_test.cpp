// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/verify/floating_point_report.hpp"

#include <cfenv>

#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

#if defined(__x86_64__)
#  include <xmmintrin.h>
#endif

using namespace amphi_test;

namespace {

TEST(floating_point_report, finds_nothing_in_a_unit_with_the_librarys_flags) {
  const amphi::floating_point_findings found = amphi::floating_point_report();
  EXPECT_TRUE(found.exact()) << found.text();
  EXPECT_TRUE(found.host.measured);
  EXPECT_TRUE(found.workers.measured);
  EXPECT_EQ(found.device.measured, on_gpu());
  EXPECT_TRUE(says(found.text(),
                   {"host      exact", "workers   exact", on_gpu() ? "device    exact" : "not measured"}));
}

#if defined(__GLIBC__) && defined(__x86_64__)
// A program may have asked for traps on what it takes for its own mistakes.
TEST(floating_point_report, computes_nothing_that_traps) {
  ASSERT_NE(feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), -1);
  const amphi::floating_point_findings found = amphi::floating_point_report();
  fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_TRUE(found.host.exact()) << found.text();
}
#endif

// Other kinds of faults in their kind alone.
TEST(floating_point_report, finds_another_rounding_mode) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const amphi::arithmetic_state host = amphi::floating_point_report().host;
    std::fesetround(FE_TONEAREST);
    EXPECT_FALSE(host.rounds_to_nearest);
    EXPECT_FALSE(host.exact());
    EXPECT_FALSE(host.reassociates || host.approximates || host.assumes_finite || host.flushes_subnormals);
  }
  EXPECT_TRUE(amphi::floating_point_report().host.exact());
}

#if defined(__x86_64__)
constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;

TEST(floating_point_report, finds_flushed_subnormals_on_the_calling_thread) {
  for (const unsigned bit : {flush_to_zero, denormals_are_zero}) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | bit);
    const amphi::floating_point_findings found = amphi::floating_point_report();
    _mm_setcsr(before);
    EXPECT_TRUE(found.host.flushes_subnormals);
    EXPECT_FALSE(found.exact());
    EXPECT_FALSE(found.host.fuses || found.host.reassociates || found.host.approximates);
    EXPECT_TRUE(found.host.rounds_to_nearest);
    EXPECT_TRUE(says(found.text(), {"host      flushes: ", "-ffast-math", "FTZ"}));
  }
}

struct set_flushing {
  bool on;
  AMPHI_HOST_DEVICE void operator()() const {
#  if !AMPHI_DEVICE_CODE
    if (amphi::global_thread_index() == 0) return;  // the calling thread
    _mm_setcsr(on ? _mm_getcsr() | flush_to_zero : _mm_getcsr() & ~flush_to_zero);
#  endif
  }
};

struct count_flushing {
  int* count;
  AMPHI_HOST_DEVICE void operator()() const {
#  if !AMPHI_DEVICE_CODE
    if ((_mm_getcsr() & flush_to_zero) != 0) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#  endif
  }
};

// As when a library with fast-math starts a thread of the pool.
TEST(floating_point_report, finds_flushed_subnormals_on_a_worker) {
  const amphi::floating_point_findings before = amphi::floating_point_report();
  int flushing = 0;
  amphi::launch({.backend = backend::cpu}, set_flushing{true});
  amphi::launch({.backend = backend::cpu}, count_flushing{&flushing});
  const amphi::floating_point_findings found = amphi::floating_point_report();
  amphi::launch({.backend = backend::cpu}, set_flushing{false});
  EXPECT_TRUE(before.exact());
  EXPECT_TRUE(found.host.exact());
  EXPECT_EQ(found.workers.flushes_subnormals, flushing != 0);
  EXPECT_TRUE(amphi::floating_point_report().exact());
  if (flushing == 0) GTEST_SKIP() << "one worker only, or an OpenMP that gives workers the caller's state";
  EXPECT_TRUE(says(found.text(), {"host      exact", "workers   flushes: "}));
}
#endif

TEST(floating_point_report, prints_every_fault_with_its_cure) {
  amphi::floating_point_findings found;
  found.device = {true, true, true, true, true, true, false};
  EXPECT_FALSE(found.exact());
  EXPECT_TRUE(says(found.text(), {"host      not measured", "device    fuses: ", "--fmad=false",
                                  "reassociates: ", "approximates: ", "--prec-div=false", "assumes finite: ",
                                  "flushes: ", "--ftz=true", "rounding: ", "fesetround"}));
}

}  // namespace
