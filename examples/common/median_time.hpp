// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "amphi/runtime/event.hpp"
#include "amphi/runtime/stream.hpp"

namespace example {

// Milliseconds that the work takes which `launch` puts on the default stream, as the device measures it: the
// median of `runs`, after one run for warming up. `prepare` is called before each run and not measured.
template <class Prepare, class Launch>
double median_milliseconds(int runs, Prepare&& prepare, Launch&& launch) {
  const amphi::stream_view stream;
  std::vector<double> times;
  for (int run = -1; run < runs; ++run) {
    prepare();
    const amphi::event begin = stream.record();
    launch();
    const amphi::event end = stream.record();
    const double time = amphi::elapsed(begin, end).count();
    if (run >= 0) times.push_back(time);
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

template <class Launch>
double median_milliseconds(int runs, Launch&& launch) {
  return median_milliseconds(
      runs, [] {}, launch);
}

}  // namespace example
