// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/config/macros.hpp"

// Small tools of the algorithms' bodies on a GPU.

#if AMPHI_CUDA_UNIT

namespace amphi::detail {

// Moves any value between the lanes of a warp, in words.
template <class T, class Shuffle>
__device__ T shuffle_words(const T& value, Shuffle shuffle) {
  constexpr int count = static_cast<int>((sizeof(T) + 3) / 4);
  unsigned words[count];
  words[count - 1] = 0;
  __builtin_memcpy(words, &value, sizeof(T));
#  pragma unroll
  for (int i = 0; i < count; ++i) words[i] = shuffle(words[i]);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

template <class T>
__device__ T shuffle_down(const T& value, int distance) {
  return shuffle_words(value, [=](unsigned w) { return __shfl_down_sync(0xffffffffu, w, distance); });
}

template <class T>
__device__ T shuffle_up(const T& value, int distance) {
  return shuffle_words(value, [=](unsigned w) { return __shfl_up_sync(0xffffffffu, w, distance); });
}

template <class T>
__device__ T shuffle_from(const T& value, int lane) {
  return shuffle_words(value, [=](unsigned w) { return __shfl_sync(0xffffffffu, w, lane); });
}

// Stores a pack in global memory in pieces of 16 bytes, if its size allows. The compiler, left to itself,
// takes some assignments of packs apart.
template <class Pack>
__device__ void store_whole(Pack* to, const Pack& value) {
  if constexpr (sizeof(Pack) % 16 == 0 && alignof(Pack) >= 16) {
    int4 pieces[sizeof(Pack) / 16];
    __builtin_memcpy(pieces, &value, sizeof(Pack));
#  pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(Pack) / 16); ++i)
      asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(
                       __cvta_generic_to_global(reinterpret_cast<int4*>(to) + i)),
                   "r"(pieces[i].x), "r"(pieces[i].y), "r"(pieces[i].z), "r"(pieces[i].w)
                   : "memory");
  } else {
    *to = value;
  }
}

// Shared memory for values whose constructors are not to run.
template <class T, int N>
struct alignas(alignof(T) < 16 ? 16 : alignof(T)) raw_array {
  unsigned char bytes[sizeof(T) * N];
  __device__ T* data() { return reinterpret_cast<T*>(bytes); }
};

// N bytes, 4, 8 or 16, from global to shared memory without a detour through registers; both aligned to N.
// Waited for by wait_for_copies in the thread that copies.
template <int N>
__device__ void copy_ahead(void* to, const void* from) {
  static_assert(N == 4 || N == 8 || N == 16);
#  if AMPHI_DEVICE_ARCH >= 800
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (N == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(N) : "memory");
  }
#  else
  using word = std::conditional_t<N == 16, int4, std::conditional_t<N == 8, int2, int> >;
  *static_cast<word*>(to) = *static_cast<const word*>(from);
#  endif
}
__device__ inline void wait_for_copies() {
#  if AMPHI_DEVICE_ARCH >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#  endif
}
// The thread's copies since the last call become one group, which may be empty.
__device__ inline void close_copies() {
#  if AMPHI_DEVICE_ARCH >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#  endif
}
// Waits for the thread's groups of copies, but for the newest so many.
template <int Newest>
__device__ void wait_for_older_copies() {
#  if AMPHI_DEVICE_ARCH >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Newest) : "memory");
#  endif
}

// Says in one thread that the caller's writes are there for all, and whether it is the last of `count` to say
// so. The last one puts the counter back to zero.
__device__ inline bool arrive_last(unsigned* counter, unsigned count) {
  __threadfence();
  const bool last = atomicAdd(counter, 1u) == count - 1;
  if (last) {
    __threadfence();
    *counter = 0;
  }
  return last;
}

}  // namespace amphi::detail

#endif
