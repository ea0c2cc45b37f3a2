// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/detail/access_watch.hpp"
#include "amphi/core/detail/device_failure.hpp"
#include "amphi/execution/detail/block_calls.hpp"

// Phases of block-form kernels. On the CPU a phase is a loop without dependences between its iterations (they
// are threads of a GPU, which may not write what another one reads in the same phase), and the compiler is
// told so.

namespace amphi::detail {

// The number of the thread in its block: threadIdx.x alone where a launch says that the block is a line.
AMPHI_LAUNCHABLE int device_thread() {
#if AMPHI_DEVICE_CODE
  return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
#else
  return 0;
#endif
}

AMPHI_LAUNCHABLE int device_threads() {
#if AMPHI_DEVICE_CODE
  return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
#else
  return 1;
#endif
}

// Around each phase. The CPU says where a kernel in thread form has one, which each of its threads would run
// for all of them, and in checked builds where a phase follows the last one or stands inside another.
class phase_scope {
 public:
  AMPHI_HOST_DEVICE phase_scope([[maybe_unused]] const char* phase, [[maybe_unused]] const char* file,
                                [[maybe_unused]] int line) {
#if !AMPHI_DEVICE_CODE
    if (__builtin_expect(current_context.thread_count > 1, 0)) throw_phase_misused(phase, file, line);
#  if AMPHI_CHECKED
    if (current_context.last_phase_over || current_context.in_phase) throw_phase_misused(phase, file, line);
    current_context.in_phase = true;
#  endif
#endif
  }
  AMPHI_HOST_DEVICE ~phase_scope() {
#if AMPHI_CHECKED && !AMPHI_DEVICE_CODE
    current_context.in_phase = false;
#endif
  }
  phase_scope(const phase_scope&) = delete;
  phase_scope& operator=(const phase_scope&) = delete;
};

// The barrier at the end of a phase also protects what the kernel reads after it, outside of phases: a loop
// may go on by a value in shared memory. Such reads are plain loads, so a barrier that is put off to the next
// phase would come too late for them, and nobody but the kernel knows that no more follow: it says
// last_phase.
AMPHI_LAUNCHABLE void end_phase() {
#if AMPHI_DEVICE_CODE
  __syncthreads();
#endif
}

AMPHI_LAUNCHABLE void end_last_phase() {
#if AMPHI_CHECKED && !AMPHI_DEVICE_CODE
  current_context.last_phase_over = current_context.in_launch;
#elif AMPHI_CHECKED
  __syncthreads();
#endif
}

// A barrier of the thread form, on the block of a kernel that may have phases. There checked builds record it
// on a GPU, and go on without it: in a phase not all threads may come to it. True, then.
AMPHI_LAUNCHABLE bool barrier_misused([[maybe_unused]] bool has_phases, [[maybe_unused]] const char* call,
                                      [[maybe_unused]] const char* file, [[maybe_unused]] int line) {
#if AMPHI_CHECKED && AMPHI_DEVICE_CODE
  if (has_phases) record_failure(failure_kind::block_form, call, file, line, 0, 0);
  return has_phases;
#else
  return false;
#endif
}

template <class F>
inline constexpr bool takes_coordinates =
    !std::is_invocable_v<F&, int> &&
    (std::is_invocable_v<F&, launch_index> || std::is_invocable_v<F&, int, int, int> ||
     std::is_invocable_v<F&, int, int>);

template <class F>
AMPHI_HOST_DEVICE void call_at(F& f, const launch_index& at) {
  if constexpr (std::is_invocable_v<F&, launch_index>) {
    f(at);
  } else if constexpr (std::is_invocable_v<F&, int, int, int>) {
    f(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z));
  } else {
    f(static_cast<int>(at.x), static_cast<int>(at.y));
  }
}

// Numbers 0 … count − 1 in the special order of the launch. All threads of a phase run, then the exception of
// the lowest one goes on.
class permuted_phase {
 public:
  explicit permuted_phase(std::uint32_t count) : count_(count) {}
  bool next();
  int thread() const { return thread_; }
  void keep_exception() noexcept;  // in a handler: of thread()
  void rethrow();

