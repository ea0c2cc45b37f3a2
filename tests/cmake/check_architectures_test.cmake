# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DDIR=<scratch folder> -P check_architectures_test.cmake
#
# The choice of CUDA architectures: the user's value, else the GPUs that nvidia-smi (played here) lists, else PTX.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/AmphiCudaArchitectures.cmake")
unset(ENV{CUDAARCHS})

function(play_gpus name text)
  file(WRITE "${DIR}/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${DIR}/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
play_gpus(no_driver "echo 'could not communicate with the driver'; exit 9")
play_gpus(three_gpus "printf '9.0\\n7.5\\n9.0\\n'")

function(expect gpus expected)
  set(AMPHI_NVIDIA_SMI "${DIR}/${gpus}" CACHE FILEPATH "" FORCE)
  unset(CMAKE_CUDA_ARCHITECTURES CACHE)
  if(ARGC GREATER 2)
    set(CMAKE_CUDA_ARCHITECTURES "${ARGV2}")
  endif()
  amphi_choose_cuda_architectures()
  if(NOT CMAKE_CUDA_ARCHITECTURES STREQUAL expected)
    message(SEND_ERROR "${gpus}, user's value '${ARGV2}': chose '${CMAKE_CUDA_ARCHITECTURES}', not '${expected}'")
  endif()
endfunction()

expect(no_driver "75-virtual")
expect(no_driver "75-virtual" "")
expect(no_driver "75-virtual" "native")
expect(no_driver "80-real;90" "80-real;90")
expect(three_gpus "75;90")
expect(three_gpus "75;90" "")
expect(three_gpus "75;90" "native")
expect(three_gpus "80" "80")
expect(three_gpus "all-major" "all-major")
set(ENV{CUDAARCHS} "86")
expect(three_gpus "86")
expect(no_driver "90" "90")
