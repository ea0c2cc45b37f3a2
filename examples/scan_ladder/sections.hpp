// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "amphi/core/integer.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "scan_ladder/kernels.hpp"

// From sections to a scan of any length, and what serial loops make of the same order of operations.

namespace ladder {

enum class method { kogge_stone, brent_kung };

constexpr std::int64_t section_length(method m, std::int64_t block) {
  return m == method::kogge_stone ? block : 2 * block;
}

// Scans each section of n > 0 elements; `sums`, if not null, gets a section's last element.
template <class Op, class T, class Count>
void scan_sections(method m, amphi::policy p, std::int64_t block, std::int64_t n, const T* in, T* out,
                   T* sums, Count count) {
  p.grid = amphi::ceil_div(n, section_length(m, block));
  p.block = block;
  if (m == method::kogge_stone) {
    amphi::launch<kogge_stone<T, Op, Count>>(p, n, in, out, sums, count);
  } else {
    amphi::launch<brent_kung<T, Op, Count>>(p, n, in, out, sums, count);
  }
}

// What a scan needs beside its output: one array per level of sections, the sums of the level below.
template <class T>
class scan_levels {
 public:
  scan_levels(method m, std::int64_t block, std::int64_t n) : method_(m), block_(block), n_(n) {
    const std::int64_t length = section_length(m, block);
    if (length < 2)
      throw std::invalid_argument("sections of one element never become fewer: take a larger block");
    while (n > length) {
      n = amphi::ceil_div(n, length);
      sums_.emplace_back(n);
    }
  }

  // out[i] = in[0] op … op in[i]. Sections first, then, level by level, the scan of their sums, and down
  // again: each section but the first gets what stands to its left.
  template <class Op>
  void scan(const amphi::policy& p, const amphi::array<T>& in, amphi::array<T>& out) {
    level<Op>(p, n_, in.read(p).data(), out.write(p).data(), 0);
  }

  std::size_t levels() const { return sums_.size() + 1; }

 private:
  template <class Op>
  void level(const amphi::policy& p, std::int64_t n, const T* in, T* out, std::size_t depth) {
    if (depth == sums_.size()) {
      T* const no_sums = nullptr;
      return scan_sections<Op>(method_, p, block_, n, in, out, no_sums, uncounted{});
    }
    amphi::array<T>& sums = sums_[depth];
    scan_sections<Op>(method_, p, block_, n, in, out, sums.write(p).data(), uncounted{});
    T* const scanned = sums.read_write(p).data();
    level<Op>(p, static_cast<std::int64_t>(sums.size()), scanned, scanned, depth + 1);
    const std::int64_t length = section_length(method_, block_);
    amphi::parallel_for<put_in_front<T, Op>>(p, amphi::extent2(length, sums.size() - 1), n, length, scanned,
                                             out);
  }

  method method_;
  std::int64_t block_, n_;
  std::vector<amphi::array<T>> sums_;
};

// Scans one section by loops.
template <class Op, class T>
void serial_section(method m, std::span<T> s) {
  if (m == method::kogge_stone) {
    for (std::size_t d = 1; d < s.size(); d *= 2)
      for (std::size_t i = s.size() - 1; i >= d; --i) s[i] = Op()(s[i - d], s[i]);
    return;
  }
  std::size_t d = 1;
  for (; d < s.size(); d *= 2)
    for (std::size_t i = 2 * d - 1; i < s.size(); i += 2 * d) s[i] = Op()(s[i - d], s[i]);
  for (d /= 4; d > 0; d /= 2)
    for (std::size_t i = 2 * d - 1; i + d < s.size(); i += 2 * d) s[i + d] = Op()(s[i], s[i + d]);
}

// The whole scan by loops, in place, in the same order of operations.
template <class Op, class T>
void serial_scan(method m, std::int64_t block, std::span<T> data) {
  const auto length = static_cast<std::size_t>(section_length(m, block));
  std::vector<T> sums;
  for (std::size_t first = 0; first < data.size(); first += length) {
    const auto mine = data.subspan(first, data.size() - first < length ? data.size() - first : length);
    serial_section<Op>(m, mine);
    sums.push_back(mine.back());
  }
  if (sums.size() < 2) return;
  serial_scan<Op>(m, block, std::span<T>(sums));
  for (std::size_t i = length; i < data.size(); ++i) data[i] = Op()(sums[i / length - 1], data[i]);
}

}  // namespace ladder
