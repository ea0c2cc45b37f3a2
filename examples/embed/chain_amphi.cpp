// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"

#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"

namespace {

AMPHI_LAUNCHABLE void kick(int i, double dt, double alpha, amphi::view<const double> x, double* v) {
  const int n = static_cast<int>(x.size());
  const double left = i == 0 ? x[i] : x[i] - x[i - 1];
  const double right = i + 1 == n ? -x[i] : x[i + 1] - x[i];
  v[i] += dt * ((right - left) + alpha * (right * right - left * left));
}

AMPHI_LAUNCHABLE void drift(int i, double dt, const double* v, double* x) { x[i] += dt * v[i]; }

std::vector<double> on_host(const amphi::array<double>& a) {
  const auto elements = a.host_read();
  return std::vector<double>(elements.begin(), elements.end());
}

}  // namespace

struct chain::state {
  amphi::array<double> x, v;
  double alpha;
};

chain::chain(const std::vector<double>& displacement, double alpha)
    : state_(new state{amphi::array<double>(displacement), amphi::array<double>(displacement.size(), 0.0),
                       alpha}) {}

chain::~chain() = default;

// On a GPU the host queues all steps and waits for none of them.
void chain::advance(int steps, double dt) {
  const int n = static_cast<int>(state_->x.size());
  for (int step = 0; step < steps; ++step) {
    amphi::parallel_for<kick>(0, n, dt, state_->alpha, state_->x.read(), state_->v.read_write());
    amphi::parallel_for<drift>(0, n, dt, state_->v.read(), state_->x.read_write());
  }
}

std::vector<double> chain::displacement() const { return on_host(state_->x); }
std::vector<double> chain::velocity() const { return on_host(state_->v); }

std::string chain::worker() { return std::string("amphi on ") + amphi::name(amphi::backend_in_use()); }
