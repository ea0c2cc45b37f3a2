// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/config.hpp"

// AMPHI_HOST_DEVICE marks a function that both sides may call.
// AMPHI_LAUNCHABLE marks a function that can be called and launched: host-device and inline.
// AMPHI_LAMBDA stands after the capture list of a lambda that is launched: [=] AMPHI_LAMBDA (int i) {…}.
#if AMPHI_CUDA_UNIT
#  define AMPHI_HOST_DEVICE __host__ __device__
#else
#  define AMPHI_HOST_DEVICE
#endif
#define AMPHI_LAUNCHABLE AMPHI_HOST_DEVICE inline
#define AMPHI_LAMBDA AMPHI_HOST_DEVICE

// Promises that memory reached through this pointer is reached through no other.
#define AMPHI_RESTRICT __restrict__

// What the CPU plays a GPU with is not the user's data, and ThreadSanitizer must not look at it.
#if AMPHI_TSAN && !AMPHI_DEVICE_CODE
#  define AMPHI_DETAIL_NO_TSAN __attribute__((no_sanitize("thread")))
#else
#  define AMPHI_DETAIL_NO_TSAN
#endif

// Before a loop without dependences between its iterations: the compiler need not look for any.
#if defined(__clang__)
#  define AMPHI_DETAIL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif AMPHI_CUDA_UNIT
#  define AMPHI_DETAIL_INDEPENDENT
#else
#  define AMPHI_DETAIL_INDEPENDENT _Pragma("GCC ivdep")
#endif

// The same before a loop over the threads of a phase, whose body may well be conditional. Where there are no
// masked stores, clang would vectorise it all the same and write each element apart; there it looks for
// dependences at run time, and vectorises what it likes.
#if defined(__clang__) && defined(__x86_64__) && !defined(__AVX__)
#  define AMPHI_DETAIL_INDEPENDENT_THREADS
#else
#  define AMPHI_DETAIL_INDEPENDENT_THREADS AMPHI_DETAIL_INDEPENDENT
#endif

// A function whose body becomes part of its caller in device code, whatever its length.
#if AMPHI_DEVICE_CODE
#  define AMPHI_DETAIL_INLINE_ON_DEVICE __forceinline__
#else
#  define AMPHI_DETAIL_INLINE_ON_DEVICE
#endif

// A variable of the thread that position-independent code reaches without a call, as OpenMP's runtime has it:
// the little that it takes of the static block is there for libraries that are loaded later, too. nvcc 13.0
// warns of the attribute (#1835), and its units have no need of it.
#if AMPHI_CUDA_UNIT
#  define AMPHI_DETAIL_INITIAL_EXEC
#else
#  define AMPHI_DETAIL_INITIAL_EXEC [[gnu::tls_model("initial-exec")]]
#endif

// Between these two, arguments and indices are passed on to a user's function and convert to its parameter
// types; whether such a conversion deserves a warning is for the call to say that the user wrote, not for our
// headers.
#if defined(__GNUC__)
#  define AMPHI_DETAIL_CONVERSIONS_BEGIN                                              \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"") \
        _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")                       \
            _Pragma("GCC diagnostic ignored \"-Wfloat-conversion\"")
#  define AMPHI_DETAIL_CONVERSIONS_END _Pragma("GCC diagnostic pop")
#else
#  define AMPHI_DETAIL_CONVERSIONS_BEGIN
#  define AMPHI_DETAIL_CONVERSIONS_END
#endif
