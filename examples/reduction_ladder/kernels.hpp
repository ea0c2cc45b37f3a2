// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/bits.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/warp.hpp"

// The steps of the ladder: kernels that sum tiles, one block each, so that out[b] is the sum of tile b. A
// tile is as long as the block, or `Loads` times as long. Any block of 1 to 1024 threads and any n will do: a
// thread adds where both operands exist, and nothing is padded.

namespace ladder {

constexpr unsigned largest_block = 1024;

// The part of the data that a block sums.
struct tile {
  std::int64_t first;  // its first element
  unsigned values;     // threads that have one
};

AMPHI_LAUNCHABLE tile tile_of_block(std::int64_t n, int loads) {
  const std::int64_t size = amphi::block_extent().x, first = amphi::block_index().x * size * loads;
  return {first, static_cast<unsigned>(n - first < size ? n - first : size)};
}

// The largest power of two below `values`: the first distance of a tree that halves them. 0 for one value.
AMPHI_LAUNCHABLE unsigned first_distance(unsigned values) {
  return values < 2 ? 0u : 1u << (31 - amphi::countl_zero(values - 1));
}

// 1. Neighbours add up in pairs, then pairs of pairs, in place in global memory. Of each warp every second
// thread works, then every fourth: the warp takes as long as if all did (divergence).
template <class T>
AMPHI_LAUNCHABLE void neighboured(std::int64_t n, T* data, T* out) {
  const auto block = amphi::this_block();
  const tile mine = tile_of_block(n, 1);
  const unsigned t = amphi::thread_index().x;
  T* const s = data + mine.first;
  for (unsigned d = 1; d < mine.values; d *= 2) {
    if (t % (2 * d) == 0 && t + d < mine.values) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// 2. The same pairs, but the first threads of the block do them all: whole warps work or rest.
template <class T>
AMPHI_LAUNCHABLE void neighboured_less_divergence(std::int64_t n, T* data, T* out) {
  const auto block = amphi::this_block();
  const tile mine = tile_of_block(n, 1);
  const unsigned t = amphi::thread_index().x;
  T* const s = data + mine.first;
  for (unsigned d = 1; d < mine.values; d *= 2) {
    const unsigned i = 2 * d * t;
    if (i + d < mine.values) s[i] += s[i + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// 3. The same indices in shared memory: data is read once. Threads of a warp are 2 d elements apart, so that
// at d = 16 all 32 want the same bank, one after another.
template <class T>
AMPHI_LAUNCHABLE void strided_index(std::int64_t n, T* data, T* out) {
  AMPHI_SHARED(s, T[largest_block]);
  const auto block = amphi::this_block();
  const tile mine = tile_of_block(n, 1);
  const unsigned t = amphi::thread_index().x;
  if (t < mine.values) s[t] = data[mine.first + t];
  block.sync();
  for (unsigned d = 1; d < mine.values; d *= 2) {
    const unsigned i = 2 * d * t;
    if (i + d < mine.values) s[i] += s[i + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// Sums s[0 … values) into s[0] by halves: at each distance neighbours in a warp read neighbours in memory.
template <class Shared>
AMPHI_LAUNCHABLE void add_halves(Shared& s, unsigned t, unsigned values) {
  const auto block = amphi::this_block();
  for (unsigned d = first_distance(values); d > 0; d /= 2) {
    if (t < d && t + d < values) s[t] += s[t + d];
    block.sync();
  }
}

// 4. Interleaved pairs: no divergence, no bank conflicts.
template <class T>
AMPHI_LAUNCHABLE void interleaved(std::int64_t n, T* data, T* out) {
  AMPHI_SHARED(s, T[largest_block]);
  const tile mine = tile_of_block(n, 1);
  const unsigned t = amphi::thread_index().x;
  if (t < mine.values) s[t] = data[mine.first + t];
  amphi::this_block().sync();
  add_halves(s, t, mine.values);
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// The elements t, t + block, … of a tile of `Loads` blocks, added in this order. Loads of a whole tile are
// independent of each other, and so all on their way at once.
template <int Loads, class T>
AMPHI_LAUNCHABLE T sum_of_loads(const T* data, std::int64_t n, const tile& mine, unsigned t) {
  const std::int64_t block = amphi::block_extent().x;
  const T* const x = data + mine.first + t;
  T sum = x[0];
  if (mine.first + Loads * block <= n) {
    T more[Loads];
    for (int k = 1; k < Loads; ++k) more[k] = x[k * block];
    for (int k = 1; k < Loads; ++k) sum += more[k];
  } else {
    for (int k = 1; k < Loads; ++k)
      if (mine.first + t + k * block < n) sum += x[k * block];
  }
  return sum;
}

// 5 to 7. First add during load, of 2 elements, 4 and 8 (unrolled): half of the threads no longer rest from
// the first step on, and more loads are under way.
template <class T, int Loads>
AMPHI_LAUNCHABLE void unrolled(std::int64_t n, T* data, T* out) {
  AMPHI_SHARED(s, T[largest_block]);
  const tile mine = tile_of_block(n, Loads);
  const unsigned t = amphi::thread_index().x;
  if (t < mine.values) s[t] = sum_of_loads<Loads>(data, n, mine, t);
  amphi::this_block().sync();
  add_halves(s, t, mine.values);
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// Sums s[0 … min(values, 64)) in the first warp, without barriers of the block. Since Volta the lanes of a
// warp need not go in step: each step ends with the warp's own barrier, and no lane writes what another one
// reads in the same step.
template <class Shared>
AMPHI_LAUNCHABLE void add_in_last_warp(Shared& s, unsigned t, unsigned values) {
  const auto warp = amphi::this_warp();
  for (unsigned d = 32; d > 0; d /= 2) {
    if (t < d && t + d < values) s[t] += s[t + d];
    warp.sync();
  }
}

// 8. The last warp unrolled: six barriers of the block fewer.
template <class T, int Loads>
AMPHI_LAUNCHABLE void unrolled_last_warp(std::int64_t n, T* data, T* out) {
  AMPHI_SHARED(s, T[largest_block]);
  const auto block = amphi::this_block();
  const tile mine = tile_of_block(n, Loads);
  const unsigned t = amphi::thread_index().x;
  if (t < mine.values) s[t] = sum_of_loads<Loads>(data, n, mine, t);
  block.sync();
  for (unsigned d = first_distance(mine.values); d > 32; d /= 2) {
    if (t < d && t + d < mine.values) s[t] += s[t + d];
    block.sync();
  }
  if (t < 32) add_in_last_warp(s, t, mine.values);
  if (t == 0) out[amphi::block_index().x] = s[0];
}

// One step of a tree whose size is known to the compiler; none where the distance is too large for it.
template <unsigned Block, unsigned Distance, class Shared>
AMPHI_LAUNCHABLE void add_at(Shared& s, unsigned t, unsigned values) {
  if constexpr (Block > Distance) {
    if (t < Distance && t + Distance < values) s[t] += s[t + Distance];
    amphi::this_block().sync();
  }
}

// 9. Complete unroll by template: `Block` is a power of two that is not below the block, and no loop is left.
template <class T, int Loads, unsigned Block>
AMPHI_LAUNCHABLE void complete_unroll(std::int64_t n, T* data, T* out) {
  AMPHI_SHARED(s, T[Block]);
  const tile mine = tile_of_block(n, Loads);
  const unsigned t = amphi::thread_index().x;
  if (t < mine.values) s[t] = sum_of_loads<Loads>(data, n, mine, t);
  amphi::this_block().sync();
  add_at<Block, 512>(s, t, mine.values);
  add_at<Block, 256>(s, t, mine.values);
  add_at<Block, 128>(s, t, mine.values);
  add_at<Block, 64>(s, t, mine.values);
  if (t < 32) add_in_last_warp(s, t, mine.values);
  if (t == 0) out[amphi::block_index().x] = s[0];
}

}  // namespace ladder
