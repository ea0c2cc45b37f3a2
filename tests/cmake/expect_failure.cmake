# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DEXPECT=<regular expression> -P expect_failure.cmake -- command arguments...
#
# Passes if the command fails and what it prints matches.
cmake_minimum_required(VERSION 3.20)
set(command "")
set(after FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(after)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(after TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " flat "${output}")  # CMake wraps its messages
if(status EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "accepted: the command should have failed")
elseif(NOT flat MATCHES "${EXPECT}")
  message("${output}")
  message(FATAL_ERROR "other reason: the output does not match '${EXPECT}'")
endif()
