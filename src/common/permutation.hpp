// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

// A permutation of 0 … size − 1 that needs no table: a Feistel network over the next even power of two,
// applied again while the result lies outside (cycle walking).
class permutation {
 public:
  permutation(const thread_order& order, std::uint64_t size, std::uint64_t salt)
      : kind_(order.which()), size_(size), key_(order.seed() * 0x9E3779B97F4A7C15u + salt) {
    while (half_bits_ < 31 && (std::uint64_t{1} << (2 * half_bits_)) < size_) ++half_bits_;
  }

  std::uint64_t operator()(std::uint64_t i) const {
    if (kind_ == thread_order::kind::reverse) return size_ - 1 - i;
    if (kind_ != thread_order::kind::random) return i;
    do i = scramble(i);
    while (i >= size_);
    return i;
  }

 private:
  std::uint64_t scramble(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = i >> half_bits_, right = i & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      std::uint64_t h = (right + key_ + round * 0xD1B54A32D192ED03u) * 0xBF58476D1CE4E5B9u;
      h = (h ^ (h >> 29)) * 0x94D049BB133111EBu;
      const std::uint64_t next = left ^ ((h >> 31) & mask);
      left = right, right = next;
    }
    return (left << half_bits_) | right;
  }

  thread_order::kind kind_;
  std::uint64_t size_, key_;
  int half_bits_ = 1;
};

}  // namespace amphi::detail