 private:
  std::uint32_t count_, place_ = 0;
  int thread_ = 0, lowest_ = 0;
  void* exception_ = nullptr;  // of thread number lowest_: a std::exception_ptr
};

// The phase's function is never handed on by address: its captures stay in registers.
template <class F>
void run_uncounted(std::uint32_t count, F& f) {
  if (__builtin_expect(current_context.special_start, 0)) {
    permuted_phase phase(count);
    while (phase.next()) {
      try {
        f(phase.thread());
      } catch (...) {
        phase.keep_exception();
      }
    }
    return phase.rethrow();
  }
  const int n = static_cast<int>(count);
  AMPHI_DETAIL_INDEPENDENT_THREADS
  for (int i = 0; i < n; ++i) f(i);
}

template <class F>
void run_on_host(std::uint32_t count, F& f) {
#if AMPHI_CHECKED
  if (watching_shared_accesses()) {
    const auto counted = [&](int i) {
      note_phase_thread(static_cast<std::uint32_t>(i));
      f(i);
    };
    run_uncounted(count, counted);
    return note_phase_end();
  }
#endif
  run_uncounted(count, f);
}

template <class F>
AMPHI_HOST_DEVICE void run_phase_of_threads(F& f) {
  static_assert(
      std::is_invocable_v<F&, int> || takes_coordinates<F>,
      "amphi: the function of for_each_thread takes (int thread), (x, y), (x, y, z) or a launch_index");
#if AMPHI_DEVICE_CODE
  if constexpr (takes_coordinates<F>) {
    call_at(f, {threadIdx.x, threadIdx.y, threadIdx.z});
  } else {
    f(device_thread());
  }
#else
  const launch_index e = block_extent();
  if constexpr (!takes_coordinates<F>) {
    run_on_host(static_cast<std::uint32_t>(size64(e)), f);
  } else {
    if (current_context.special_start || watching_shared_accesses()) {
      const auto at = [&](int i) {
        const auto u = static_cast<std::uint32_t>(i);
        call_at(f, {u % e.x, u / e.x % e.y, u / e.x / e.y});
      };
      run_on_host(static_cast<std::uint32_t>(size64(e)), at);
      return;
    }
    for (std::uint32_t z = 0; z < e.z; ++z) {
      for (std::uint32_t y = 0; y < e.y; ++y) {
        const int n = static_cast<int>(e.x);
        AMPHI_DETAIL_INDEPENDENT_THREADS
        for (int x = 0; x < n; ++x) call_at(f, {static_cast<std::uint32_t>(x), y, z});
      }
    }
  }
#endif
}

template <int Lanes, class F>
AMPHI_HOST_DEVICE void run_phase_of_lanes(F& f) {
#if AMPHI_DEVICE_CODE
  // The first lane of each thread is called apart: the compiler knows there which of lane_values it is. Four
  // at once, whose reads then overlap, where automatic blocks have fewer threads than there are lanes.
  const int thread = device_thread(), threads = device_threads();
  __builtin_assume(thread < threads);
  int first = threads;  // lane of thread 0 that comes next
  if (Lanes > 256 && 4 * threads <= Lanes) {
#  pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int l = thread + k * threads;
      __builtin_assume(k == 0 ? l < threads : l >= threads);
      f(l);
    }
    first = 4 * threads;
  } else if (thread < Lanes) {
    f(thread);
  }
  for (int l = thread + first; l < Lanes; l += threads) {
    __builtin_assume(l >= threads);
    f(l);
  }
#else
  if (current_context.special_start || watching_shared_accesses())
    return run_on_host(static_cast<std::uint32_t>(Lanes), f);
  AMPHI_DETAIL_INDEPENDENT_THREADS
  for (int l = 0; l < Lanes; ++l) f(l);
#endif
}

// `count` within 0 … most.
AMPHI_LAUNCHABLE std::uint32_t at_most(std::int64_t count, std::int64_t most) {
  return static_cast<std::uint32_t>(count < 0 ? 0 : count < most ? count : most);
}

template <class F>
AMPHI_HOST_DEVICE void run_phase_of_first_threads(std::int64_t count, F& f) {
  static_assert(std::is_invocable_v<F&, int>,
                "amphi: the function of for_each_thread(count, …) takes (int thread)");
#if AMPHI_DEVICE_CODE
  const int thread = device_thread();
  if (thread < count) f(thread);
#else
  run_on_host(at_most(count, size64(block_extent())), f);
#endif
}

