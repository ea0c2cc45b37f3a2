// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/core/integer.hpp"
#include "amphi/core/view.hpp"
#include "amphi/execution/detail/block_calls.hpp"
#include "amphi/execution/detail/phase.hpp"
#include "amphi/execution/shared.hpp"

namespace amphi {

// Says of a phase that the kernel ends with it.
enum last_phase_t { last_phase };

// The block of the calling thread: barriers, dynamic shared memory, and phases.
//
// Thread form. An ordinary kernel gets it from this_block() and calls sync() between the parts of its work.
// Every thread of the block that has not returned must call the same sync(): on the CPU anything else is a
// barrier_error that names the threads and both lines.
//
// Block form. A kernel whose first parameter is a block runs once per block on the CPU, where its phases are
// plain loops, and in each thread on a GPU:
//   AMPHI_LAUNCHABLE void tile_sum(amphi::block block, const float* x, float* out) {
//     AMPHI_SHARED(s, float[256]);
//     block.for_each_thread([&](int t) { s[t] = x[block.index().x * 256 + t]; });
//     …
// Outside its phases such a kernel may not depend on the thread or write memory; thread_index(), sync() and
// this_warp() are errors in it.
class block {
 public:
  // Threads wait here for each other; what they wrote before, all see after.
  AMPHI_HOST_DEVICE void sync([[maybe_unused]] const char* file = __builtin_FILE(),
                              [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    if (!detail::barrier_misused(has_phases_, "block.sync()", file, line)) __syncthreads();
#else
    detail::block_sync(file, line);
#endif
  }

  // The same, and gives all threads the number of threads for which `predicate` held, whether it held for all
  // of them, or for any. Threads that have returned have no vote.
  AMPHI_HOST_DEVICE int sync_count(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                                   [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    if (detail::barrier_misused(has_phases_, "block.sync_count()", file, line)) return predicate;
    return __syncthreads_count(predicate);
#else
    std::uint32_t arrived = 1;
    return static_cast<int>(detail::block_meet(detail::meeting::sync_count, predicate, arrived, file, line));
#endif
  }
  AMPHI_HOST_DEVICE bool sync_and(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                                  [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    if (detail::barrier_misused(has_phases_, "block.sync_and()", file, line)) return predicate;
    return __syncthreads_and(predicate) != 0;
#else
    std::uint32_t arrived = 1;
    const std::uint32_t count = detail::block_meet(detail::meeting::sync_and, predicate, arrived, file, line);
    return count == arrived;
#endif
  }
  AMPHI_HOST_DEVICE bool sync_or(bool predicate, [[maybe_unused]] const char* file = __builtin_FILE(),
                                 [[maybe_unused]] int line = __builtin_LINE()) const {
#if AMPHI_DEVICE_CODE
    if (detail::barrier_misused(has_phases_, "block.sync_or()", file, line)) return predicate;
    return __syncthreads_or(predicate) != 0;
#else
    std::uint32_t arrived = 1;
    return detail::block_meet(detail::meeting::sync_or, predicate, arrived, file, line) != 0;
#endif
  }

  // `count` elements of the block's dynamic shared memory, which policy.shared_bytes asked for, from
  // `byte_offset` on. Beyond its end: bounds_error on the CPU, on a GPU in checked builds.
  template <class T, integer N, integer O = int>
  AMPHI_HOST_DEVICE view<T> shared(N count, O byte_offset = 0,
                                   [[maybe_unused]] const char* file = __builtin_FILE(),
                                   [[maybe_unused]] int line = __builtin_LINE()) const {
    static_assert(std::is_trivially_copyable_v<T>, "amphi: shared memory holds trivially copyable types");
#if AMPHI_DEVICE_CODE
    extern __shared__ uint4 amphi_dynamic_shared_memory[];
    auto* bytes = reinterpret_cast<unsigned char*>(amphi_dynamic_shared_memory) + byte_offset;
#  if AMPHI_CHECKED
    std::uint32_t all = 0;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
    constexpr const char* what = "the block's dynamic shared memory";
    const std::int64_t offset = signed_value(byte_offset), end = static_cast<std::int64_t>(all);
    if (!detail::in_bounds(what, detail::checked_index(offset, file, line), end + 1) ||
        !detail::in_bounds(what, detail::checked_index(detail::bytes_of<T>(count), file, line),
                           end - offset + 1))
      return {};
#  endif
    return {reinterpret_cast<T*>(bytes), count};
#else
    void* bytes = detail::dynamic_shared_address(signed_value(byte_offset), detail::bytes_of<T>(count),
                                                 alignof(T), file, line);
    return {static_cast<T*>(bytes), count};
#endif
  }

  // Runs f(t) for each thread t of the block, then synchronises. f may also take (x, y), (x, y, z) or a
  // launch_index.
  template <class F>
  AMPHI_HOST_DEVICE void for_each_thread(F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                         [[maybe_unused]] int line = __builtin_LINE()) const {
    const detail::phase_scope scope("for_each_thread()", file, line);
    detail::run_phase_of_threads(f);
    detail::end_phase();
  }

  // Runs f(l) for l = 0 … Lanes − 1, whatever the size of the block, then synchronises. A lane stays with its
  // thread throughout the launch.
  template <int Lanes, class F>
  AMPHI_HOST_DEVICE void for_each_lane(F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                       [[maybe_unused]] int line = __builtin_LINE()) const {
    static_assert(Lanes > 0, "amphi: for_each_lane needs one lane or more");
    const detail::phase_scope scope("for_each_lane()", file, line);
    detail::run_phase_of_lanes<Lanes>(f);
    detail::end_phase();
  }

  // The same for the first `count` threads or lanes, or all if there are fewer: a tree's
  // block.for_each_thread(d, [&](int t) { s[t] += s[t + d]; }) is a short loop on the CPU with every
  // compiler. With `if (t < d)` in f it is one with g++; clang++ takes 7 to 22 times as long.
  template <integer N, class F>
  AMPHI_HOST_DEVICE void for_each_thread(N count, F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                         [[maybe_unused]] int line = __builtin_LINE()) const {
    const detail::phase_scope scope("for_each_thread()", file, line);
    detail::run_phase_of_first_threads(signed_value(count), f);
    detail::end_phase();
  }
  template <int Lanes, integer N, class F>
  AMPHI_HOST_DEVICE void for_each_lane(N count, F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                       [[maybe_unused]] int line = __builtin_LINE()) const {
    static_assert(Lanes > 0, "amphi: for_each_lane needs one lane or more");
    const detail::phase_scope scope("for_each_lane()", file, line);
    detail::run_phase_of_first_lanes<Lanes>(signed_value(count), f);
    detail::end_phase();
  }

  // Runs f() in one thread, then synchronises.
  template <class F>
  AMPHI_HOST_DEVICE void single(F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                [[maybe_unused]] int line = __builtin_LINE()) const {
    const detail::phase_scope scope("single()", file, line);
    detail::run_phase_of_one(f);
    detail::end_phase();
  }

  // The same where the kernel ends with this phase: on a GPU the threads do not wait for each other any more,
  // which takes some 3 % of a small kernel. Nothing of the kernel may come after it: in checked builds
  // another phase is a bounds_error on the CPU.
  template <class F>
  AMPHI_HOST_DEVICE void for_each_thread(last_phase_t, F&& f,
                                         [[maybe_unused]] const char* file = __builtin_FILE(),
                                         [[maybe_unused]] int line = __builtin_LINE()) const {
    const detail::phase_scope scope("for_each_thread()", file, line);
    detail::run_phase_of_threads(f);
    detail::end_last_phase();
  }
  template <int Lanes, class F>
  AMPHI_HOST_DEVICE void for_each_lane(last_phase_t, F&& f,
                                       [[maybe_unused]] const char* file = __builtin_FILE(),
                                       [[maybe_unused]] int line = __builtin_LINE()) const {
    static_assert(Lanes > 0, "amphi: for_each_lane needs one lane or more");
    const detail::phase_scope scope("for_each_lane()", file, line);
    detail::run_phase_of_lanes<Lanes>(f);
    detail::end_last_phase();
  }
  template <class F>
  AMPHI_HOST_DEVICE void single(last_phase_t, F&& f, [[maybe_unused]] const char* file = __builtin_FILE(),
                                [[maybe_unused]] int line = __builtin_LINE()) const {
    const detail::phase_scope scope("single()", file, line);
    detail::run_phase_of_one(f);
    detail::end_last_phase();
  }

  AMPHI_HOST_DEVICE launch_index index() const { return block_index(); }
  AMPHI_HOST_DEVICE launch_index extent() const { return block_extent(); }
  AMPHI_HOST_DEVICE int size() const { return static_cast<int>(detail::size64(block_extent())); }

  // The block that the calling thread belongs to.
  AMPHI_HOST_DEVICE static block current() { return {}; }

  // The same, as a launch hands it to a kernel in block form.
  AMPHI_HOST_DEVICE static block of_phases() {
    block b;
    b.has_phases_ = true;
    return b;
  }

 private:
  // Known to the compiler, and for GPUs: on the CPU the launch knows.
  bool has_phases_ = false;
};

AMPHI_LAUNCHABLE block this_block() { return block::current(); }

// One T for each thread of the block in a block-form kernel, kept from phase to phase: v[t]. In a register on
// a GPU, where only the own value can be reached.
template <class T>
class per_thread {
 public:
  AMPHI_HOST_DEVICE explicit per_thread(T initial = T()) : values_(initial) {}
  AMPHI_HOST_DEVICE explicit per_thread(block, T initial = T()) : values_(initial) {}
  per_thread(const per_thread&) = delete;
  per_thread& operator=(const per_thread&) = delete;

  template <class Index>
  AMPHI_HOST_DEVICE T& operator[](const Index& thread) {
    return values_.of_thread(thread);
  }

 private:
  detail::thread_values<T> values_;
};

// One T for each of `Lanes` lanes, likewise: v[l] with the l that for_each_lane<Lanes> gave. On a GPU the
// first lane of each thread is in a register, further ones are in its local memory.
template <class T, int Lanes>
class per_lane {
  static_assert(std::is_trivially_copyable_v<T>, "amphi: per_lane holds trivially copyable types");

 public:
  AMPHI_HOST_DEVICE AMPHI_DETAIL_INLINE_ON_DEVICE explicit per_lane(T initial = T()) : values_(initial) {}
  AMPHI_HOST_DEVICE AMPHI_DETAIL_INLINE_ON_DEVICE explicit per_lane(block, T initial = T())
      : values_(initial) {}
  per_lane(const per_lane&) = delete;
  per_lane& operator=(const per_lane&) = delete;

  AMPHI_HOST_DEVICE T& operator[](int lane) { return values_.of_lane(lane); }

 private:
  detail::lane_values<T, Lanes> values_;
};

}  // namespace amphi
