// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The one reader of compiler and build macros. Every other header asks the values below, which are
// always 0 or 1.

// Set by the CMake target: does this build have the CUDA backend?
#if !defined(AMPHI_CUDA)
#  define AMPHI_CUDA 0
#endif

// Set by the CMake option AMPHI_CHECKED: bounds checks, poisoned memory, misuse of the block form.
#if !defined(AMPHI_CHECKED)
#  define AMPHI_CHECKED 0
#endif

// Set by the CMake option AMPHI_BIT_EXACT: the build promises equal bits on every path.
#if !defined(AMPHI_BIT_EXACT)
#  define AMPHI_BIT_EXACT 0
#endif

// Does a CUDA compiler read this translation unit?
#if defined(__CUDACC__)
#  define AMPHI_CUDA_UNIT 1
#else
#  define AMPHI_CUDA_UNIT 0
#endif

// Does this pass of the compiler make code for the device?
#if defined(__CUDA_ARCH__)
#  define AMPHI_DEVICE_CODE 1
#else
#  define AMPHI_DEVICE_CODE 0
#endif

// The architecture that device code is made for, as in 800; 0 in host code. The one value that is not 0 or 1.
#if defined(__CUDA_ARCH__)
#  define AMPHI_DEVICE_ARCH __CUDA_ARCH__
#else
#  define AMPHI_DEVICE_ARCH 0
#endif

// Is device code compiled for a debugger (nvcc -G), with nothing inlined?
#if defined(__CUDACC_DEBUG__)
#  define AMPHI_DEVICE_DEBUG 1
#else
#  define AMPHI_DEVICE_DEBUG 0
#endif

// Is device code linked across units (nvcc -rdc=true)?
#if defined(__CUDACC_RDC__)
#  define AMPHI_CUDA_RDC 1
#else
#  define AMPHI_CUDA_RDC 0
#endif

#if defined(__SANITIZE_THREAD__)
#  define AMPHI_TSAN 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define AMPHI_TSAN 1
#  endif
#endif
#if !defined(AMPHI_TSAN)
#  define AMPHI_TSAN 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#  define AMPHI_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define AMPHI_ASAN 1
#  endif
#endif
#if !defined(AMPHI_ASAN)
#  define AMPHI_ASAN 0
#endif

#if AMPHI_BIT_EXACT && defined(__FAST_MATH__)
#  error \
      "amphi: -ffast-math (or -Ofast) breaks the promise of equal bits. Remove it, or configure amphi with -DAMPHI_BIT_EXACT=OFF"
#endif

#if !defined(__cplusplus) || __cplusplus < 202002L
#  error "amphi needs C++20: compile with -std=c++20, or link the target amphi::amphi, which asks for it"
#endif
