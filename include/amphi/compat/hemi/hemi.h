// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/compat/hemi/detail/launcher.hpp"
#include "amphi/compat/hemi/detail/mode.hpp"
#include "amphi/compat/hemi/hemi_error.h"
#include "amphi/execution/launch_global.hpp"
#include "amphi/execution/thread_index.hpp"
#include "amphi/runtime/device.hpp"

// The macros and functions of Hemi 1 and 2, so that programs written for Hemi build unchanged. The README
// says what replaces each, and where the meaning differs.

// 100000 times the major version plus 100 times the minor version of the Hemi that this stands for.
#define HEMI_VERSION 200000

#if defined(HEMI_CUDA_COMPILER)
#  define HEMI_LOC_STRING "Device"

// A function for hemi::cudaLaunch: on a GPU only. A function object, a lambda or a HEMI_KERNEL also runs on
// the CPU when there is no GPU.
#  define HEMI_LAUNCHABLE __global__
#  define HEMI_LAMBDA AMPHI_DETAIL_HEMI_BODY
#  define HEMI_MEM_DEVICE __device__

// A kernel that is started by HEMI_KERNEL_LAUNCH. Callable from both sides, so that it can run on the CPU;
// code that only a device understands stands under #ifdef HEMI_DEV_CODE. HEMI_KERNEL_NAME is its __global__
// function, for the CUDA API and for <<<…>>>.
#  if AMPHI_HEMI_DEVICE_ONLY
#    define HEMI_KERNEL(name) __global__ void name##_kernel
#    define HEMI_KERNEL_NAME(name) name##_kernel
#  else
#    define HEMI_KERNEL(name) HEMI_DEV_CALLABLE void name##_kernel
#    define HEMI_KERNEL_NAME(name) (::hemi::detail::function_object<&name##_kernel>::global())
#  endif
#  define AMPHI_DETAIL_HEMI_KERNEL(name) name##_kernel

// A constant in the memory of both sides. HEMI_CONSTANT is the copy of the side that is being compiled for,
// HEMI_DEV_CONSTANT the device's. The first argument is a type and a name.
#  define HEMI_DEFINE_CONSTANT(def, ...)       \
    __constant__ def##_devconst = __VA_ARGS__; \
    [[maybe_unused]] def##_hostconst = __VA_ARGS__
#  define HEMI_DEFINE_STATIC_CONSTANT(def, ...)                        \
    [[maybe_unused]] static __constant__ def##_devconst = __VA_ARGS__; \
    [[maybe_unused]] static def##_hostconst = __VA_ARGS__
#  define HEMI_DEFINE_EXTERN_CONSTANT(def) \
    extern __constant__ def##_devconst;    \
    extern def##_hostconst
#  define HEMI_DEV_CONSTANT(name) name##_devconst
#  if defined(HEMI_DEV_CODE)
#    define HEMI_CONSTANT(name) name##_devconst
#  else
#    define HEMI_CONSTANT(name) name##_hostconst
#  endif
#else
#  define HEMI_LOC_STRING "Host"
#  define HEMI_LAUNCHABLE
#  define HEMI_LAMBDA
#  define HEMI_MEM_DEVICE
#  define HEMI_KERNEL(name) void name
#  define HEMI_KERNEL_NAME(name) name
#  define AMPHI_DETAIL_HEMI_KERNEL(name) name
#  define HEMI_DEFINE_CONSTANT(def, ...) [[maybe_unused]] def##_hostconst = __VA_ARGS__
#  define HEMI_DEFINE_STATIC_CONSTANT(def, ...) [[maybe_unused]] static def##_hostconst = __VA_ARGS__
#  define HEMI_DEFINE_EXTERN_CONSTANT(def) extern def##_hostconst
#  define HEMI_DEV_CONSTANT(name) name##_hostconst
#  define HEMI_CONSTANT(name) name##_hostconst
#endif

// Functions and member functions for both sides.
#define HEMI_DEV_CALLABLE_INLINE HEMI_DEV_CALLABLE inline
#define HEMI_DEV_CALLABLE_MEMBER HEMI_DEV_CALLABLE
#define HEMI_DEV_CALLABLE_INLINE_MEMBER HEMI_DEV_CALLABLE inline

// Aligns a type or variable to n bytes on both sides.
#if !defined(HEMI_ALIGN)
#  define HEMI_ALIGN(n) __attribute__((aligned(n)))
#endif

// Starts the type and the body of a function object that can be launched:
//   HEMI_KERNEL_FUNCTION(scale, int n, float* x) { … }    hemi::launch(scale(), n, x);
#define HEMI_KERNEL_FUNCTION(name, ...)                        \
  struct name {                                                \
    AMPHI_DETAIL_HEMI_BODY void operator()(__VA_ARGS__) const; \
  };                                                           \
  AMPHI_DETAIL_HEMI_BODY inline void name::operator()(__VA_ARGS__) const

// Launches a HEMI_KERNEL. Grid and block are numbers or dim3; the stream may be 0. In C++ units grid and
// block are checked, but each worker makes one call, so the kernel must loop from hemiGetElementOffset() by
// hemiGetElementStride(); in CUDA units each thread of the grid makes one, on the CPU too.
#if defined(HEMI_CUDA_COMPILER) && AMPHI_HEMI_DEVICE_ONLY
#  define HEMI_KERNEL_LAUNCH(name, grid, block, sharedBytes, streamId, ...)                      \
    ::amphi::launch_global(::hemi::detail::geometry((grid), (block), (sharedBytes), (streamId)), \
                           &AMPHI_DETAIL_HEMI_KERNEL(name) __VA_OPT__(, ) __VA_ARGS__)
#else
#  define HEMI_KERNEL_LAUNCH(name, grid, block, sharedBytes, streamId, ...)   \
    ::hemi::detail::function_object<&AMPHI_DETAIL_HEMI_KERNEL(name)>::launch( \
        ::hemi::detail::geometry((grid), (block), (sharedBytes), (streamId)) __VA_OPT__(, ) __VA_ARGS__)
#endif

namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {

// Waits for all work of the device and throws what failed in it.
inline Error_t deviceSynchronize() {
#if defined(HEMI_CUDA_COMPILER)
  amphi::synchronize();
#endif
  return success;
}

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi

inline namespace AMPHI_DETAIL_HEMI_UNIT {

// Where a loop over elements starts in the calling thread, and its step: along x, which the forms without a
// letter mean too, and along y.
HEMI_DEV_CALLABLE_INLINE int hemiGetElementXOffset() {
  return static_cast<int>(amphi::block_index().x * amphi::block_extent().x + amphi::thread_index().x);
}
HEMI_DEV_CALLABLE_INLINE int hemiGetElementYOffset() {
  return static_cast<int>(amphi::block_index().y * amphi::block_extent().y + amphi::thread_index().y);
}
HEMI_DEV_CALLABLE_INLINE int hemiGetElementXStride() {
  return static_cast<int>(amphi::grid_extent().x * amphi::block_extent().x);
}
HEMI_DEV_CALLABLE_INLINE int hemiGetElementYStride() {
  return static_cast<int>(amphi::grid_extent().y * amphi::block_extent().y);
}
HEMI_DEV_CALLABLE_INLINE int hemiGetElementOffset() { return hemiGetElementXOffset(); }
HEMI_DEV_CALLABLE_INLINE int hemiGetElementStride() { return hemiGetElementXStride(); }

}  // namespace AMPHI_DETAIL_HEMI_UNIT
