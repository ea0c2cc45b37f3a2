// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/kernel.hpp"

// Independent tasks: body(0), body(1), … body(tasks − 1), each by one thread of a GPU or one worker of the
// CPU. A body is a struct with a static `name` and a const call operator for both sides. Right in every
// geometry.

namespace amphi::detail {

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class Body, int Threads>
struct task_kernel {
  static constexpr const char* name = Body::name;
  static constexpr int threads = Threads;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  __device__ static void device(Body body, std::int64_t tasks) {
    const std::int64_t all = global_thread_count();
    for (std::int64_t t = global_thread_index(); t < tasks; t += all) body(t);
  }
#endif

  static void host(const Body& body, std::int64_t tasks) {
    const share s = tasks_of_block(tasks);
    for (std::uint64_t t = s.offset; t < s.end; ++t) body(static_cast<std::int64_t>(t));
  }
};

AMPHI_DETAIL_CONVERSIONS_END

inline constexpr int task_threads = 256;

template <class Body>
void launch_tasks(const algorithm_plan& plan, std::int64_t tasks, const Body& body) {
  if (tasks == 0) return;
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu && !plan.automatic)
      return launch_algorithm<task_kernel<Body, 1024>>(plan.launch, tasks, body, tasks);
    if (plan.on_gpu) {
      const std::int64_t blocks = (tasks + task_threads - 1) / task_threads;
      const policy p = with_geometry(plan.launch, blocks < INT32_MAX ? blocks : INT32_MAX, task_threads);
      return launch_algorithm<task_kernel<Body, task_threads>>(p, tasks, body, tasks);
    }
  }
  launch_algorithm<task_kernel<Body, task_threads>>(plan.launch, tasks, body, tasks);
}

// The same where a GPU goes another way: the body is for the CPU only.
template <class Body>
struct host_task_kernel {
  static constexpr const char* name = Body::name;
  static constexpr int threads = task_threads;
  static constexpr int resident = 1;

#if AMPHI_CUDA_UNIT
  template <class... P>
  __device__ static void device(const P&...) {}
#endif

  static void host(const Body& body, std::int64_t tasks) {
    const share s = tasks_of_block(tasks);
    for (std::uint64_t t = s.offset; t < s.end; ++t) body(static_cast<std::int64_t>(t));
  }
};

template <class Body>
void launch_host_tasks(const algorithm_plan& plan, std::int64_t tasks, const Body& body) {
  launch_algorithm<host_task_kernel<Body>>(plan.launch, tasks, body, tasks);
}

// A kernel of the GPU's own: body() in each thread of blocks of up to `Threads`, `Resident` of which a
// multiprocessor is to hold. The CPU goes another way; a body for both sides lets tests run it there.
template <class Body, int Threads, int Resident>
struct gpu_kernel {
  static constexpr const char* name = Body::name;
  static constexpr int threads = Threads;
  static constexpr int resident = Resident;

#if AMPHI_CUDA_UNIT
  __device__ static void device(Body body) { body(); }
#endif
  static void host(const Body&) {}
};

// Errors of arguments, all bounds_error.
[[noreturn]] void throw_not_apart(const char* algorithm, const void* in, const void* out);
[[noreturn]] void throw_result_inside(const char* algorithm, const void* result, const void* out);
[[noreturn]] void throw_sizes_differ(const char* algorithm, const char* what, std::uint64_t have,
                                     std::uint64_t other);
[[noreturn]] void throw_bin_count(const char* algorithm, std::int64_t bins);
[[noreturn]] void throw_too_many_for_bins(const char* algorithm, std::int64_t elements);
[[noreturn]] void throw_other_backend(const char* algorithm);
[[noreturn]] void throw_other_device(const char* algorithm, int plan, int policy);
[[noreturn]] void throw_plan_size(std::uint64_t have, std::uint64_t need);
// Making a scatter_plan is no work that a graph can hold: launch_error.
void refuse_plan_in_capture(const algorithm_plan& plan);

// For outputs that must share nothing with an input.
template <class In, class Out>
void check_apart(const char* algorithm, const In* in, std::int64_t in_size, const Out* out,
                 std::int64_t out_size) {
  const auto i = reinterpret_cast<std::uintptr_t>(in), o = reinterpret_cast<std::uintptr_t>(out);
  if (in_size > 0 && out_size > 0 && i < o + static_cast<std::uintptr_t>(out_size) * sizeof(Out) &&
      o < i + static_cast<std::uintptr_t>(in_size) * sizeof(In))
    throw_not_apart(algorithm, in, out);
}

// The one element of another result must not lie among those of the output.
template <class Result, class Out>
void check_result_apart(const char* algorithm, const Result* result, const Out* out, std::int64_t out_size) {
  const auto r = reinterpret_cast<std::uintptr_t>(result), o = reinterpret_cast<std::uintptr_t>(out);
  if (out_size > 0 && r < o + static_cast<std::uintptr_t>(out_size) * sizeof(Out) && o < r + sizeof(Result))
    throw_result_inside(algorithm, result, out);
}

// A part of n elements cut into pieces of `size`.
struct piece {
  std::int64_t first, last;
};
AMPHI_LAUNCHABLE piece piece_of(std::int64_t n, std::int64_t size, std::int64_t index) {
  const std::int64_t first = index * size;
  return {first, n - first < size ? n : first + size};
}

// Elements that one task takes: few on a GPU, long stretches on the CPU.
inline std::int64_t task_length(const algorithm_plan& plan, std::int64_t n, std::int64_t on_gpu,
                                std::int64_t least_on_cpu) {
  if (plan.on_gpu) return on_gpu;
  const std::int64_t parts = 256;
  const std::int64_t even = (n + parts - 1) / parts;
  return even < least_on_cpu ? least_on_cpu : even;
}

}  // namespace amphi::detail
