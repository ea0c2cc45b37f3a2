// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "amphi/core/integer.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "reduction_ladder/kernels.hpp"

// The steps as a table, how to run one, and what a serial loop makes of the same order of additions.

namespace ladder {

// What a thread of a tree adds: its neighbour at distance 1, 2, 4, … or the element half of the rest away.
enum class tree { neighbours, halves };

template <class T>
struct step {
  std::string name;
  int loads;  // elements that each thread adds up before the tree begins
  tree order;
  bool in_place;  // the data are lost
  void (*launch)(const amphi::policy& p, std::int64_t n, T* data, T* out);
};

template <auto Kernel, class T>
void launch_kernel(const amphi::policy& p, std::int64_t n, T* data, T* out) {
  amphi::launch<Kernel>(p, n, data, out);
}

// The instance that the block's size asks for.
template <class T, int Loads>
void launch_complete_unroll(const amphi::policy& p, std::int64_t n, T* data, T* out) {
  const std::int64_t block = p.block.x;
  if (block <= 32) return amphi::launch<complete_unroll<T, Loads, 32>>(p, n, data, out);
  if (block <= 64) return amphi::launch<complete_unroll<T, Loads, 64>>(p, n, data, out);
  if (block <= 128) return amphi::launch<complete_unroll<T, Loads, 128>>(p, n, data, out);
  if (block <= 256) return amphi::launch<complete_unroll<T, Loads, 256>>(p, n, data, out);
  if (block <= 512) return amphi::launch<complete_unroll<T, Loads, 512>>(p, n, data, out);
  amphi::launch<complete_unroll<T, Loads, 1024>>(p, n, data, out);
}

template <class T>
std::vector<step<T>> all_steps() {
  return {
      {"neighboured pairs, global memory", 1, tree::neighbours, true, launch_kernel<neighboured<T>, T>},
      {"neighboured, less divergence", 1, tree::neighbours, true,
       launch_kernel<neighboured_less_divergence<T>, T>},
      {"strided index, shared memory", 1, tree::neighbours, false, launch_kernel<strided_index<T>, T>},
      {"interleaved pairs", 1, tree::halves, false, launch_kernel<interleaved<T>, T>},
      {"first add during load (unrolled 2)", 2, tree::halves, false, launch_kernel<unrolled<T, 2>, T>},
      {"unrolled 4", 4, tree::halves, false, launch_kernel<unrolled<T, 4>, T>},
      {"unrolled 8", 8, tree::halves, false, launch_kernel<unrolled<T, 8>, T>},
      {"unrolled 8, last warp unrolled", 8, tree::halves, false, launch_kernel<unrolled_last_warp<T, 8>, T>},
      {"complete unroll by template", 8, tree::halves, false, launch_complete_unroll<T, 8>},
  };
}

template <class T>
std::int64_t tiles_of(const step<T>& s, std::int64_t n, std::int64_t block) {
  return amphi::ceil_div(n, block * s.loads);
}

// One pass: tiles_of(…) sums of n > 0 elements.
template <class T>
void sum_tiles(const step<T>& s, amphi::policy p, std::int64_t block, amphi::array<T>& data, std::int64_t n,
               amphi::array<T>& sums) {
  p.grid = tiles_of(s, n, block);
  p.block = block;
  s.launch(p, n, data.read_write(p), sums.write(p));
}

// Passes over the sums of the pass before, until one value remains: that of data[0] if n is 1. `sums` are two
// arrays of tiles_of(s, n, block) elements at least. Gives the array whose first element is the sum.
template <class T>
amphi::array<T>& sum_in_passes(const step<T>& s, const amphi::policy& p, std::int64_t block,
                               amphi::array<T>& data, std::int64_t n, amphi::array<T> (&sums)[2]) {
  if (block * s.loads < 2)
    throw std::invalid_argument("passes over tiles of one element would never end: take a larger block");
  amphi::array<T>* from = &data;
  for (int pass = 0; n > 1; ++pass) {
    amphi::array<T>& to = sums[pass % 2];
    sum_tiles(s, p, block, *from, n, to);
    n = tiles_of(s, n, block);
    from = &to;
  }
  return *from;
}

// The sums of the tiles, added in the order of the step by one loop after another.
template <class T>
std::vector<T> serial_sums(const step<T>& s, std::span<const T> data, std::size_t block) {
  std::vector<T> sums;
  const std::size_t tile = block * static_cast<std::size_t>(s.loads);
  for (std::size_t first = 0; first < data.size(); first += tile) {
    const std::span<const T> mine =
        data.subspan(first, data.size() - first < tile ? data.size() - first : tile);
    std::vector<T> v(mine.begin(),
                     mine.begin() + static_cast<std::ptrdiff_t>(mine.size() < block ? mine.size() : block));
    for (std::size_t i = block; i < mine.size(); ++i) v[i % block] += mine[i];
    if (s.order == tree::neighbours) {
      for (std::size_t d = 1; d < v.size(); d *= 2)
        for (std::size_t i = 0; i + d < v.size(); i += 2 * d) v[i] += v[i + d];
    } else {
      while (v.size() > 1) {
        std::size_t d = 1;
        while (2 * d < v.size()) d *= 2;
        for (std::size_t i = 0; i + d < v.size(); ++i) v[i] += v[i + d];
        v.resize(d);
      }
    }
    sums.push_back(v[0]);
  }
  return sums;
}

// Recursive reduction on the host, as the ladder's foot: each level adds the upper half to the lower one.
// With an odd number the element in the middle waits for the next level.
template <class T>
T recursive_sum(std::span<T> data) {
  if (data.size() == 1) return data[0];
  const std::size_t rest = (data.size() + 1) / 2;
  for (std::size_t i = 0; i + rest < data.size(); ++i) data[i] += data[i + rest];
  return recursive_sum(data.first(rest));
}

}  // namespace ladder
