// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
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

// One of several merges that a core does at once, step by step.
template <class K, class V, class Compare>
struct merge_chain {
  records<const K, const V> a, b;
  records<K, V> out;
  const K *a_end, *b_end;

  // Steps that need no look at the ends.
  std::int64_t sure() const {
    const std::int64_t left = a_end - a.keys, right = b_end - b.keys;
    return left < right ? left : right;
  }

  // Without a branch on the outcome, which nobody can predict: compilers make one of ?: now and then.
  void step(Compare& before) {
    const bool right = before(*b.keys, *a.keys);
    std::uintptr_t mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(right);
    asm("" : "+r"(mask));
    const auto from_b = static_cast<std::ptrdiff_t>(mask & 1);
    *out.keys++ = *chosen(a.keys, b.keys, mask);
    if constexpr (records<K, V>::has_values) {
      *out.values++ = *chosen(a.values, b.values, mask);
      a.values += 1 - from_b;
      b.values += from_b;
    }
    a.keys += 1 - from_b;
    b.keys += from_b;
  }

  void finish(Compare& before) {
    for (std::int64_t steps = sure(); steps > 0; steps = sure())
      for (; steps > 0; --steps) step(before);
    const std::int64_t left = a_end - a.keys, right = b_end - b.keys;
    for (std::int64_t i = 0; i < left; ++i) out.put(i, a, i);
    for (std::int64_t i = 0; i < right; ++i) out.put(i, b, i);
  }

 private:
  template <class T>
  static const T* chosen(const T* left, const T* right, std::uintptr_t mask) {
    const auto l = reinterpret_cast<std::uintptr_t>(left), r = reinterpret_cast<std::uintptr_t>(right);
    return reinterpret_cast<const T*>(l ^ ((l ^ r) & mask));
  }
};

// Results first … last − 1 of merging a and b, to out[first …], by four merges at once: one alone waits for
// each comparison before it can load what the next one compares.
template <class In, class K, class V, class Compare>
void merge_by_chains(const In& a, std::int64_t a_size, const In& b, std::int64_t b_size,
                     const records<K, V>& out, std::int64_t first, std::int64_t last, Compare& before) {
  merge_chain<K, V, Compare> chains[4];
  std::int64_t k = first, i = merge_rank(a.keys, a_size, b.keys, b_size, first, before);
  for (int c = 0; c < 4; ++c) {
    const std::int64_t size = c < 3 ? (last - first) / 4 : last - k;
    std::int64_t from_a = merge_rank(a.keys, a_size, b.keys, b_size, k + size, before) - i;
    from_a = from_a < 0 ? 0 : from_a > size ? size : from_a;  // needed if a and b are not sorted
    const In x = a.at(i), y = b.at(k - i);
    chains[c] = {
        {x.keys, x.values}, {y.keys, y.values}, out.at(k), x.keys + from_a, y.keys + (size - from_a)};
    i += from_a, k += size;
  }
  const auto sure = [&chains] {
    std::int64_t steps = chains[0].sure();
    for (int c = 1; c < 4; ++c) steps = chains[c].sure() < steps ? chains[c].sure() : steps;
    return steps;
  };
  for (std::int64_t steps = sure(); steps > 0; steps = sure()) {
    auto w = chains[0], x = chains[1], y = chains[2], z = chains[3];
    for (; steps > 0; --steps) w.step(before), x.step(before), y.step(before), z.step(before);
    chains[0] = w, chains[1] = x, chains[2] = y, chains[3] = z;
  }
  for (auto& c : chains) c.finish(before);
}

// Results first … last − 1 of merging a and b, to out[first …].
template <class In, class Out, class Compare>
AMPHI_HOST_DEVICE void merge_piece(const In& a, std::int64_t a_size, const In& b, std::int64_t b_size,
                                   const Out& out, std::int64_t first, std::int64_t last, Compare& before) {
#if !AMPHI_DEVICE_CODE
  if (last - first >= 256) return merge_by_chains(a, a_size, b, b_size, out, first, last, before);
#endif
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
