# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# The options of a build. What only amphi's own developers need is on by default at top level only.
option(AMPHI_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(AMPHI_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(AMPHI_BUILD_BENCHMARKS "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(AMPHI_INSTALL "Make the install rules" ${PROJECT_IS_TOP_LEVEL})
option(AMPHI_BIT_EXACT "Promise the same bits on every path: no contraction, no fast-math" ON)
option(AMPHI_CHECKED "Check bounds and misuse, poison uninitialised memory; slower" OFF)
option(AMPHI_WERROR "Make warnings errors while building amphi itself" OFF)
option(AMPHI_TEST_CHECKS "Test the source: layers, headers alone, must-not-compile, link mixes" ON)
option(AMPHI_TEST_CONSUMERS "Test by building users' projects; takes a minute" ON)
option(AMPHI_BOOST_CONTEXT "Switch threads of a block by Boost.Context when it is found" ON)

# -DBACKEND=cpu|cuda is the short spelling at top level. It is moved into AMPHI_BACKEND, which works anywhere,
# and forgotten, so that the latest word given on a command line is the one that counts.
option(AMPHI_DETECT_BACKEND "Take cuda when a CUDA compiler and a GPU are here, unless a backend is named" OFF)
set(default_backend "cpu")
if(AMPHI_DETECT_BACKEND AND NOT DEFINED BACKEND AND NOT DEFINED CACHE{AMPHI_BACKEND})
  include(CheckLanguage)
  include(AmphiCudaArchitectures)
  check_language(CUDA)
  amphi_present_gpus(gpus)
  if(CMAKE_CUDA_COMPILER AND gpus)
    set(default_backend "cuda")
  endif()
  message(STATUS "amphi: backend ${default_backend} (CUDA compiler: ${CMAKE_CUDA_COMPILER}; GPUs: ${gpus})")
endif()
set(AMPHI_BACKEND "${default_backend}" CACHE STRING "Backends of this build: cpu, or cuda (which holds the CPU too)")
set_property(CACHE AMPHI_BACKEND PROPERTY STRINGS cpu cuda)
if(PROJECT_IS_TOP_LEVEL AND DEFINED BACKEND)
  set_property(CACHE AMPHI_BACKEND PROPERTY VALUE "${BACKEND}")
  unset(BACKEND CACHE)
endif()
if(NOT AMPHI_BACKEND MATCHES "^(cpu|cuda)$")
  set(bad_backend "${AMPHI_BACKEND}")
  unset(AMPHI_BACKEND CACHE)
  message(FATAL_ERROR "amphi: '${bad_backend}' is no backend. Good values: -DBACKEND=cpu or -DBACKEND=cuda "
    "(-DAMPHI_BACKEND=… where amphi is part of another project)")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE Release)
  message(STATUS "amphi: build type Release, as none was given")
endif()

if(AMPHI_BIT_EXACT)
  include(AmphiFloatingPoint)
  amphi_refuse_fast_math_of_directory()
endif()
