// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "amphi/algorithm/detail/bin_check.hpp"
#include "amphi/algorithm/detail/sort_kernel.hpp"

// Elements brought into the order of their bins, and where each bin begins. Elements of one bin keep their
// order.

namespace amphi::detail {

using bin_index = std::uint32_t;

AMPHI_DETAIL_CONVERSIONS_BEGIN

// What is sorted by the bins: the elements' numbers, copies of them, or what lies elsewhere.
struct bin_numbers {
  bin_index* to;
  AMPHI_HOST_DEVICE void put(std::int64_t i) const { to[i] = static_cast<bin_index>(i); }
};
template <class E, class A>
struct bin_copies {
  E elements;
  A* to;
  AMPHI_HOST_DEVICE void put(std::int64_t i) const { to[i] = static_cast<A>(elements[i]); }
};
struct bin_others {
  AMPHI_HOST_DEVICE void put(std::int64_t) const {}
};

// keys[i] = the bin of element i, checked.
template <class Name, class Bins, class Payload>
struct bin_keys {
  static constexpr const char* name = Name::name;
  Bins bins;
  std::int64_t bin_count;
  bin_index* keys;
  bin_index beyond;  // the key of an element in no bin; on the host it has thrown
  Payload payload;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto bin = bins[i];
    keys[i] = in_bins<Name>(bin, bin_count, i) ? static_cast<bin_index>(bin) : beyond;
    payload.put(i);
  }
};

AMPHI_DETAIL_CONVERSIONS_END

// offsets[b] = how many elements have a bin below b.
template <class Name>
struct bin_offsets {
  static constexpr const char* name = Name::name;
  const bin_index* keys;
  std::int64_t n;
  std::int64_t* offsets;
  AMPHI_HOST_DEVICE void operator()(std::int64_t b) const {
    std::int64_t low = 0, high = n;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (static_cast<std::int64_t>(keys[middle]) < b) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    offsets[b] = low;
  }
};

// The scratch in which elements, or their numbers, are sorted by bins: V is what is sorted.
template <class Name, class V>
class bin_sort {
 public:
  static constexpr std::size_t zeroed = sizeof(radix_state);

  bin_sort(const algorithm_plan& plan, scratch_pieces& pieces, std::int64_t n, std::int64_t bin_count)
      : n_(n), bin_count_(bin_count) {
    const auto count = static_cast<std::size_t>(n);
    // One element in no bin must not make all keys longer: it may get into the last bin, and is reported.
    while (bits_ < 32 && bin_count > std::int64_t{1} << bits_) ++bits_;
    keys_ = pieces.add<bin_index>(count);
    other_keys_ = pieces.add<bin_index>(count);
    values_ = pieces.add<V>(count);
    if (!plan.on_gpu) rest_bytes_ = radix_parts(n).bytes();
    if constexpr (AMPHI_CUDA != 0)
      if (plan.on_gpu && plan.automatic && n > 0)
        rest_bytes_ = radix_sort_bytes(cub_radix_sort<bin_index>(),
                                       device_request(plan, nullptr, nullptr, nullptr, nullptr));
    rest_ = pieces.add<char>(rest_bytes_);
  }

  // to[k] = the number of the k-th element in the order of bins; offsets[b] = where bin b begins.
  template <class Bins>
  void numbers(const algorithm_plan& plan, const scratch& s, const Bins& bins, std::int64_t* offsets,
               V* to) const {
    V* const unsorted = scratch_values(plan, s, to);
    sort(plan, s, bins, bin_numbers{unsorted}, unsorted, offsets, to);
  }

  // Of each element, after `numbers` by CUB: its bin, or one above the bins.
  const bin_index* keys(const scratch& s) const { return scratch_pieces::at<bin_index>(s, keys_); }

  // to[k] = the bits of the k-th element, converted to A, in the order of bins.
  template <class A, class Bins, class E>
  void elements(const algorithm_plan& plan, const scratch& s, const Bins& bins, const E& elements,
                std::int64_t* offsets, A* to) const {
    static_assert(sizeof(A) == sizeof(V) && alignof(A) == alignof(V));
    V* const sorted = reinterpret_cast<V*>(to);
    if constexpr (std::is_same_v<E, const A*>) {
      if (plan.on_gpu && plan.automatic)
        return sort(plan, s, bins, bin_others(), reinterpret_cast<const V*>(elements), offsets, sorted);
    }
    V* const unsorted = scratch_values(plan, s, sorted);
    sort(plan, s, bins, bin_copies<E, A>{elements, reinterpret_cast<A*>(unsorted)}, unsorted, offsets,
         sorted);
  }

 private:
  radix_request device_request(const algorithm_plan& plan, bin_index* keys, V* values, bin_index* other_keys,
                               V* other_values) const {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8);
    return {key_kind::whole,
            static_cast<int>(sizeof(V)),
            false,
            n_,
            bits_,
            plan.launch.stream,
            keys,
            values,
            other_keys,
            other_values,
            true};
  }

  // A GPU sorts from here to there, the library's own sorts in place.
  V* scratch_values(const algorithm_plan& plan, const scratch& s, V* to) const {
    return plan.on_gpu && plan.automatic ? scratch_pieces::at<V>(s, values_) : to;
  }

  template <class Bins, class Payload>
  void sort(const algorithm_plan& plan, const scratch& s, const Bins& bins, const Payload& payload,
            [[maybe_unused]] const V* unsorted, std::int64_t* offsets, V* to) const {
    auto* const keys = scratch_pieces::at<bin_index>(s, keys_);
    auto* const other_keys = scratch_pieces::at<bin_index>(s, other_keys_);
    const auto last = (std::int64_t{1} << bits_) - 1;
    const auto beyond = static_cast<bin_index>(bin_count_ < last ? bin_count_ : last);
    launch_tasks(plan, n_, bin_keys<Name, Bins, Payload>{bins, bin_count_, keys, beyond, payload});
    const bin_index* sorted_keys = keys;
    bool sorted = false;
    if constexpr (AMPHI_CUDA != 0) {
      if (plan.on_gpu && plan.automatic) {
        if (n_ > 0)
          (void)radix_sort_on_device(cub_radix_sort<bin_index>(),
                                     device_request(plan, keys, const_cast<V*>(unsorted), other_keys, to),
                                     scratch_pieces::at<char>(s, rest_), rest_bytes_);
        sorted_keys = other_keys, sorted = true;
      }
    }
    if (!sorted) {
      const records<bin_index, V> x{keys, to}, room{other_keys, scratch_pieces::at<V>(s, values_)};
      if (!plan.on_gpu && n_ > radix_pays_from<bin_index>) {
        radix_sort_on_cpu(plan, x, room, n_, false, scratch_pieces::at<char>(s, rest_), s.zeroed(),
                          (bits_ + 7) / 8);
      } else if (n_ > 0) {
        merge_sort(plan, x, room, n_, ascending());
      }
    }
    launch_tasks(plan, bin_count_ + 1, bin_offsets<Name>{sorted_keys, n_, offsets});
  }

  std::int64_t n_, bin_count_;
  int bits_ = 1;
  std::size_t keys_, other_keys_, values_, rest_, rest_bytes_ = 0;
};

// Bins and elements are numbered in 32 bits.
inline void check_bins(const char* algorithm, std::int64_t n, std::int64_t bin_count) {
  if (bin_count < 0 || bin_count >= UINT32_MAX) throw_bin_count(algorithm, bin_count);
  if (n >= UINT32_MAX) throw_too_many_for_bins(algorithm, n);
}

}  // namespace amphi::detail
