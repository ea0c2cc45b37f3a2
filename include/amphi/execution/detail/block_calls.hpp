// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/core/integer.hpp"
#include "amphi/execution/thread_index.hpp"

// The seam between block, warp and shared memory on the CPU and the compiled engine.

namespace amphi::detail {

// What a thread waits at, for messages and for telling one barrier from another.
enum class meeting : std::uint8_t {
  sync,
  sync_count,
  sync_and,
  sync_or,
  warp_sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  any,
  all,
  ballot,
  active,
  match_any,
  reduce
};

// Waits until all threads of the block that have not returned are here.
void block_sync(const char* file, int line);

// The same at another of the block's barriers; answers for how many of them
// `predicate` held. `arrived` takes their number.
std::uint32_t block_meet(meeting what, bool predicate, std::uint32_t& arrived, const char* file, int line);

// One lane's part in a warp operation. The last lane to arrive runs `finish` for all of them.
struct warp_round;
struct warp_request {
  meeting what;
  std::uint32_t width;
  void (*finish)(warp_round& round);
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t bytes = 0;       // of *in and *out
  std::uint32_t argument = 0;  // source lane or predicate
  std::uint32_t result = 0;    // mask
  std::int32_t bad_lane = -1;  // a lane that was read and has no value
};

struct warp_round {
  std::uint32_t lanes = 0;  // bit i: lane i of the group is here
  std::uint32_t width = 32;
  warp_request* of[32] = {};
};

// Waits until all lanes of the group of `width` that have not returned are here with the same call.
void warp_meet(warp_request& request, const char* file, int line);

// bounds_error: a lane was named by a number that must be 0 … most.
[[noreturn]] void throw_bad_distance(meeting what, int distance, int most, const char* file, int line);

// Values for `finish`; not seen by ThreadSanitizer, as the lanes' private variables are no shared memory.
void copy_private(void* to, const void* from, std::size_t bytes);
void finish_shuffle(warp_round& round);    // out = in of lane `argument`
void finish_ballot(warp_round& round);     // result = mask of lanes whose `argument` is not 0
void finish_match_any(warp_round& round);  // result = mask of lanes with the same bytes

// Names one AMPHI_SHARED declaration, or one instantiation of it.
struct shared_slot {
  std::uint32_t id = 0;  // given at the first use
};

// Where the variable lies for the calling thread's block. launch_error when the block's shared memory is
// spent.
void* shared_address(shared_slot& slot, std::size_t bytes, std::size_t alignment, const char* name);

// Bytes of `count` elements; a number that 64 bits can't hold is as far away as they can.
template <class T, class N>
AMPHI_HOST_DEVICE constexpr std::int64_t bytes_of(N count) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t most = INT64_MAX / size;
  const std::int64_t n = signed_value(count);
  return n > most ? INT64_MAX : n < -most ? -INT64_MAX : n * size;
}

// `bytes` bytes of the block's dynamic shared memory from `offset` on. bounds_error beyond its end.
void* dynamic_shared_address(std::int64_t offset, std::int64_t bytes, std::size_t alignment, const char* file,
                             int line);

// For kernels in block form.
[[noreturn]] void throw_block_form(const char* call, const char* file, int line);
[[noreturn]] void throw_phase_misused(const char* phase, const char* file, int line);

}  // namespace amphi::detail