template <int Lanes, class F>
AMPHI_HOST_DEVICE void run_phase_of_first_lanes(std::int64_t count, F& f) {
#if AMPHI_DEVICE_CODE
  const auto some = [&](int l) {
    if (l < count) f(l);
  };
  run_phase_of_lanes<Lanes>(some);
#else
  run_on_host(at_most(count, Lanes), f);
#endif
}

template <class F>
AMPHI_HOST_DEVICE void run_phase_of_one(F& f) {
#if AMPHI_DEVICE_CODE
  if (device_thread() == 0) f();
#else
  f();
#endif
}

// What per_thread keeps: one value on a device, on the CPU one for each thread that a block may have.
template <class T>
class thread_values {
 public:
#if AMPHI_DEVICE_CODE
  AMPHI_HOST_DEVICE explicit thread_values(const T& initial) : value_(initial) {}
  template <class Index>
  AMPHI_HOST_DEVICE T& of_thread(const Index&) {
    return value_;
  }

 private:
  T value_;
#else
  AMPHI_HOST_DEVICE explicit thread_values(const T& initial) {
    const auto n = size64(block_extent());
    if constexpr (!fits) values_ = new T[static_cast<std::size_t>(n)];
    for (std::int64_t i = 0; i < n; ++i) values_[i] = initial;
  }
  AMPHI_HOST_DEVICE ~thread_values() {
    if constexpr (!fits) delete[] values_;
  }
  thread_values(const thread_values&) = delete;
  thread_values& operator=(const thread_values&) = delete;

  template <class Index>
  AMPHI_HOST_DEVICE T& of_thread(const Index& thread) {
    if constexpr (std::is_same_v<Index, launch_index>) {
      return values_[linear(thread, block_extent())];
    } else {
      return values_[thread];
    }
  }

 private:
  static constexpr bool fits = sizeof(T) <= 16;
  std::conditional_t<fits, T[1024], T*> values_;
#endif
};

template <class T, int Lanes>
class lane_values {
#if AMPHI_DEVICE_CODE
 public:
  AMPHI_HOST_DEVICE AMPHI_DETAIL_INLINE_ON_DEVICE explicit lane_values(const T& initial) : first_(initial) {
    if constexpr (Lanes > 1) {
      if (device_threads() >= Lanes) return;
#  if AMPHI_DEVICE_DEBUG
      rest_ = memory_;
#  else
      // Local memory of the function that has the per_lane, which this is inlined into (nvcc 13.0 does so but
      // for -G and -Ofc=max). As a member of this it would draw first_ into memory as well: a compiler keeps
      // an object together whose array is indexed at run time.
      asm volatile(
          ".local .align %2 .b8 amphi_lanes_%= [%1];\n\t"
          "cvta.local.u64 %0, amphi_lanes_%=;"
          : "=l"(rest_)
          : "n"((Lanes - 1) * sizeof(T)), "n"(alignof(T)));
#  endif
#  pragma unroll 1
      for (int i = place(Lanes - 1); i >= 0; --i) rest_[i] = initial;
    }
  }
  AMPHI_HOST_DEVICE T& of_lane(int lane) { return lane < device_threads() ? first_ : rest_[place(lane)]; }

 private:
  // Where a further lane of the thread lies. They are as many lanes apart as the block has threads, so each
  // has its own place, from 0 on.
  AMPHI_HOST_DEVICE static int place(int lane) { return (lane >> (31 - __clz(device_threads()))) - 1; }

  T first_;
  T* rest_ = nullptr;
#  if AMPHI_DEVICE_DEBUG
  T memory_[Lanes > 1 ? Lanes - 1 : 1];  // where nothing is inlined
#  endif
#else
 public:
  AMPHI_HOST_DEVICE explicit lane_values(const T& initial) {
    for (T& v : values_) v = initial;
  }
  AMPHI_HOST_DEVICE T& of_lane(int lane) { return values_[lane]; }

 private:
  T values_[Lanes];
#endif
};

}  // namespace amphi::detail
