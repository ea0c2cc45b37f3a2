// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/compat/hemi/detail/kernel.hpp"
#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/compat/hemi/execution_policy.h"
#include "amphi/execution/launch.hpp"
#include "amphi/runtime/backend.hpp"

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace hemi {

inline std::atomic<int> hostThreads{0};

// Number of CPU threads that launches use from now on. 0 or less: all that there are. 1: a launch on the CPU
// is one call on the calling thread, whatever its geometry, as it was in Hemi 1 and 2. No effect on a GPU.
inline void setHostThreads(int count) { hostThreads.store(count, std::memory_order_relaxed); }

inline namespace AMPHI_DETAIL_HEMI_UNIT {
namespace detail {

template <class... T>
constexpr void check_unit() {
#if defined(HEMI_HOST_COMPILER) && AMPHI_CUDA && !defined(HEMI_CUDA_DISABLE)
  amphi::detail::check_unit<T...>();
#endif
}

// The policy as this kind of unit takes it.
inline amphi::policy settled(amphi::policy p) {
#if defined(HEMI_HOST_COMPILER) && AMPHI_CUDA
  p.backend = amphi::backend::cpu;
#endif
  const int threads = hostThreads.load(std::memory_order_relaxed);
  if (threads <= 0) return p;
  if (amphi::resolve(p.backend) != amphi::backend::cpu) return p;
  if (threads == 1) {
    p.grid = p.block = 1;
  } else {
    p.workers = threads;
  }
  return p;
}

// What a launch is called by in messages.
template <class Function>
struct named {
  static constexpr const char* signature() { return amphi::detail::type_signature<Function>(); }
};

template <class Function>
inline constexpr bool has_host_body =
#if defined(HEMI_CUDA_COMPILER)
    !AMPHI_HEMI_DEVICE_ONLY && !amphi::detail::device_only_lambda<Function>;
#else
    true;
#endif

// The threads of a block on the CPU, each with a copy of everything.
template <class Function, class... A>
struct [[gnu::visibility("hidden")]] launcher {
  // `any_geometry`: on the CPU grid and block are checked, and one call per worker is made all the same.
  static void launch(const amphi::policy& p, std::int64_t work, bool any_geometry, Function f,
                     A... arguments) {
    static_assert(
        amphi::detail::argument_bytes<Function, A...>() <= amphi::detail::max_argument_bytes,
        "amphi: the arguments and captures of a launch take more than 32764 bytes, the limit of a CUDA "
        "kernel: put the data into a hemi::Array and pass its pointer");
    check_unit<Function, A...>();
    amphi::detail::launch_call call;
    const auto body = [&] {
      if constexpr (has_host_body<Function>) run(f, arguments...);
    };
    void* addresses[] = {address_of(f), address_of(arguments)...};
    if constexpr (has_host_body<Function>) call.run = &amphi::detail::run_threads<const decltype(body)>;
    call.body = address_of(body);
    call.arguments = addresses;
    call.argument_count = static_cast<int>(1 + sizeof...(A));
    call.work = work;
    call.any_geometry = any_geometry;
    amphi::detail::launch(settled(p), description, call);
  }

 private:
  static void run(Function f, A... arguments) { f(arguments...); }

  template <class T>
  static void* address_of(const T& x) {
    return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(x)));
  }

  static inline constinit amphi::detail::kernel description = {
    .signature = named<Function>::signature(),
#if defined(HEMI_CUDA_COMPILER)
    .address = reinterpret_cast<const void*>(&Kernel<Function, A...>),
    .cuda = &amphi::detail::unit_cuda_calls,
#endif
    .device_only = !has_host_body<Function>,
    .pointers = amphi::detail::pointer_bits<Function, A...>(),
  };
};

#if defined(HEMI_CUDA_COMPILER)
#  pragma nv_diagnostic push
#  pragma nv_diag_suppress 1407
template <auto Fn, class... P>
[[gnu::visibility("hidden")]] __global__ void named_kernel(P... p) {
  Fn(p...);
}
#  pragma nv_diagnostic pop
#endif

// A function known when compiling, as a function object: the call is direct, and its parameters are those of
// the function, so that arguments convert as in a normal call.
template <auto Fn>
struct function_object;

template <class... P, void (*Fn)(P...)>
struct function_object<Fn> {
  HEMI_DEV_CALLABLE void operator()(P... p) const { Fn(static_cast<P&&>(p)...); }
  static void launch(const amphi::policy& p, P... arguments) {
    // As Hemi's does: a HEMI_KERNEL of a C++ unit loops over its elements, whatever the grid.
#if defined(HEMI_CUDA_COMPILER)
    constexpr bool any_geometry = false;
#else
    constexpr bool any_geometry = true;
#endif
    launcher<function_object, P...>::launch(p, -1, any_geometry, {}, arguments...);
  }
#if defined(HEMI_CUDA_COMPILER)
  static auto global() -> void (*)(P...) { return &named_kernel<Fn, P...>; }
#endif
};

template <auto Fn>
struct named<function_object<Fn>> {
  static constexpr const char* signature() { return amphi::detail::value_signature<Fn>(); }
};

// Grids and blocks of HEMI_KERNEL_LAUNCH: a number, or anything with x, y and z.
template <class T>
amphi::extent3 extent_of(const T& size) {
  if constexpr (requires { size.x + size.y + size.z; }) {
    return {size.x, size.y, size.z};
  } else {
    return static_cast<std::int64_t>(size);
  }
}

template <class T>
hemiStream_t stream_of([[maybe_unused]] T stream) {
  if constexpr (std::is_arithmetic_v<T>) {
    return nullptr;  // the 0 of a macro's argument
  } else {
    return stream;
  }
}

template <class Grid, class Block, class Bytes, class Stream>
amphi::policy geometry(const Grid& grid, const Block& block, Bytes shared_bytes, Stream stream) {
  amphi::policy p;
  p.grid = extent_of(grid);
  p.block = extent_of(block);
  p.shared_bytes = static_cast<std::size_t>(shared_bytes);
  p.stream = stream_of(stream);
  return p;
}

}  // namespace detail
}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi

AMPHI_DETAIL_CONVERSIONS_END
