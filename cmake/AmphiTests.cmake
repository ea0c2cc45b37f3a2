# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# GoogleTest, and amphi_add_tests, which makes one test program of a folder of tests.
include(FetchContent)
FetchContent_Declare(googletest
  URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
  FIND_PACKAGE_ARGS NAMES GTest)
set(INSTALL_GTEST OFF)
FetchContent_MakeAvailable(googletest)

# In a CPU build the test programs share one precompiled header. With a compiler cache there is none: the cache
# saves more, and would have to be told to trust the header.
set(default_pch ON)
if(CMAKE_CXX_COMPILER_LAUNCHER OR AMPHI_BACKEND STREQUAL "cuda")
  set(default_pch OFF)
endif()
option(AMPHI_TESTS_PCH "Precompile the headers that all tests include" ${default_pch})
if(AMPHI_TESTS_PCH)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/pch.cpp" "")
  add_executable(amphi_tests_pch "${CMAKE_CURRENT_BINARY_DIR}/pch.cpp")
  target_link_libraries(amphi_tests_pch PRIVATE amphi::amphi amphi_warnings GTest::gtest_main)
  target_include_directories(amphi_tests_pch PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_precompile_headers(amphi_tests_pch PRIVATE
    <gtest/gtest.h> <algorithm> <cmath> <cstdint> <limits> <numeric> <string> <type_traits> <vector>)
endif()

# Test programs use all cores, so that ctest -j runs each alone, and compile checks beside each other.
cmake_host_system_information(RESULT AMPHI_CORES QUERY NUMBER_OF_LOGICAL_CORES)

# amphi_add_tests(layer [NO_PCH] files... [PLAIN files...])
#
# Makes the program amphi_<layer>_tests and the test tests.<layer>. In a CUDA build the files are compiled as CUDA,
# except those after PLAIN, which stay C++: they test what a unit without a CUDA compiler may use. NO_PCH is for
# programs with flags of their own, which the precompiled header was not made with.
function(amphi_add_tests layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PCH" "" "PLAIN")
  set(program amphi_${layer}_tests)
  add_executable(${program} ${arg_UNPARSED_ARGUMENTS} ${arg_PLAIN})
  target_link_libraries(${program} PRIVATE amphi::amphi amphi_warnings GTest::gtest_main)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(arg_UNPARSED_ARGUMENTS)
    amphi_target_sources_as_cuda(${program} ${arg_UNPARSED_ARGUMENTS})
  endif()
  if(AMPHI_TESTS_PCH AND NOT arg_NO_PCH)
    target_precompile_headers(${program} REUSE_FROM amphi_tests_pch)
  endif()
  add_test(NAME tests.${layer} COMMAND ${program})
  # A program that lost its tests must not pass.
  set_tests_properties(tests.${layer} PROPERTIES
    FAIL_REGULAR_EXPRESSION "Running 0 tests;\\[  FAILED  \\]"
    PROCESSORS ${AMPHI_CORES} TIMEOUT 1200
    # Workers that wait without spinning: on a busy machine small launches take a time slice each otherwise.
    ENVIRONMENT "OMP_WAIT_POLICY=passive")
endfunction()
