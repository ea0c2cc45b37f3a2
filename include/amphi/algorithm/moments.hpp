// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/reduce_call.hpp"

// moments_of([policy,] in)    count, mean and variance in one pass, in double (float elements too)
//
// Computed from running means and sums of squared deviations, joined as Chan, Golub and LeVeque do (1983), in
// the order of reduce: no cancellation as in Σx² − (Σx)²/n. By value: waits for the result.

namespace amphi {

struct moments {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean

  // Of all elements, and estimated from a sample; 0 for fewer than one or two elements.
  AMPHI_HOST_DEVICE constexpr double variance() const {
    return count > 0 ? squares / static_cast<double>(count) : 0.0;
  }
  AMPHI_HOST_DEVICE constexpr double sample_variance() const {
    return count > 1 ? squares / static_cast<double>(count - 1) : 0.0;
  }
};

namespace detail {

struct join_moments {
  AMPHI_HOST_DEVICE constexpr moments operator()(const moments& a, const moments& b) const {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const auto n = static_cast<double>(a.count + b.count), m = static_cast<double>(b.count);
    const double delta = b.mean - a.mean;
    return {a.count + b.count, a.mean + delta * (m / n),
            a.squares + b.squares + delta * delta * (static_cast<double>(a.count) * (m / n))};
  }
};

struct moments_of_one {
  template <class T>
  AMPHI_HOST_DEVICE constexpr moments operator()(const T& v) const {
    static_assert(lossless<T, double>(), "amphi: moments_of takes elements that a double holds");
    return {1, static_cast<double>(v), 0.0};
  }
};

}  // namespace detail

template <detail::input In>
moments moments_of(const policy& p, In&& in) {
  constexpr const char* name = "amphi::moments_of";
  return detail::reduce_value(name, p, detail::source_of(in), detail::count_of(name, in), moments(),
                              detail::join_moments(), detail::moments_of_one());
}

template <detail::input In>
moments moments_of(In&& in) {
  return amphi::moments_of(policy{}, in);
}

}  // namespace amphi
