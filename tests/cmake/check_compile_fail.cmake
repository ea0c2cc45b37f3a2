# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DCASE=<file> -DLANGUAGE=CXX|CUDA -DCOMPILER=… -DFLAGS=<file> -DDIR=<scratch> -P check_compile_fail.cmake
#
# A must-not-compile case is a file that compiles as it is, and does not with -DFAIL, for the reason that it names:
#   // expect: regular expression that the compiler's message must match
#   // fail-flags: flags that are added together with -DFAIL (optional)
cmake_minimum_required(VERSION 3.20)
file(STRINGS "${FLAGS}" flags)
list(FILTER flags EXCLUDE REGEX "^-[ID]?$")
file(STRINGS "${CASE}" expect REGEX "^// expect: .")
file(STRINGS "${CASE}" fail_flags REGEX "^// fail-flags: .")
string(REGEX REPLACE "^// expect: " "" expect "${expect}")
string(REGEX REPLACE "^// fail-flags: " "" fail_flags "${fail_flags}")
separate_arguments(fail_flags)
if(expect STREQUAL "")
  message(FATAL_ERROR "${CASE} has no '// expect: …' line")
endif()

file(MAKE_DIRECTORY "${DIR}")
if(LANGUAGE STREQUAL "CUDA")
  list(APPEND flags -O0 -x cu -c -o "${DIR}/out.o")
else()
  list(APPEND flags -fsyntax-only)
endif()

execute_process(COMMAND ${COMPILER} ${flags} "${CASE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "control: ${CASE} does not compile without -DFAIL, so that its failure proves nothing")
endif()

execute_process(COMMAND ${COMPILER} ${flags} -DFAIL ${fail_flags} "${CASE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "accepted: ${CASE} compiles with -DFAIL")
endif()
if(NOT output MATCHES "${expect}")
  message("${output}")
  message(FATAL_ERROR "other reason: the message of ${CASE} does not match '${expect}'")
endif()
