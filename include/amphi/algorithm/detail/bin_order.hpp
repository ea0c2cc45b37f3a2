// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "amphi/algorithm/detail/reduce_kernel.hpp"
#include "amphi/algorithm/detail/sort_kernel.hpp"
#include "amphi/core/detail/checked_index.hpp"

// Elements brought into the order of their bins: a permutation, and where each bin begins in it. Elements of
// one bin keep their order.

namespace amphi::detail {

using bin_index = std::uint32_t;

AMPHI_DETAIL_CONVERSIONS_BEGIN

// keys[i] = the bin of element i, checked.
template <class Name, class Bins>
struct bin_keys {
  static constexpr const char* name = Name::name;
  Bins bins;
  std::int64_t bin_count;
  bin_index *keys, *indices;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto bin = bins[i];
    // An element in no bin stands behind all; on the host it has thrown.
    keys[i] = static_cast<bin_index>(
        in_bounds("the bins", checked_index(bin), bin_count) ? static_cast<std::int64_t>(bin) : bin_count);
    indices[i] = static_cast<bin_index>(i);
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

template <class Name>
struct copy_indices {
  static constexpr const char* name = Name::name;
  const bin_index* from;
  bin_index* to;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i]; }
};

// The scratch in which bins are sorted.
template <class Name>
struct bin_room {
  std::size_t keys, indices, other_keys, other_indices, rest, rest_bytes = 0;
  static constexpr std::size_t zeroed = sizeof(radix_steps);

  bin_room(const algorithm_plan& plan, scratch_pieces& pieces, std::int64_t n, std::int64_t bin_count)
      : bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bin_count)))) {
    const auto count = static_cast<std::size_t>(n);
    keys = pieces.add<bin_index>(count);
    indices = pieces.add<bin_index>(count);
    other_keys = pieces.add<bin_index>(count);
    other_indices = pieces.add<bin_index>(count);
    if (!plan.on_gpu) rest_bytes = radix_parts(n).bytes();
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
    if (plan.on_gpu && plan.automatic && n > 0) {
      const on_device_of device(plan.launch.stream);
      const records<bin_index, bin_index> none{nullptr, nullptr};
      (void)cub_radix_sort(nullptr, rest_bytes, none, none, n, false, plan.launch.stream, bits_);
    }
#endif
    rest = pieces.add<char>(rest_bytes);
  }

  // Sorts; gives the permutation, which lies in the scratch.
  template <class Bins>
  const bin_index* sort(const algorithm_plan& plan, const scratch& s, const Bins& bins, std::int64_t n,
                        std::int64_t bin_count, std::int64_t* offsets) {
    using pairs = records<bin_index, bin_index>;
    const pairs x{scratch_pieces::at<bin_index>(s, keys), scratch_pieces::at<bin_index>(s, indices)};
    const pairs room{scratch_pieces::at<bin_index>(s, other_keys),
                     scratch_pieces::at<bin_index>(s, other_indices)};
    launch_tasks(plan, n, bin_keys<Name, Bins>{bins, bin_count, x.keys, x.values});
    bool in_room = false;
    if (n > 0) in_room = sort_pairs(plan, s, x, room, n);
    const pairs sorted = in_room ? room : x;
    launch_tasks(plan, bin_count + 1, bin_offsets<Name>{sorted.keys, n, offsets});
    return sorted.values;
  }

 private:
  bool sort_pairs(const algorithm_plan& plan, const scratch& s, records<bin_index, bin_index> x,
                  records<bin_index, bin_index> room, std::int64_t n) {
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
    if (plan.on_gpu && plan.automatic) {
      const on_device_of device(plan.launch.stream);
      return cub_radix_sort(scratch_pieces::at<char>(s, rest), rest_bytes, x, room, n, false,
                            plan.launch.stream, bits_);
    }
#endif
    if (!plan.on_gpu && n > 4096) {
      radix_sort_on_cpu(plan, x, room, n, false, scratch_pieces::at<char>(s, rest), s.zeroed(),
                        (bits_ + 7) / 8);
    } else {
      merge_sort(plan, x, room, n, ascending());
    }
    return false;
  }

  int bits_;
};

// Bins and elements are numbered in 32 bits.
inline void check_bins(const char* algorithm, std::int64_t n, std::int64_t bin_count) {
  if (bin_count < 0 || bin_count >= UINT32_MAX) throw_bin_count(algorithm, bin_count);
  if (n >= UINT32_MAX) throw_too_many_for_bins(algorithm, n);
}

}  // namespace amphi::detail
