// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/merge_sort.hpp"
#include "amphi/algorithm/detail/sort_order.hpp"
#include "amphi/runtime/device.hpp"

// Sorting on a GPU by CUB. A stable sort has one result, so whose it is makes no difference.

#if AMPHI_CUDA && AMPHI_CUDA_UNIT

// g++ 12 thinks that CUB reads an empty struct before it is written.
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#  include <cuda_fp16.h>
#  include <cub/device/device_radix_sort.cuh>

namespace amphi::detail {

[[noreturn]] void throw_cuda_error(cudaError_t code, const char* doing);

// Runs work, which starts kernels of CUB on the stream. Observers see one launch whose geometry is open.
void launch_library(const char* name, stream_view s, void (*work)(void*), void* closure);

// `temporary` null: CUB is only asked for the bytes that it needs.
template <class Work>
void call_cub(const char* name, const void* temporary, stream_view s, Work work) {
  const auto call = [](void* w) {
    const cudaError_t code = (*static_cast<Work*>(w))();
    if (code == cudaSuccess) return;
    (void)cudaGetLastError();
    throw_cuda_error(code, "sorting");
  };
  if (temporary == nullptr) return call(&work);
  launch_library(name, s, call, &work);
}

// Makes a stream's device the current one.
class on_device_of {
 public:
  explicit on_device_of(stream_view s) : before_(current_device()) {
    const int device = device_of(s);
    if (device >= 0 && device != before_) set_device(device), changed_ = true;
  }
  ~on_device_of() {
    if (changed_) (void)cudaSetDevice(before_);
  }
  on_device_of(const on_device_of&) = delete;
  on_device_of& operator=(const on_device_of&) = delete;

 private:
  int before_;
  bool changed_ = false;
};

// What CUB takes a key for.
template <class K>
using cub_key =
    std::conditional_t<std::is_same_v<K, half>, __half,
                       std::conditional_t<std::is_floating_point_v<K>, K,
                                          std::conditional_t<std::is_signed_v<K>,
                                                             std::make_signed_t<key_bits<K>>, key_bits<K>>>>;

// `temporary` null: asks for the bytes. Else sorts by the lowest `end` bits, and says whether the result is
// in `room`.
template <bool Down, class K, class V>
bool cub_radix_sort(void* temporary, std::size_t& bytes, records<K, V> x, records<K, V> room, std::int64_t n,
                    stream_view s) {
  constexpr int end = 8 * static_cast<int>(sizeof(K));
  using Key = cub_key<K>;
  cub::DoubleBuffer<Key> keys(reinterpret_cast<Key*>(x.keys), reinterpret_cast<Key*>(room.keys));
  const auto sort = [&] {
    if constexpr (records<K, V>::has_values) {
      cub::DoubleBuffer<V> values(x.values, room.values);
      if constexpr (Down)
        return cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, keys, values, n, 0, end,
                                                         s.native());
      else
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, n, 0, end, s.native());
    } else if constexpr (Down) {
      return cub::DeviceRadixSort::SortKeysDescending(temporary, bytes, keys, n, 0, end, s.native());
    } else {
      return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, n, 0, end, s.native());
    }
  };
  call_cub("amphi::sort (cub::DeviceRadixSort)", temporary, s, sort);
  return keys.selector != 0;
}

// The same by the lowest `end` bits of unsigned keys, from `from`, which stays, to `to`.
template <class K, class V>
void cub_radix_sort_to(void* temporary, std::size_t& bytes, records<K, V> from, records<K, V> to,
                       std::int64_t n, stream_view s, int end) {
  call_cub("amphi::sort (cub::DeviceRadixSort)", temporary, s, [&] {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, static_cast<const K*>(from.keys), to.keys,
                                           static_cast<const V*>(from.values), to.values, n, 0, end,
                                           s.native());
  });
}

}  // namespace amphi::detail

#  pragma GCC diagnostic pop

#endif
