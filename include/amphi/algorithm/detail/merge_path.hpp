// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/input.hpp"

// Merging two sorted ranges from any place of the result on.

namespace amphi::detail {

struct no_value {};

// Elements, or keys with a value each.
template <class K, class V = no_value>
struct records {
  static constexpr bool has_values = !std::is_same_v<std::remove_const_t<V>, no_value>;
  K* keys;
  V* values;

  AMPHI_HOST_DEVICE records at(std::int64_t i) const {
    if constexpr (has_values) {
      return {keys + i, values + i};
    } else {
      return {keys + i, nullptr};
    }
  }
  template <class From>
  AMPHI_HOST_DEVICE void put(std::int64_t i, const From& from, std::int64_t j) const {
    keys[i] = from.keys[j];
    if constexpr (has_values) values[i] = from.values[j];
  }
};

// How many of the first `rank` results come from a, when equal elements of a stand before those of b. Reads
// a[0 … a_size − 1] and b[0 … b_size − 1] only.
template <class K, class Compare>
AMPHI_HOST_DEVICE std::int64_t merge_rank(const K* a, std::int64_t a_size, const K* b, std::int64_t b_size,
                                          std::int64_t rank, Compare& before) {
  std::int64_t low = rank > b_size ? rank - b_size : 0;
  std::int64_t high = rank < a_size ? rank : a_size;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (before(b[rank - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Results first … last − 1 of merging a and b, to out[first …].
template <class In, class Out, class Compare>
AMPHI_HOST_DEVICE void merge_piece(const In& a, std::int64_t a_size, const In& b, std::int64_t b_size,
                                   const Out& out, std::int64_t first, std::int64_t last, Compare& before) {
  std::int64_t i = merge_rank(a.keys, a_size, b.keys, b_size, first, before);
  std::int64_t j = first - i;
  std::int64_t k = first;
  // Without a branch on the outcome, which nobody can predict.
  for (; k < last && i < a_size && j < b_size; ++k) {
    const bool right = before(b.keys[j], a.keys[i]);
    out.keys[k] = *(right ? b.keys + j : a.keys + i);
    if constexpr (Out::has_values) out.values[k] = *(right ? b.values + j : a.values + i);
    j += right ? 1 : 0;
    i += right ? 0 : 1;
  }
  for (; k < last && i < a_size; ++k) out.put(k, a, i++);
  for (; k < last; ++k) out.put(k, b, j++);
}

}  // namespace amphi::detail
