// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/paths.hpp"

// The paths of a kernel that needs its geometry: on the CPU in forward, reverse and three random orders and
// with several workers; on the backend in use as it is.

namespace amphi_test {

inline std::vector<path> block_paths(amphi::extent3 grid, amphi::extent3 block,
                                     std::int64_t shared_bytes = 0) {
  using amphi::thread_order;
  const auto cpu = [&](const char* name, thread_order order, int workers) {
    path p{name, {}};
    p.policy.backend = backend::cpu;
    p.policy.order = order;
    p.policy.workers = workers;
    return p;
  };
  std::vector<path> paths = {
      {"backend in use", {}},
      cpu("cpu forward", thread_order::forward, 1),
      cpu("cpu forward, 3 workers", thread_order::forward, 3),
      cpu("cpu reverse", thread_order::reverse, 2),
      cpu("cpu random:1", thread_order::random(1), 1),
      cpu("cpu random:2", thread_order::random(2), 3),
      cpu("cpu random:77", thread_order::random(77), 2),
  };
  for (path& p : paths) {
    p.policy.grid = grid;
    p.policy.block = block;
    p.policy.shared_bytes = shared_bytes;
  }
  return paths;
}

// One CPU path for tests of what only the CPU does.
inline policy cpu_block(amphi::extent3 grid, amphi::extent3 block) {
  policy p;
  p.grid = grid;
  p.block = block;
  p.backend = backend::cpu;
  return p;
}

}  // namespace amphi_test
