# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DSOURCE=<project> -DBINARY=<folder> -DOPTIONS=<cache entries> -P run.cmake
#
# Configures, builds and runs a user's project from nothing.
cmake_minimum_required(VERSION 3.20)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "consumer: this failed: ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE "${BINARY}")
run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" ${OPTIONS})
run("${CMAKE_COMMAND}" --build "${BINARY}")
if(PROGRAM)
  run("${BINARY}/${PROGRAM}")
endif()
