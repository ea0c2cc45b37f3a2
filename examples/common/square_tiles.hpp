// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/core/integer.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/runtime/policy.hpp"

// A block of 32 × 8 threads makes a tile of 32 × 32 elements, four rows a thread.

namespace square_tiles {

inline constexpr int tile = 32, rows = 8;

inline amphi::policy geometry(amphi::extent2 size, amphi::policy p = {}) {
  p.grid = {amphi::ceil_div(size.x, tile), amphi::ceil_div(size.y, tile)};
  p.block = {tile, rows};
  return p;
}

// The corner of the calling thread's tile, and its place in it.
struct place {
  int x0, y0, tx, ty;
};
AMPHI_LAUNCHABLE place here() {
  const amphi::launch_index block = amphi::block_index(), thread = amphi::thread_index();
  return {static_cast<int>(block.x) * tile, static_cast<int>(block.y) * tile, static_cast<int>(thread.x),
          static_cast<int>(thread.y)};
}

}  // namespace square_tiles
