// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/merge_sort.hpp"
#include "amphi/algorithm/detail/unmade.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/shared.hpp"
#include "amphi/execution/thread_index.hpp"

// Sorting by comparisons on a GPU begins with tiles, each sorted by a block in shared memory: its threads
// sort a few elements each in registers, and merge what they have got in pairs, fours, eights, …

namespace amphi::detail {

// A key with its value, which move together.
template <class K, class V>
struct sort_pair {
  K key;
  V value;
};
template <class K, class V>
using sort_element = std::conditional_t<records<K, V>::has_values, sort_pair<K, V>, K>;

template <class E>
struct sort_shape {
  static constexpr int size = static_cast<int>(sizeof(E));
  static constexpr bool fits = size <= 64;
  static constexpr int threads = size <= 16 ? 512 : 256;
  // Odd, against bank conflicts.
  static constexpr int items = size <= 4 ? 17 : size <= 8 ? 9 : size <= 32 ? 5 : 1;
  // A little more than a power of two, as lengths like to be one: that saves a pass of merges.
  static constexpr int tile = threads * items;
  static constexpr int resident = size <= 4 ? 3 : size <= 16 ? 2 : 4;
};

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class K, class V>
AMPHI_HOST_DEVICE sort_element<K, V> sort_element_of(const records<K, V>& x, std::int64_t i) {
  if constexpr (records<K, V>::has_values) {
    return {x.keys[i], x.values[i]};
  } else {
    return x.keys[i];
  }
}
template <class K, class V>
AMPHI_HOST_DEVICE void put_element(const records<K, V>& x, std::int64_t i, const sort_element<K, V>& e) {
  if constexpr (records<K, V>::has_values) {
    x.keys[i] = e.key;
    x.values[i] = e.value;
  } else {
    x.keys[i] = e;
  }
}

// `before`, which compares keys, of elements.
template <class K, class V, class Compare>
struct order_of_pairs {
  Compare before;
  AMPHI_HOST_DEVICE bool operator()(const sort_pair<K, V>& a, const sort_pair<K, V>& b) {
    return before(a.key, b.key);
  }
};
template <class K, class V, class Compare>
using order_of_elements =
    std::conditional_t<records<K, V>::has_values, order_of_pairs<K, V, Compare>, Compare>;

// Block b sorts elements b * tile … of `from` into `to`, which may be the same.
template <class From, class To, class E, class Compare>
struct sort_tiles {
  static constexpr const char* name = sort_name;
  using shape = sort_shape<E>;
  static constexpr int items = shape::items;
  struct room {
    alignas(E) alignas(16) unsigned char bytes[sizeof(E) * (shape::tile + items)];
  };
  using element = unmade<E>;

  From from;
  To to;
  std::int64_t n;
  Compare before;

  AMPHI_HOST_DEVICE void operator()() const {
    AMPHI_SHARED(space, room);
    E* const tile = reinterpret_cast<E*>(space.bytes);
    const auto block = this_block();
    const int me = static_cast<int>(thread_index().x);
    const std::int64_t base = std::int64_t{shape::tile} * block_index().x;
    const int count = n - base < shape::tile ? static_cast<int>(n - base) : shape::tile;
    Compare order = before;
    for (int i = me; i < count; i += shape::threads) tile[i] = sort_element_of(from, base + i);
    block.sync();
    element mine[items];
    const int first = me * items, have = count - first < items ? count - first : items;
    sort_mine(mine, tile + first, have, order);
    block.sync();
    for (int width = items; width < count; width *= 2) {
      merge_mine(mine, tile, first, have, width, count, order);
      block.sync();
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
      for (int k = 0; k < items; ++k)
        if (k < have) tile[first + k] = mine[k].value;
      block.sync();
    }
    for (int i = me; i < count; i += shape::threads) put_element(to, base + i, tile[i]);
  }

 private:
  // A stable network of neighbours; fewer elements at the end of all one by one.
  AMPHI_HOST_DEVICE static void sort_mine(element* mine, E* place, int have, Compare& order) {
    if (have < items) return insertion_sort(records<E>{place, nullptr}, have, order);
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
    for (int k = 0; k < items; ++k) mine[k].value = place[k];
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
    for (int pass = 0; pass < items; ++pass) {
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
      for (int k = pass % 2; k + 1 < items; k += 2) {
        if (!order(mine[k + 1].value, mine[k].value)) continue;
        const E later = mine[k].value;
        mine[k].value = mine[k + 1].value;
        mine[k + 1].value = later;
      }
    }
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
    for (int k = 0; k < items; ++k) place[k] = mine[k].value;
  }

  // Of the merge of two neighbouring runs of `width` elements, the results that stand where `first` is.
  AMPHI_HOST_DEVICE static void merge_mine(element* mine, const E* tile, int first, int have, int width,
                                           int count, Compare& order) {
    if (have <= 0) return;
    const int base = first / (2 * width) * (2 * width);
    const int a_end = count - base < width ? count : base + width;
    const int b_end = count - base < 2 * width ? count : base + 2 * width;
    const int rank = first - base;
    int i = base +
            static_cast<int>(merge_rank(tile + base, a_end - base, tile + a_end, b_end - a_end, rank, order));
    int j = a_end + (first - i);
    element a, b;
    a.value = tile[i], b.value = tile[j];
#if AMPHI_DEVICE_CODE
#  pragma unroll
#endif
    for (int k = 0; k < items; ++k) {
      const bool from_b = j < b_end && (i >= a_end || order(b.value, a.value));
      mine[k].value = from_b ? b.value : a.value;
      if (from_b) {
        b.value = tile[++j];
      } else {
        a.value = tile[++i];
      }
    }
  }
};

AMPHI_DETAIL_CONVERSIONS_END

}  // namespace amphi::detail
