// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints results of reduce, segmented_reduce and inclusive_scan for canonical_order.py, which computes them
// with NumPy.
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/segmented_reduce.hpp"
#include "amphi/memory/array.hpp"

namespace {

template <class T>
T input(std::uint64_t i, std::uint64_t seed) {
  const std::uint64_t h = ((2 * i + seed) * 0x9E3779B97F4A7C15u) >> 20;
  const double u = static_cast<double>(h & 0xFFFFFF) / 16777216.0 - 0.5;
  return static_cast<T>(std::ldexp(u, static_cast<int>(h >> 24 & 15)));
}

template <class T>
std::uint64_t checksum(amphi::view<const T> y) {
  std::uint64_t sum = 0;
  for (const T e : y) {
    if constexpr (sizeof(T) == 4) {
      sum = sum * 31 + std::bit_cast<std::uint32_t>(e);
    } else {
      sum = sum * 31 + std::bit_cast<std::uint64_t>(e);
    }
  }
  return sum;
}

template <class T>
void results(const char* type, std::size_t n, unsigned seed) {
  amphi::array<T> x(n), y(n);
  {
    const auto v = x.host_write();
    for (std::size_t i = 0; i < n; ++i) v[i] = input<T>(i, seed);
  }
  const T sum = amphi::reduce(x.read(), T(0.5), amphi::plus{});
  std::printf("reduce %s %zu %u %016" PRIx64 "\n", type, n, seed, checksum<T>({&sum, 1}));
  // Segment k has 37 k² mod 9001 elements.
  amphi::array<std::uint32_t> offsets(n / 4500 + 1);
  {
    const auto o = offsets.host_write();
    o[0] = 0;
    for (std::uint64_t k = 0; k + 1 < o.size(); ++k) {
      const std::uint64_t end = o[k] + 37 * k * k % 9001;
      o[k + 1] = static_cast<std::uint32_t>(end < n ? end : n);
    }
  }
  amphi::array<T> sums(n / 4500);
  amphi::segmented_reduce(x.read(), offsets.read(), sums.write(), T(0.5), amphi::plus{});
  std::printf("segments %s %zu %u %016" PRIx64 "\n", type, n, seed, checksum<T>(sums.host_read()));
  if (n == 0 || n > 3000000) return;  // the scan of many takes NumPy long
  amphi::inclusive_scan(x.read(), y.write());
  std::printf("scan %s %zu %u %016" PRIx64 "\n", type, n, seed, checksum<T>(y.host_read()));
}

}  // namespace

int main() {
  for (const std::size_t n : {0u, 1u, 2u, 33u, 1000u, 1024u, 1025u, 4096u, 4097u, 16384u, 16385u, 100003u,
                              1048575u, 1048576u, 2097152u, 2500001u, 8388608u}) {
    results<float>("float", n, 1);
    results<double>("double", n, 7);
  }
}
