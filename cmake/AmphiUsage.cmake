# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# Usage requirements of the target amphi: what each unit that includes amphi must be compiled with.
target_include_directories(amphi PUBLIC
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(amphi PUBLIC cxx_std_20)
target_compile_definitions(amphi PUBLIC
  AMPHI_CUDA=$<STREQUAL:${AMPHI_BACKEND},cuda>
  AMPHI_CHECKED=$<BOOL:${AMPHI_CHECKED}>)

# CMake 3.25 knows no CUDA C++20. Without the last two flags std::max in a kernel silently gives zeros.
target_compile_options(amphi PUBLIC
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--extended-lambda;--expt-relaxed-constexpr;-Werror=cross-execution-space-call>")

# amphi tells the compiler where elements are independent. Whether a user's body can be vectorised then is no matter
# for a warning, which clang gives by default, at a line of the user's.
target_compile_options(amphi PUBLIC "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-pass-failed>")

# The promise of equal bits. A target whose property AMPHI_ALLOW_CONTRACTION is on is compiled without it.
if(AMPHI_BIT_EXACT)
  set(exact "$<NOT:$<BOOL:$<TARGET_PROPERTY:AMPHI_ALLOW_CONTRACTION>>>")
  target_compile_definitions(amphi PUBLIC AMPHI_BIT_EXACT=${exact})
  target_compile_options(amphi PUBLIC
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,${exact}>:-ffp-contract=off>"
    "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,${exact}>:--fmad=false;-Xcompiler=-ffp-contract=off>")
else()
  target_compile_definitions(amphi PUBLIC AMPHI_BIT_EXACT=0)
endif()
