// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"

struct chain::state {
  std::vector<double> x, v;
  double alpha;
};

chain::chain(const std::vector<double>& displacement, double alpha)
    : state_(new state{displacement, std::vector<double>(displacement.size(), 0.0), alpha}) {}

chain::~chain() = default;

void chain::advance(int steps, double dt) {
  std::vector<double>&x = state_->x, &v = state_->v;
  const double alpha = state_->alpha;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double left = i == 0 ? x[i] : x[i] - x[i - 1];
      const double right = i + 1 == x.size() ? -x[i] : x[i + 1] - x[i];
      v[i] += dt * ((right - left) + alpha * (right * right - left * left));
    }
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
  }
}

std::vector<double> chain::displacement() const { return state_->x; }
std::vector<double> chain::velocity() const { return state_->v; }

std::string chain::worker() { return "plain loops"; }
