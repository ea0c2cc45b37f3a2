// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/macros.hpp"

// What a unit is to Hemi:
//   HEMI_CUDA_COMPILER  compiled as CUDA: launches go to a GPU, or to the CPU when there is none
//   HEMI_HOST_COMPILER  compiled as C++, or with HEMI_CUDA_DISABLE: launches run on the CPU
//   HEMI_DEV_CODE       besides the first: this pass makes code for the device
// Builds without the CUDA backend define HEMI_CUDA_DISABLE, because they have no CUDA headers either.
// A program for GPUs only, whose kernels and lambdas use what only a device understands (atomicAdd,
// __shared__, threadIdx) without asking for HEMI_DEV_CODE, says AMPHI_HEMI_DEVICE_ONLY=1; nothing of it runs
// on the CPU then.
#if !defined(AMPHI_HEMI_DEVICE_ONLY)
#  define AMPHI_HEMI_DEVICE_ONLY 0
#endif

#if !AMPHI_CUDA && !defined(HEMI_CUDA_DISABLE)
#  define HEMI_CUDA_DISABLE
#endif

#if AMPHI_CUDA && AMPHI_CUDA_UNIT && !defined(HEMI_CUDA_DISABLE)
#  define HEMI_CUDA_COMPILER
#  if AMPHI_DEVICE_CODE
#    define HEMI_DEV_CODE
#  endif
#  define HEMI_DEV_CALLABLE AMPHI_HOST_DEVICE
#  if AMPHI_HEMI_DEVICE_ONLY
#    define AMPHI_DETAIL_HEMI_BODY __device__
#  else
#    define AMPHI_DETAIL_HEMI_BODY AMPHI_HOST_DEVICE
#  endif
// Functions differ between the two kinds of units, which may meet in one program: they get different names.
#  define AMPHI_DETAIL_HEMI_UNIT hemi_cuda_unit
#else
#  define HEMI_HOST_COMPILER
#  define HEMI_DEV_CALLABLE
#  define AMPHI_DETAIL_HEMI_BODY
#  define AMPHI_DETAIL_HEMI_UNIT hemi_host_unit
#endif

struct CUstream_st;

// A cudaStream_t in every build, so that no layout depends on the compiler; 0 is the default stream.
using hemiStream_t = CUstream_st*;
