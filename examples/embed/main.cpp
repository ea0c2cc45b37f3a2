// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// embed: a simulation code in C++11 that hides amphi behind chain.hpp, and that builds and gives the same
// bits without it. It repeats the experiment of Fermi, Pasta, Ulam and Tsingou (1955): a chain that starts in
// its lowest mode gives its energy to the next ones, and after a while takes nearly all of it back.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "chain.hpp"

namespace {

const double pi = 3.14159265358979323846;

double mode(std::size_t n, int k, std::size_t i) {
  return std::sqrt(2.0 / static_cast<double>(n + 1)) *
         std::sin(pi * k * static_cast<double>(i + 1) / static_cast<double>(n + 1));
}

// Energy of mode k in the linear chain.
double mode_energy(const std::vector<double>& x, const std::vector<double>& v, int k) {
  double a = 0, b = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    a += mode(x.size(), k, i) * x[i];
    b += mode(x.size(), k, i) * v[i];
  }
  const double omega = 2 * std::sin(pi * k / (2.0 * static_cast<double>(x.size() + 1)));
  return 0.5 * (b * b + omega * omega * a * a);
}

// All of it, springs and motion.
double energy(const std::vector<double>& x, const std::vector<double>& v, double alpha) {
  double sum = 0;
  for (std::size_t i = 0; i <= x.size(); ++i) {
    const double d = (i < x.size() ? x[i] : 0) - (i > 0 ? x[i - 1] : 0);
    sum += 0.5 * d * d + alpha * d * d * d / 3;
    if (i < x.size()) sum += 0.5 * v[i] * v[i];
  }
  return sum;
}

// A number that changes with any bit of the state (FNV-1a).
std::uint64_t fingerprint(const std::vector<double>& values, std::uint64_t hash) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &values[i], sizeof(bits));
    hash = (hash ^ bits) * 1099511628211u;
  }
  return hash;
}

int number(const char* text, int least, int most) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != 0 || value < least || value > most) {
    std::fprintf(stderr, "%s: it must be a number from %d to %d\n", text, least, most);
    std::exit(2);
  }
  return static_cast<int>(value);
}

int run(int n, int rows) {
  const double alpha = 0.25, dt = 0.125;
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(pi * static_cast<double>(i + 1) / static_cast<double>(n + 1));
  chain c(x, alpha);
  std::vector<double> v = c.velocity();
  const double begin = energy(x, v, alpha);

  std::fprintf(stderr, "%d masses, %s\n", n, chain::worker().c_str());
  std::printf("%8s %10s %10s %10s %10s %14s\n", "time", "mode 1", "mode 2", "mode 3", "mode 4",
              "energy error");
  for (int row = 0;; ++row) {
    x = c.displacement();
    v = c.velocity();
    const double error = energy(x, v, alpha) / begin - 1;
    std::printf("%8.0f", row * 4000 * dt);
    for (int k = 1; k <= 4; ++k) std::printf(" %10.6f", mode_energy(x, v, k));
    std::printf(" %14.3e\n", error);
    if (!(std::fabs(error) < 0.02)) {
      std::printf("the energy was not kept: it is off by %g, expected less than 0.02\n", error);
      return 1;
    }
    if (row == rows) break;
    c.advance(4000, dt);
  }
  std::printf("fingerprint of the state %016llx\n",
              static_cast<unsigned long long>(fingerprint(v, fingerprint(x, 14695981039346656037u))));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int n = 32, rows = 20;
  for (int i = 1; i < argc; ++i) {
    if (i + 1 < argc && std::strcmp(argv[i], "--n") == 0) {
      n = number(argv[++i], 4, 1 << 24);
    } else if (i + 1 < argc && std::strcmp(argv[i], "--rows") == 0) {
      rows = number(argv[++i], 0, 1 << 20);
    } else {
      std::printf(
          "%s: a chain of masses, with or without amphi\n\n  --n N      masses (32)\n"
          "  --rows N   lines of the table, 4000 steps each (20)\n",
          argv[0]);
      return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
  }
  try {
    return run(n, rows);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
