// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "amphi/runtime/backend.hpp"
#include "amphi/tune/candidates.hpp"

namespace amphi {

// What a result of tuning holds for: another device is tuned anew.
struct tune_device {
  std::string name;            // "NVIDIA H200"
  int compute_capability = 0;  // as in sm_90: 90; of the CPU 0
  amphi::backend backend = amphi::backend::cpu;
  int multiprocessors = 0;  // of the CPU: threads that can run at once

  // "NVIDIA H200 (sm_90)"
  std::string text() const;
  bool same_as(const tune_device& other) const {
    return name == other.name && compute_capability == other.compute_capability && backend == other.backend &&
           multiprocessors == other.multiprocessors;
  }
};

// The device that a launch with this policy would run on. Throws device_error as resolve() does.
tune_device device_of_policy(const policy& p);

// What came of one candidate.
struct tune_row {
  enum class outcome {
    measured,
    different,  // measured, but its result has other bits than the first candidate's
    refused,    // it can't be launched: a launch_error
    failed,     // another error
    remembered  // not measured: the winner that the tuning file knew
  };

  tune_candidate candidate;
  outcome result = outcome::measured;
  extent3 grid = extent3::automatic(), block = extent3::automatic();  // as launched
  double milliseconds = 0;                                            // of one run, median
  double low = 0, high = 0;                                           // quartiles
  double gigabytes_per_second = 0;                                    // 0: no bytes were counted
  double occupancy = -1;                                              // 0 … 1; negative: not known
  std::string note;  // "fastest", "not a multiple of 32: …"
};

// What tune() found. The members may be read, and a report may be made by hand.
struct tune_report {
  static constexpr std::size_t none = SIZE_MAX;

  std::string kernel;
  tune_device device;
  std::string predicted_for;  // on the CPU, the GPU whose occupancy is shown: "sm_90, …"
  int runs = 0;               // samples behind a median
  bool compared = false;      // were results compared by bits?
  std::vector<tune_row> rows;
  std::size_t winner = none;          // row of the shortest median
  std::vector<std::string> messages;  // about the tuning file; they went to standard error too

  // Is there a winner: has a candidate run, with the right bits?
  bool found() const { return winner != none; }
  // Its row. Throws launch_error, with the reason of each candidate, when there is none.
  const tune_row& best() const;
  // Has every candidate that ran the same bits, and did none fail? A refused one is no fault.
  bool identical() const;
  // Was nothing measured, because the tuning file knew the winner?
  bool remembered() const;

  // A table for people: candidate, block, grid, ms, GB/s, occupancy, note.
  std::string text() const;
  // The same for programs. Numbers have a point and all their digits in every locale.
  std::string csv() const;
  std::string json() const;
  // A plot of the candidates in their order: GB/s, or ms where no bytes were counted.
  std::string svg() const;
};

std::ostream& operator<<(std::ostream& out, const tune_report& report);

// One plot of several reports, a line for each, over the values of their candidates.
std::string tune_plot(const std::vector<tune_report>& reports, const std::string& title);

}  // namespace amphi
