// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/bits.hpp"
#include "amphi/execution/detail/warp_calls.hpp"

namespace amphi {

// The calling thread's group of `Width` neighbours in a block, counted along x, then y, then z: a CUDA warp,
// or an aligned part of one. The width is the same on both sides, whatever the CPU.
//
// Each operation is met by all lanes of the group that have not returned; on the CPU it is a barrier_error
// when they do not come to the same call. Values are any trivially copyable type. Reading a lane that has
// returned, or that a partial last warp does not have, is a barrier_error on the CPU and undefined on a GPU.
// Only sync() orders memory.
template <int Width = 32>
class warp {
  static_assert(Width == 32 || Width == 16 || Width == 8 || Width == 4 || Width == 2,
                "amphi: a warp has 32, 16, 8, 4 or 2 lanes");

 public:
  AMPHI_HOST_DEVICE static constexpr int size() { return Width; }

  // The caller's number in the group, 0 … Width − 1.
  AMPHI_HOST_DEVICE static int lane() { return detail::thread_in_warp() % Width; }

  // Lanes wait for each other; what they wrote before, all see after.
  AMPHI_HOST_DEVICE void sync([[maybe_unused]] const char* file = __builtin_FILE(),
                              [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    __syncwarp(detail::group_of<Width>());
#else
    detail::vote_on_host(detail::meeting::warp_sync, Width, true, file, line);
#endif
  }

  // The value of lane `source` (counted modulo Width).
  template <class T>
  AMPHI_HOST_DEVICE T shuffle(T value, int source, [[maybe_unused]] const char* file = __builtin_FILE(),
                              [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::device_exchange(
        value, [=](auto word) { return __shfl_sync(detail::group_of<Width>(), word, source, Width); });
#else
    const auto from = static_cast<std::uint32_t>(source) % Width;
    return detail::exchange_on_host(detail::meeting::shuffle, Width, value, from, file, line);
#endif
  }

  // The value of the lane `distance` below, 0 <= distance <= 32; lanes without one below keep their own. Any
  // other distance is a bounds_error on the CPU; a GPU takes it modulo 32.
  template <class T>
  AMPHI_HOST_DEVICE T shuffle_up(T value, int distance, [[maybe_unused]] const char* file = __builtin_FILE(),
                                 [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::device_exchange(value, [=](auto word) {
      return __shfl_up_sync(detail::group_of<Width>(), word, static_cast<unsigned>(distance), Width);
    });
#else
    if (distance < 0 || distance > 32)
      detail::throw_bad_distance(detail::meeting::shuffle_up, distance, 32, file, line);
    const int from = lane() - distance;
    return detail::exchange_on_host(detail::meeting::shuffle_up, Width, value,
                                    static_cast<std::uint32_t>(from < 0 ? lane() : from), file, line);
#endif
  }

  // The value of the lane `distance` above, likewise; lanes without one above keep their own.
  template <class T>
  AMPHI_HOST_DEVICE T shuffle_down(T value, int distance,
                                   [[maybe_unused]] const char* file = __builtin_FILE(),
                                   [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::device_exchange(value, [=](auto word) {
      return __shfl_down_sync(detail::group_of<Width>(), word, static_cast<unsigned>(distance), Width);
    });
#else
    if (distance < 0 || distance > 32)
      detail::throw_bad_distance(detail::meeting::shuffle_down, distance, 32, file, line);
    const int from = lane() + distance;
    return detail::exchange_on_host(detail::meeting::shuffle_down, Width, value,
                                    static_cast<std::uint32_t>(from >= Width ? lane() : from), file, line);
#endif
  }

  // The value of lane() ^ bits, 0 <= bits < Width; other bits are a bounds_error on the CPU.
  template <class T>
  AMPHI_HOST_DEVICE T shuffle_xor(T value, int bits, [[maybe_unused]] const char* file = __builtin_FILE(),
                                  [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::device_exchange(
        value, [=](auto word) { return __shfl_xor_sync(detail::group_of<Width>(), word, bits, Width); });
#else
    if (bits < 0 || bits >= Width)
      detail::throw_bad_distance(detail::meeting::shuffle_xor, bits, Width - 1, file, line);
    return detail::exchange_on_host(detail::meeting::shuffle_xor, Width, value,
                                    static_cast<std::uint32_t>(lane() ^ bits), file, line);
#endif
  }

  // Does `predicate` hold in any lane, in all lanes?
  AMPHI_HOST_DEVICE bool any(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                             [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return __any_sync(detail::group_of<Width>(), predicate) != 0;
#else
    return detail::vote_on_host(detail::meeting::any, Width, predicate, file, line) != 0;
#endif
  }
  AMPHI_HOST_DEVICE bool all(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                             [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return __all_sync(detail::group_of<Width>(), predicate) != 0;
#else
    return detail::vote_on_host(detail::meeting::all, Width, !predicate, file, line) == 0;
#endif
  }

  // Bit i: `predicate` holds in lane i.
  AMPHI_HOST_DEVICE std::uint32_t ballot(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                                         [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::in_group<Width>(__ballot_sync(detail::group_of<Width>(), predicate));
#else
    return detail::vote_on_host(detail::meeting::ballot, Width, predicate, file, line);
#endif
  }

  // Bit i: lane i has not returned.
  AMPHI_HOST_DEVICE std::uint32_t active([[maybe_unused]] const char* file = __builtin_FILE(),
                                         [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    return detail::in_group<Width>(__ballot_sync(detail::group_of<Width>(), 1));
#else
    return detail::vote_on_host(detail::meeting::active, Width, true, file, line);
#endif
  }

  // Bit i: lane i holds the same bits as the caller. 4 or 8 bytes.
  template <class T>
  AMPHI_HOST_DEVICE std::uint32_t match_any(T value, [[maybe_unused]] const char* file = __builtin_FILE(),
                                            [[maybe_unused]] int line = __builtin_LINE()) const {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "amphi: match_any compares values of 4 or 8 bytes");
#if AMPHI_DEVICE_CODE
    return detail::in_group<Width>(__match_any_sync(detail::group_of<Width>(), detail::as_bits(value)));
#else
    return detail::match_on_host(Width, value, file, line);
#endif
  }

  // op over the values of all lanes that have not returned; every lane gets the same bits. Fixed tree: at
  // distance Width/2, …, 2, 1 lane l takes op(l, l + distance), a missing operand is left out.
  template <class T, class Op>
  AMPHI_HOST_DEVICE T reduce(T value, Op op, [[maybe_unused]] const char* file = __builtin_FILE(),
                             [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    const std::uint32_t here = active();
    constexpr std::uint32_t full = detail::low_bits(Width);
    const int me = lane();
    for (int d = Width / 2; d > 0; d /= 2) {
      if (here == full) {
        const T other = shuffle_xor(value, d);
        value = (me & d) != 0 ? op(other, value) : op(value, other);
      } else {
        // The lanes that hold the other operand are those equal to l ^ d modulo 2 d; any that is here has it.
        const std::uint32_t holders = here & detail::every(Width, d, me ^ d);
        const int from = holders != 0 ? __ffs(static_cast<int>(holders)) - 1 : me;
        const T other = shuffle(value, from);
        if (holders != 0) value = (me & d) != 0 ? op(other, value) : op(value, other);
      }
    }
    return value;
#else
    return detail::reduce_on_host(Width, value, op, file, line);
#endif
  }
};

// The group of the calling thread.
template <int Width = 32>
AMPHI_HOST_DEVICE warp<Width> this_warp() {
  return {};
}

}  // namespace amphi
