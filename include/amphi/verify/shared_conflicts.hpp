// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "amphi/config/abi.hpp"

// Predicts, without a GPU, the bank conflicts of kernels in shared memory:
//
//   const auto report = amphi::shared_conflicts([&] {
//     amphi::launch<transpose>({.grid = …, .block = {32, 8}, .backend = amphi::backend::cpu}, in, out);
//   });
//   std::cout << report;
//
// Shared memory has 32 banks of 4 bytes. A warp's request in which a bank is asked for several words takes as
// many passes. Counted is what is indexed in arrays of AMPHI_SHARED and in views of block.shared(), in
// checked builds, in launches on the CPU; an expression that reads and writes an element, s[i] += x, counts
// once. Not counted is what goes through a bare pointer.

namespace amphi {

// The requests of one line to one variable.
struct shared_conflict {
  std::string kernel, variable, file;
  int line = 0;
  int bytes = 0;               // of a lane: up to 4, 8 or 16
  std::int64_t requests = 0;   // of a warp
  std::int64_t passes = 0;     // that they take
  std::int64_t conflicts = 0;  // of these, more than without conflicts
  int ways = 0;                // lanes that wait for one bank in the worst request: 1 is none
};

struct shared_conflict_report {
  bool counted = false;               // false: this build is not checked
  std::vector<shared_conflict> rows;  // those with the most conflicts first
  std::int64_t not_counted = 0;       // accesses beyond 4 million between two barriers of a block

  // The worst of all rows; 0 when nothing was counted.
  int ways() const;
  // A line per row: kernel, variable, place, requests, ways, conflicts.
  std::string text() const;
};

std::ostream& operator<<(std::ostream& out, const shared_conflict_report& report);

namespace detail {

// Counts while it lives. Throws launch_error when another one does.
class shared_conflict_session {
 public:
  shared_conflict_session();
  ~shared_conflict_session();
  shared_conflict_session(const shared_conflict_session&) = delete;
  shared_conflict_session& operator=(const shared_conflict_session&) = delete;

  shared_conflict_report report() const;
};

}  // namespace detail

// Runs work() and counts in all launches that begin meanwhile, in other threads too.
template <std::invocable<> Work>
shared_conflict_report shared_conflicts(Work&& work) {
  const detail::shared_conflict_session session;
  work();
  return session.report();
}

}  // namespace amphi
