// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A sum over a block with a fault that hides on many a GPU. Three ways to find it on a CPU:
//   find_the_race missing     a barrier was forgotten: the result changes with AMPHI_ORDER (forward, reverse,
//                             random:1); built with ThreadSanitizer (preset tsan) a report names the line
//   find_the_race divergent   a barrier that only some threads reach: a barrier_error names them, and both
//   lines find_the_race             the right kernel
#include <cstdio>
#include <cstring>
#include <exception>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"

enum class fault { none, missing, divergent };

AMPHI_LAUNCHABLE void block_sum(fault f, int* out) {
  AMPHI_SHARED(s, int[256]);
  const auto block = amphi::this_block();
  const auto t = amphi::thread_index().x;
  s[t] = static_cast<int>(t);
  block.sync();
  for (unsigned d = 128; d > 0; d /= 2) {
    if (t < d) {
      s[t] += s[t + d];
      if (f == fault::divergent) block.sync();
    }
    if (f == fault::missing && d == 64) continue;
    block.sync();
  }
  if (t == 0) *out = s[0];
}

int main(int argc, char** argv) {
  fault f = fault::none;
  if (argc > 1 && std::strcmp(argv[1], "missing") == 0) f = fault::missing;
  if (argc > 1 && std::strcmp(argv[1], "divergent") == 0) f = fault::divergent;
  try {
    amphi::array<int> sum(1);
    amphi::launch<block_sum>({.grid = 1, .block = 256}, f, sum.write());
    const int got = sum.host_read()[0];
    std::printf("sum %d, expected %d\n", got, 255 * 128);
    return got == 255 * 128 ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
