// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A fit as particle physics has it: simulated events are weighted by what two parameters say, their weights
// are summed into bins, and the bins are compared with data. A minimiser asks for that thousands of times, so
// one evaluation is captured once and replayed. The result has the same bits in every run and on every path,
// so that the minimiser takes the same steps everywhere; the program checks that too.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/transform.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/buffer.hpp"
#include "amphi/runtime/graph.hpp"
#include "amphi/verify/verify.hpp"
#include "common/command_line.hpp"

namespace {

struct parameters {
  double slope, strength;
};

// The weight of an event at energy e in 0 … 1: a slope, and an absorption line of some strength at 0.6.
struct weight {
  const parameters* p;
  AMPHI_HOST_DEVICE double operator()(float e) const {
    const double x = static_cast<double>(e), away = (x - 0.6) / 0.05;
    return (1.0 + p->slope * (x - 0.5)) * (1.0 - p->strength / (1.0 + away * away));
  }
};

struct square {
  AMPHI_HOST_DEVICE double operator()(double w) const { return w * w; }
};

// A bin's part of the misfit: the data have a Poisson error, the prediction one of its finite simulation.
struct misfit_of_bin {
  const double *sums, *squares, *data;
  AMPHI_HOST_DEVICE double operator()(std::int64_t b) const {
    const double difference = sums[b] - data[b];
    return difference * difference / (squares[b] + data[b] + 1.0);
  }
};

// The numbers of one evaluation, and the steps that make them, on any policy.
class model {
 public:
  model(const amphi::policy& p, const amphi::array<float>& energies, const amphi::array<int>& bins,
        int bin_count)
      : energies_(energies.read(p)),
        plan_(p, bins.read(p), bin_count),
        weights_(energies.size()),
        sums_(bin_count),
        squares_(bin_count),
        place_(sizeof(parameters), space_of(p)),
        misfit_(sizeof(double), space_of(p)),
        given_(sizeof(parameters), amphi::memory_space::pinned),
        answer_(sizeof(double), amphi::memory_space::pinned) {}

  parameters& given() { return *static_cast<parameters*>(given_.data()); }
  double answer() const { return *static_cast<const double*>(answer_.data()); }

  void predict(const amphi::policy& p) {
    amphi::copy_bytes(place_.data(), given_.data(), sizeof(parameters), p.stream);
    const auto w = weights_.write(p);
    amphi::transform(p, energies_, w, weight{static_cast<const parameters*>(place_.data())});
    plan_.reduce(p, w, sums_.write(p), 0.0, amphi::plus{});
    plan_.reduce(p, w, squares_.write(p), 0.0, amphi::plus{}, square());
  }
  void evaluate(const amphi::policy& p, const amphi::array<double>& data) {
    predict(p);
    const misfit_of_bin part{sums_.read(p).data(), squares_.read(p).data(), data.read(p).data()};
    auto* const to = static_cast<double*>(misfit_.data());
    amphi::reduce_into(p, amphi::index_range(0, plan_.bin_count()), to, 0.0, amphi::plus{}, part);
    amphi::copy_bytes(answer_.data(), to, sizeof(double), p.stream);
  }
  const amphi::array<double>& sums() const { return sums_; }

 private:
  // Where the launches of a policy reach.
  static amphi::memory_space space_of(const amphi::policy& p) {
    return amphi::resolve(p.backend) == amphi::backend::cpu ? amphi::memory_space::pageable
                                                            : amphi::memory_space::device;
  }

  amphi::view<const float> energies_;
  amphi::scatter_plan plan_;
  amphi::array<double> weights_, sums_, squares_;
  amphi::buffer place_, misfit_, given_, answer_;
};

// Smallest value of f between low and high by golden sections.
template <class F>
double minimum_of(double low, double high, F f) {
  constexpr double part = 0.6180339887498949;
  double a = high - part * (high - low), b = low + part * (high - low);
  double at_a = f(a), at_b = f(b);
  while (high - low > 1e-7) {
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      at_a = f(a = high - part * (high - low));
    } else {
      low = a, a = b, at_a = at_b;
      at_b = f(b = low + part * (high - low));
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "fits two parameters of a binned spectrum");
  const std::int64_t events = options.number("--events", 1000000, 1, 100000000, "simulated events");
  const auto bin_count = static_cast<int>(options.number("--bins", 500, 1, 100000, "bins of energy"));
  const std::int64_t rounds = options.number("--rounds", 20, 1, 1000, "rounds of the minimiser");
  options.finish();

  amphi::array<float> energies(events);
  amphi::array<int> bins(events);
  {
    const auto e = energies.host_write();
    const auto b = bins.host_write();
    std::uint64_t state = 2026;
    for (std::int64_t i = 0; i < events; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      e[i] = static_cast<float>(state >> 40) / 16777216.0f;
      b[i] = static_cast<int>(static_cast<double>(e[i]) * bin_count);
    }
  }

  const amphi::stream stream;
  const amphi::policy p{.stream = stream};
  model m(p, energies, bins, bin_count);
  const parameters truth{0.3, 0.4};
  m.given() = truth;
  m.predict(p);
  amphi::array<double> data = m.sums().clone();
  (void)data.read(p);  // brings it to the side that works, which can't be done while capturing
  m.evaluate(p, data);
  stream.synchronize();

  const amphi::graph evaluation = stream.capture([&] { m.evaluate(p, data); });
  std::int64_t evaluations = 0;
  const auto misfit = [&](double slope, double strength) {
    m.given() = {slope, strength};
    evaluation.replay();
    stream.synchronize();
    ++evaluations;
    return m.answer();
  };

  const auto start = std::chrono::steady_clock::now();
  parameters found{0.0, 0.0};
  for (std::int64_t r = 0; r < rounds; ++r) {
    found.slope = minimum_of(-1.0, 1.0, [&](double v) { return misfit(v, found.strength); });
    found.strength = minimum_of(0.0, 1.0, [&](double v) { return misfit(found.slope, v); });
  }
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const double captured = misfit(found.slope, found.strength);
  std::printf("slope %.6f (truth %.1f), strength %.6f (truth %.1f), misfit %.3g\n", found.slope, truth.slope,
              found.strength, truth.strength, captured);
  std::printf("%lld evaluations of %lld events in %d bins, %.3f ms each, %lld pieces of work\n",
              static_cast<long long>(evaluations), static_cast<long long>(events), bin_count,
              milliseconds / static_cast<double>(evaluations), static_cast<long long>(evaluation.size()));

  // The same call without a graph, and an evaluation of some events on every path of this machine.
  m.evaluate(p, data);
  stream.synchronize();
  const bool same_as_captured = m.answer() == captured;
  const std::int64_t some = events < 20000 ? events : 20000;  // a single thread of a GPU is slow
  const amphi::array<float> some_energies(
      std::span(energies.host_read().data(), static_cast<std::size_t>(some)));
  const amphi::array<int> some_bins(std::span(bins.host_read().data(), static_cast<std::size_t>(some)));
  const auto report = amphi::verify([&](const amphi::policy& path) {
    model other(path, some_energies, some_bins, bin_count);
    other.given() = found;
    other.evaluate(path, data);
    amphi::synchronize();
    return std::vector<double>{other.answer()};
  });
  std::printf("%s", report.text().c_str());
  const bool near = found.slope > truth.slope - 1e-3 && found.slope < truth.slope + 1e-3;
  return report.identical() && same_as_captured && near ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "likelihood: %s\n", e.what());
  return 1;
}
