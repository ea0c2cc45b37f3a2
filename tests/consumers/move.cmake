# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DBINARY=<build folder> -DFROM=<its install prefix> -DTO=<folder> -P move.cmake
#
# Installs a build and moves the tree, so that nothing of it is where it was installed.
cmake_minimum_required(VERSION 3.20)
file(REMOVE_RECURSE "${FROM}" "${TO}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BINARY}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(RENAME "${FROM}" "${TO}")
