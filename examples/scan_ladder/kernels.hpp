// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/bits.hpp"
#include "amphi/execution/atomic_ref.hpp"
#include "amphi/execution/block.hpp"

// Inclusive scans of sections, one block each, and what it takes to make one scan of them. Operands keep
// their order, so op need not commute. Any block of 1 to 1024 threads will do.

namespace ladder {

// Counts the operations that are done, or does not.
struct uncounted {
  AMPHI_HOST_DEVICE void add() {}
  AMPHI_HOST_DEVICE void tell() const {}
};
struct counted {
  std::int64_t* total;
  std::int64_t own = 0;
  AMPHI_HOST_DEVICE void add() { ++own; }
  AMPHI_HOST_DEVICE void tell() const { amphi::atomic_ref(*total).fetch_add(own); }
};

// The section of the calling block, `length` elements long but for the last one.
struct section {
  std::int64_t first;
  unsigned values;
};
AMPHI_LAUNCHABLE section section_of_block(std::int64_t n, unsigned length) {
  const std::int64_t first = static_cast<std::int64_t>(amphi::block_index().x) * length;
  return {first, n - first < length ? static_cast<unsigned>(n - first) : length};
}

// Kogge and Stone: at distance 1, 2, 4, … each element takes the one that far to its left. log2 n rounds in
// which nearly all threads work: n log2 n − n + 1 operations, if n is a power of two. A section has as many
// elements as the block has threads. Rounds go back and forth between two copies, so that none overwrites
// what a neighbour still has to read.
template <class T, class Op, class Count>
AMPHI_LAUNCHABLE void kogge_stone(std::int64_t n, const T* in, T* out, T* sums, Count count) {
  AMPHI_SHARED(s, T[2][1024]);
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x;
  const section mine = section_of_block(n, amphi::block_extent().x);
  if (t < mine.values) s[0][t] = in[mine.first + t];
  block.sync();
  unsigned from = 0;
  for (unsigned d = 1; d < mine.values; d *= 2) {
    if (t >= d && t < mine.values) {
      s[1 - from][t] = Op()(s[from][t - d], s[from][t]);
      count.add();
    } else if (t < d) {
      s[1 - from][t] = s[from][t];
    }
    block.sync();
    from = 1 - from;
  }
  if (t < mine.values) out[mine.first + t] = s[from][t];
  if (t == 0 && sums != nullptr) sums[amphi::block_index().x] = s[from][mine.values - 1];
  count.tell();
}

// Brent and Kung: a tree of sums upwards, then its sums are handed down to the elements between them.
// 2 log2 n − 1 rounds, most of them with few threads: 2 n − 2 − log2 n operations, if n is a power of two. A
// section has twice as many elements as the block has threads.
template <class T, class Op, class Count>
AMPHI_LAUNCHABLE void brent_kung(std::int64_t n, const T* in, T* out, T* sums, Count count) {
  AMPHI_SHARED(s, T[2048]);
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x, size = amphi::block_extent().x;
  const section mine = section_of_block(n, 2 * size);
  for (unsigned i = t; i < mine.values; i += size) s[i] = in[mine.first + i];
  block.sync();
  unsigned d = 1;
  for (; d < mine.values; d *= 2) {  // up: element 2 d k − 1 becomes the sum of 2 d elements
    const unsigned i = 2 * d * (t + 1) - 1;
    if (i < mine.values) s[i] = Op()(s[i - d], s[i]), count.add();
    block.sync();
  }
  for (d /= 4; d > 0; d /= 2) {  // down: that sum goes to the element d further on
    const unsigned i = 2 * d * (t + 1) - 1;
    if (i + d < mine.values) s[i + d] = Op()(s[i], s[i + d]), count.add();
    block.sync();
  }
  for (unsigned i = t; i < mine.values; i += size) out[mine.first + i] = s[i];
  if (t == 0 && sums != nullptr) sums[amphi::block_index().x] = s[mine.values - 1];
  count.tell();
}

// Puts what stands left of its section, an inclusive scan of the sections' sums, in front of element x of
// section 1 + y.
template <class T, class Op>
AMPHI_LAUNCHABLE void put_in_front(std::int64_t x, std::int64_t y, std::int64_t n, std::int64_t length,
                                   const T* scanned_sums, T* out) {
  const std::int64_t i = (1 + y) * length + x;
  if (i < n) out[i] = Op()(scanned_sums[y], out[i]);
}

}  // namespace ladder
