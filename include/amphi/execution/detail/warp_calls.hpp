// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/execution/detail/block_calls.hpp"

// How the operations of a warp are done: on a device by one instruction for each 32 bits, on the CPU by the
// last lane that arrives.

namespace amphi::detail {

// The number of the thread in its warp of 32.
AMPHI_LAUNCHABLE int thread_in_warp() {
#if AMPHI_DEVICE_CODE
  int lane = 0;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));  // one instruction; six from the thread's x, y and z
  __builtin_assume(lane >= 0);
  __builtin_assume(lane < 32);
  return lane;
#else
  return static_cast<int>(linear(thread_index(), block_extent()) % 32);
#endif
}

AMPHI_HOST_DEVICE constexpr std::uint32_t low_bits(int n) { return n >= 32 ? ~0u : (1u << n) - 1; }

// Bits l < width with l ≡ member modulo 2 distance; width and distance are powers of two.
AMPHI_HOST_DEVICE constexpr std::uint32_t every(int width, int distance, int member) {
  std::uint32_t mask = 1;
  for (int step = 2 * distance; step < width; step *= 2) mask |= mask << step;
  return mask << (member & (2 * distance - 1));
}

#if AMPHI_CUDA_UNIT

// The lanes of the caller's group, as a mask of its hardware warp.
template <int Width>
__device__ inline std::uint32_t group_of() {
  if constexpr (Width == 32) {
    return ~0u;
  } else {
    return low_bits(Width) << (static_cast<std::uint32_t>(thread_in_warp()) & ~(Width - 1u));
  }
}

// A mask of the hardware warp as one of the group.
template <int Width>
__device__ inline std::uint32_t in_group(std::uint32_t mask) {
  if constexpr (Width == 32) {
    return mask;
  } else {
    return mask >> (static_cast<std::uint32_t>(thread_in_warp()) & ~(Width - 1u)) & low_bits(Width);
  }
}

// Sends a value through `send`, which takes 32 bits at a time.
template <class T, class Send>
__device__ T device_exchange(const T& value, Send send) {
  static_assert(std::is_trivially_copyable_v<T>, "amphi: lanes exchange trivially copyable values");
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  std::uint32_t bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
  for (std::size_t i = 0; i < words; ++i) bits[i] = send(bits[i]);
  T result = value;
  __builtin_memcpy(&result, bits, sizeof(T));
  return result;
}

template <class T>
__device__ auto as_bits(const T& value) {
  std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long> bits;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

#endif

inline std::uint32_t vote_on_host(meeting what, std::uint32_t width, bool predicate, const char* file,
                                  int line) {
  warp_request request{.what = what, .width = width, .finish = &finish_ballot};
  request.argument = predicate;
  warp_meet(request, file, line);
  return request.result;
}

template <class T>
T exchange_on_host(meeting what, std::uint32_t width, const T& value, std::uint32_t source, const char* file,
                   int line) {
  static_assert(std::is_trivially_copyable_v<T>, "amphi: lanes exchange trivially copyable values");
  T result = value;
  warp_request request{.what = what, .width = width, .finish = &finish_shuffle};
  request.in = &value;
  request.out = &result;
  request.bytes = sizeof(T);
  request.argument = source;
  warp_meet(request, file, line);
  return result;
}

template <class T>
std::uint32_t match_on_host(std::uint32_t width, const T& value, const char* file, int line) {
  warp_request request{.what = meeting::match_any, .width = width, .finish = &finish_match_any};
  request.in = &value;
  request.bytes = sizeof(T);
  warp_meet(request, file, line);
  return request.result;
}

// One lane's operand of a reduction, and where the result goes.
template <class T, class Op>
struct reduction {
  T value;
  Op* op;

  AMPHI_DETAIL_NO_TSAN static void finish(warp_round& round) {
    alignas(T) unsigned char bytes[32][sizeof(T)];
    T* const v = reinterpret_cast<T*>(bytes);
    std::uint32_t here = round.lanes;
    for (std::uint32_t l = 0; l < round.width; ++l)
      if (round.of[l] != nullptr)
        copy_private(&v[l], &static_cast<const reduction*>(round.of[l]->in)->value, sizeof(T));
    Op& apply = *static_cast<const reduction*>(round.of[countr_lowest(here)]->in)->op;
    for (std::uint32_t d = round.width / 2; d > 0; d /= 2) {
      for (std::uint32_t l = 0; l < d; ++l) {
        if ((here >> (l + d) & 1u) == 0) continue;
        if ((here >> l & 1u) != 0) {
          v[l] = apply(v[l], v[l + d]);
        } else {
          copy_private(&v[l], &v[l + d], sizeof(T));
          here |= 1u << l;
        }
      }
    }
    for (std::uint32_t l = 0; l < round.width; ++l)
      if (round.of[l] != nullptr) copy_private(round.of[l]->out, &v[0], sizeof(T));
  }

 private:
  static int countr_lowest(std::uint32_t x) { return __builtin_ctz(x); }
};

template <class T, class Op>
T reduce_on_host(std::uint32_t width, const T& value, Op& op, const char* file, int line) {
  static_assert(std::is_trivially_copyable_v<T>, "amphi: lanes exchange trivially copyable values");
  T result = value;
  reduction<T, Op> mine{value, &op};
  warp_request request{.what = meeting::reduce, .width = width, .finish = &reduction<T, Op>::finish};
  request.in = &mine;
  request.out = &result;
  request.bytes = sizeof(T);
  warp_meet(request, file, line);
  return result;
}

}  // namespace amphi::detail
