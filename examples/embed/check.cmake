# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# Builds embed as a project of its own, without amphi and with an installed amphi, and compares what both print.
#   AMPHI_BINARY_DIR  a build of amphi to install   SOURCE_DIR  this folder   DIR  where to work
#   CXX CXXFLAGS CUDACXX CUDAARCHS   as in the environment, architectures separated by commas
string(REPLACE "," ";" CUDAARCHS "${CUDAARCHS}")
foreach(name CXX CXXFLAGS CUDACXX CUDAARCHS)
  if(${name})
    set(ENV{${name}} "${${name}}")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nfailed (${status}):\n${output}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${DIR}")
run(${CMAKE_COMMAND} --install "${AMPHI_BINARY_DIR}" --prefix "${DIR}/amphi")
foreach(use OFF ON)
  run(${CMAKE_COMMAND} -S "${SOURCE_DIR}" -B "${DIR}/${use}" -DUSE_AMPHI=${use} -DCMAKE_PREFIX_PATH=${DIR}/amphi
    -DCMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build "${DIR}/${use}")
  run("${DIR}/${use}/embed" --n 33 --rows 2)
  set(output_${use} "${output}")
  set(errors_${use} "${errors}")
endforeach()

if(NOT errors_ON MATCHES "amphi on (cpu|cuda)" OR NOT errors_OFF MATCHES "plain loops")
  message(FATAL_ERROR "the wrong code did the work:\n${errors_OFF}${errors_ON}")
endif()
if(NOT output_OFF MATCHES "fingerprint" OR NOT output_ON STREQUAL output_OFF)
  message(FATAL_ERROR "without amphi:\n${output_OFF}\nwith amphi:\n${output_ON}\nthey should be equal")
endif()
message("${output_ON}")
