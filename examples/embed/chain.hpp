// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// Equal masses between two walls, joined by springs that are not quite linear: the force of a spring
// stretched by d is d + alpha d². This header is C++11 and knows nothing of amphi; the build chooses who does
// the work: chain_loops.cpp (plain loops, C++11) or chain_amphi.cpp (amphi, C++20). Both give the same bits.
class chain {
 public:
  // Masses at rest, displaced.
  chain(const std::vector<double>& displacement, double alpha);
  ~chain();
  chain(const chain&) = delete;
  chain& operator=(const chain&) = delete;

  // Goes on by `steps` steps of length dt (leapfrog).
  void advance(int steps, double dt);

  std::vector<double> displacement() const;
  std::vector<double> velocity() const;

  // Who does the work, for people.
  static std::string worker();

 private:
  struct state;
  std::unique_ptr<state> state_;
};
