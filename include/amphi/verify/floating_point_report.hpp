// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>

#include "amphi/execution/launch.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/memory.hpp"

namespace amphi {

// How floating-point arithmetic is done in one place, found out by computing.
struct arithmetic_state {
  bool measured = false;
  bool fuses = false;               // a * b + c is rounded once
  bool reassociates = false;        // sums are rearranged, or kept with more bits than their type has
  bool approximates = false;        // quotients or square roots are not correctly rounded
  bool assumes_finite = false;      // NaN is taken to be impossible
  bool flushes_subnormals = false;  // subnormal operands or results become zero
  bool rounds_to_nearest = true;

  AMPHI_HOST_DEVICE constexpr bool exact() const {
    return !fuses && !reassociates && !approximates && !assumes_finite && !flushes_subnormals &&
           rounds_to_nearest;
  }
};

// The arithmetic of the unit that called floating_point_report().
struct floating_point_findings {
  arithmetic_state host;     // the calling thread
  arithmetic_state workers;  // the CPU threads that launches use, all faults of all of them together
  arithmetic_state
      device;  // the current GPU; not measured where none is in use, or in a unit that is not CUDA

  // Does every place that was measured compute as the promise of equal bits needs it?
  constexpr bool exact() const { return host.exact() && workers.exact() && device.exact(); }
  // A line per place, and for each fault what it is and its cure.
  std::string text() const;
};

namespace detail {

// Calls `measure` on each CPU thread that an automatic launch would use; gives the faults of all.
arithmetic_state measure_on_workers(arithmetic_state (*measure)());

// Compiled in each unit, with that unit's flags. Volatile hides the values from the compiler.
[[maybe_unused]] static AMPHI_LAUNCHABLE arithmetic_state measure_arithmetic() {
  arithmetic_state s;
  s.measured = true;

  const volatile float hidden_a = 1.0f + 0x1p-12f, hidden_aa = 1.0f + 0x1p-11f;
  const volatile double hidden_b = 1.0 + 0x1p-27, hidden_bb = 1.0 + 0x1p-26;
  const float a = hidden_a, aa = hidden_aa;
  const double b = hidden_b, bb = hidden_bb;
  s.fuses = a * a - aa != 0.0f || b * b - bb != 0.0;

  const volatile float hidden_one = 1.0f, hidden_small = 0x1p-30f;
  const float one = hidden_one, small = hidden_small;
  const float up = one + small, down = -one - small, tie = one + 0x1p-23f * (one + one * 0.5f);
  s.rounds_to_nearest = up == 1.0f && down == -1.0f && tie == 1.0f + 0x1p-22f;
  s.reassociates = s.rounds_to_nearest && (one + small) - one != 0.0f;

  // Not computed: where a program has asked for traps, 0 / 0 would end it.
  const volatile float hidden_nan = std::numeric_limits<float>::quiet_NaN();
  const float nan = hidden_nan;
  s.assumes_finite = !(nan != nan);

  // A double holds enough bits for its rounded quotient and root to be those of float. In another rounding
  // mode they differ, which is no fault of theirs.
  for (int i = 1; i <= 40 && s.rounds_to_nearest; ++i) {
    const volatile float hidden_x = static_cast<float>(2 * i + 1), hidden_y = static_cast<float>(7 * i - 3);
    const float x = hidden_x, y = hidden_y;
    if (x / y != static_cast<float>(static_cast<double>(x) / static_cast<double>(y))) s.approximates = true;
    if (x / 49.0f != static_cast<float>(static_cast<double>(x) / 49.0)) s.approximates = true;
    if (std::sqrt(x) != static_cast<float>(std::sqrt(static_cast<double>(x)))) s.approximates = true;
  }

  const volatile float hidden_subnormal = 1e-40f, hidden_least = 0x1p-126f;
  const volatile double hidden_subnormal_double = 1e-310, hidden_least_double = 0x1p-1022;
  const float from_subnormal = hidden_subnormal * 1e10f, to_subnormal = hidden_least * 0.25f;
  const double from_double = hidden_subnormal_double * 1e10, to_double = hidden_least_double * 0.25;
  s.flushes_subnormals = !(from_subnormal > 0.0f && to_subnormal * 0x1p100f > 0.0f && from_double > 0.0 &&
                           to_double * 0x1p1000 > 0.0);
  return s;
}

// The same on the host where a program has asked for traps: compilers that vectorise divide zeros by zeros in
// lanes that nobody asked for.
[[maybe_unused]] static arithmetic_state measure_without_traps() {
  std::fenv_t environment;
  const bool held = std::feholdexcept(&environment) == 0;
  arithmetic_state (*volatile const measure)() = &measure_arithmetic;  // nothing of it moves out of here
  const arithmetic_state s = measure();
  if (held) (void)std::fesetenv(&environment);
  return s;
}

#if AMPHI_CUDA_UNIT
[[maybe_unused]] static AMPHI_LAUNCHABLE void store_arithmetic(arithmetic_state* out) {
  *out = measure_arithmetic();
}
#endif

}  // namespace detail

// Measures how the calling unit, compiled with its flags and linked into this program, does floating-point
// arithmetic: on the calling thread, on the workers, and on the GPU. Synchronises. What it finds on the
// workers and the calling thread can come from elsewhere: one object that was linked with -ffast-math flushes
// subnormals in the whole process, thread by thread.
[[maybe_unused]] static inline floating_point_findings floating_point_report() {
  floating_point_findings found;
  found.host = detail::measure_without_traps();
  found.workers = detail::measure_on_workers(&detail::measure_without_traps);
#if AMPHI_CUDA_UNIT
  if (backend_in_use() == backend::cuda) {
    void* const out = allocate(sizeof(arithmetic_state), memory_space::device);
    try {
      launch<detail::store_arithmetic>(serial, static_cast<arithmetic_state*>(out));
      copy_bytes(&found.device, out, sizeof(arithmetic_state));
      stream_view().synchronize();
    } catch (...) {
      deallocate(out, memory_space::device);
      throw;
    }
    deallocate(out, memory_space::device);
  }
#endif
  return found;
}

}  // namespace amphi
