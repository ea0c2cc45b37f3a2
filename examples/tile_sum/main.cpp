// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Sums of tiles of 256 numbers, one block each, in both forms of a kernel: the thread form is what a CUDA
// programmer writes, the block form is fast on the CPU too. Both give the bits of a loop.
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"

constexpr int tile = 256;

AMPHI_LAUNCHABLE void tile_sum(const float* x, float* out) {
  AMPHI_SHARED(s, float[tile]);
  const auto block = amphi::this_block();
  const auto t = amphi::thread_index().x;
  s[t] = x[amphi::global_thread_index()];
  block.sync();
  for (unsigned d = tile / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}

AMPHI_LAUNCHABLE void tile_sum_of_block(amphi::block block, const float* x, float* out) {
  AMPHI_SHARED(s, float[tile]);
  const auto b = block.index().x;
  block.for_each_thread([&](int t) { s[t] = x[b * tile + static_cast<unsigned>(t)]; });
  for (int d = tile / 2; d > 0; d /= 2) {
    block.for_each_thread([&](int t) {
      if (t < d) s[t] += s[t + d];
    });
  }
  block.single([&] { out[b] = s[0]; });
}

int main() {
  constexpr int tiles = 1000;
  std::vector<float> x(tile * tiles), expected(tiles);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(1 + i % 1013);
  for (std::size_t b = 0; b < tiles; ++b) {
    std::vector<float> s(&x[b * tile], &x[b * tile] + tile);
    for (std::size_t d = tile / 2; d > 0; d /= 2)
      for (std::size_t t = 0; t < d; ++t) s[t] += s[t + d];
    expected[b] = s[0];
  }

  const amphi::array<float> in{std::span<const float>(x)};
  amphi::array<float> sums(tiles), sums_of_blocks(tiles);
  const amphi::policy p{.grid = tiles, .block = tile};
  amphi::launch<tile_sum>(p, in.read(), sums.write());
  amphi::launch<tile_sum_of_block>(p, in.read(), sums_of_blocks.write());

  const bool same =
      std::memcmp(sums.host_read().data(), expected.data(), tiles * sizeof(float)) == 0 &&
      std::memcmp(sums_of_blocks.host_read().data(), expected.data(), tiles * sizeof(float)) == 0;
  std::printf("%d tiles, both forms: %s\n", tiles, same ? "the bits of the loop" : "DIFFERENT");
  return same ? 0 : 1;
}
