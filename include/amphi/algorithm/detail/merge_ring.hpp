// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/device.hpp"

// How a block of a GPU reads its part of a sorted range once, front to back, by way of shared memory.

namespace amphi::detail {

// What a block merges at a time, and the shared memory that it takes: two rings, and results on their way
// out.
template <class K>
struct merge_shape {
  static constexpr int size = static_cast<int>(sizeof(K));
  static constexpr bool fits = size <= 64;
  static constexpr int threads = size <= 8 ? 128 : size <= 32 ? 96 : 64;
  // A thread makes one group of results after another, fewer where few are to be made: little code, which a
  // short merge must fetch first. All items are an odd number, against bank conflicts.
  static constexpr int group = size <= 4 ? 5 : size <= 16 ? 3 : size <= 32 ? 5 : 3;
  static constexpr int items = group * (size <= 8 ? 5 : size <= 16 ? 3 : 1);
  static constexpr int tile = threads * items;
  // A ring holds all that one tile may take of a range, and a thread's items more.
  static constexpr int ring_bytes = ((tile + items) * size + 32 + 15) / 16 * 16;
  // The front of a ring stands behind its end once more, so that a thread reads its items straight on.
  static constexpr int copy_bytes = ((items + 1) * size + 15) / 16 * 16;
  static constexpr int stage_bytes = (32 * items * size + 16 + 15) / 16 * 16;  // of a warp
  static constexpr std::int64_t static_bytes = 1024;  // at most, of shared memory besides
  static constexpr int shared_bytes = 2 * (ring_bytes + copy_bytes) + threads / 32 * stage_bytes;
};

#if AMPHI_CUDA_UNIT

template <class K>
class merge_ring {
 public:
  using shape = merge_shape<K>;

  // Elements first … first + count − 1 of an array of `size`; `room` has ring_bytes + copy_bytes, aligned
  // to 16.
  __device__ merge_ring(unsigned char* room, const K* array, std::int64_t size, std::int64_t first,
                        std::int64_t count)
      : room_(room),
        array_(reinterpret_cast<std::uintptr_t>(array)),
        array_end_(reinterpret_cast<std::uintptr_t>(array + size)) {
    const auto begin = reinterpret_cast<std::uintptr_t>(array + first);
    from_ = begin / 16 * 16;
    place_ = static_cast<unsigned>(begin - from_);
    loaded_ = from_;
    end_ = begin + static_cast<std::uintptr_t>(count) * sizeof(K);
  }

  // Starts to read what there is room for. It is there after wait_for_copies and a barrier.
  __device__ void fill() {
    const std::uintptr_t most = from_ + shape::ring_bytes;
    const std::uintptr_t to = most < end_ ? most : (end_ + 15) / 16 * 16;
    if (to <= loaded_) return;
    const int bytes = static_cast<int>(to - loaded_);
    const bool inside = loaded_ >= array_ && to <= array_end_;
    for (int q = static_cast<int>(threadIdx.x) * 16; q < bytes; q += shape::threads * 16) {
      unsigned char* const at = room_ + wrapped(slot_ + static_cast<unsigned>(q));
      const std::uintptr_t from = loaded_ + static_cast<unsigned>(q);
      const bool twice = at < room_ + shape::copy_bytes;
      if (inside || (from >= array_ && from + 16 <= array_end_)) {
        copy_ahead<16>(at, reinterpret_cast<const void*>(from));
        if (twice) copy_ahead<16>(at + shape::ring_bytes, reinterpret_cast<const void*>(from));
        continue;
      }
      for (int k = 0; k < 16; ++k) {  // the array begins or ends here
        if (from + k < array_ || from + k >= array_end_) continue;
        const auto byte = *reinterpret_cast<const unsigned char*>(from + k);
        at[k] = byte;
        if (twice) at[shape::ring_bytes + k] = byte;
      }
    }
    loaded_ = to;
    slot_ = wrapped(slot_ + static_cast<unsigned>(bytes));
  }

  // Gives up the first `count` elements, a tile at most.
  __device__ void drop(int count) {
    const unsigned bytes = static_cast<unsigned>(count * shape::size) + place_ % 16;
    place_ = wrapped(place_ - place_ % 16 + bytes);
    from_ += bytes / 16 * 16;
  }

  // Element i of those that are left; the next `items` follow it in memory.
  __device__ const K* at(int i) const {
    return reinterpret_cast<const K*>(room_ + wrapped(place_ + static_cast<unsigned>(i * shape::size)));
  }
  __device__ const K& operator[](int i) const { return *at(i); }

 private:
  __device__ static unsigned wrapped(unsigned place) {
    const unsigned less = place - shape::ring_bytes;
    return less < place ? less : place;
  }

  unsigned char* room_;
  std::uintptr_t array_, array_end_;
  std::uintptr_t from_;    // 16-byte piece of the first element that is left
  std::uintptr_t loaded_;  // where reading goes on
  std::uintptr_t end_;     // of what is wanted
  unsigned slot_ = 0;      // of loaded_ in the ring
  unsigned place_;         // of the first element that is left
};

// Writes `count` results of a warp, which stand in `stage` as far behind a multiple of 16 bytes as `out`
// does.
template <class K>
__device__ void merge_store(const unsigned char* stage, K* out, int count) {
  constexpr int word_bytes = alignof(K) < 4 ? static_cast<int>(alignof(K)) : 4;
  using word = std::conditional_t<word_bytes == 4, std::uint32_t,
                                  std::conditional_t<word_bytes == 2, std::uint16_t, std::uint8_t>>;
  const auto address = reinterpret_cast<std::uintptr_t>(out);
  const int before = static_cast<int>(address % 16), end = before + count * static_cast<int>(sizeof(K));
  const std::uintptr_t to = address - address % 16;
  for (int q = static_cast<int>(threadIdx.x) % 32 * 16; q < end; q += 512) {
    if (q >= before && q + 16 <= end) {
      *reinterpret_cast<int4*>(to + q) = *reinterpret_cast<const int4*>(stage + q);
      continue;
    }
    for (int k = q < before ? before : q; k < q + 16 && k < end; k += word_bytes)
      *reinterpret_cast<word*>(to + k) = *reinterpret_cast<const word*>(stage + k);
  }
}

#endif

}  // namespace amphi::detail
