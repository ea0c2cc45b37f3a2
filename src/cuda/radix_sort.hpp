// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/device_radix_sort.hpp"

// g++ 12 thinks that CUB reads an empty struct before it is written.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <cuda_fp16.h>

#include <cub/device/device_radix_sort.cuh>

namespace amphi::detail {

template <bool Down, class Key>
cudaError_t sort_keys(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others) {
  cub::DoubleBuffer<Key> keys(static_cast<Key*>(r.keys), static_cast<Key*>(r.other_keys));
  cudaError_t code;
  if constexpr (Down)
    code = cub::DeviceRadixSort::SortKeysDescending(temporary, bytes, keys, r.n, 0, r.end, r.stream.native());
  else
    code = cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, r.n, 0, r.end, r.stream.native());
  in_others = keys.selector != 0;
  return code;
}

template <bool Down, class Key, class Value>
cudaError_t sort_pairs(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others) {
  auto *const k = static_cast<Key*>(r.keys), *const other_k = static_cast<Key*>(r.other_keys);
  auto *const v = static_cast<Value*>(r.values), *const other_v = static_cast<Value*>(r.other_values);
  const cudaStream_t s = r.stream.native();
  if constexpr (!Down && std::is_same_v<Key, std::uint32_t>) {
    in_others = true;
    if (r.keep)
      return cub::DeviceRadixSort::SortPairs(temporary, bytes, static_cast<const Key*>(k), other_k,
                                             static_cast<const Value*>(v), other_v, r.n, 0, r.end, s);
  }
  cub::DoubleBuffer<Key> keys(k, other_k);
  cub::DoubleBuffer<Value> values(v, other_v);
  cudaError_t code;
  if constexpr (Down)
    code = cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, keys, values, r.n, 0, r.end, s);
  else
    code = cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, r.n, 0, r.end, s);
  in_others = keys.selector != 0;
  return code;
}

template <bool Down, class Key>
cudaError_t sort_with_values(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others) {
  switch (r.value_bytes) {
    case 0:
      return sort_keys<Down, Key>(r, temporary, bytes, in_others);
    case 4:
      return sort_pairs<Down, Key, std::uint32_t>(r, temporary, bytes, in_others);
    default:
      return sort_pairs<Down, Key, std::uint64_t>(r, temporary, bytes, in_others);
  }
}

template <class Key>
cudaError_t sort_either_way(const radix_request& r, void* temporary, std::size_t& bytes, bool& in_others) {
  return r.descending ? sort_with_values<true, Key>(r, temporary, bytes, in_others)
                      : sort_with_values<false, Key>(r, temporary, bytes, in_others);
}

}  // namespace amphi::detail

#pragma GCC diagnostic pop
