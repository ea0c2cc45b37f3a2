# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# amphi_choose_cuda_architectures()
#
# Settles CMAKE_CUDA_ARCHITECTURES before CUDA is enabled:
#   1. what the user set (CMAKE_CUDA_ARCHITECTURES or the environment variable CUDAARCHS), unless it is empty or
#      says `native` on a machine without a GPU;
#   2. the GPUs of this machine;
#   3. 75-virtual: PTX that every GPU from Turing (2018) on compiles for itself when it first runs the program.
#      One pass of the compiler, no machine code; for a release build name your GPUs, as in "80-real;90".
# A macro, because the value must be known where languages are enabled.
macro(amphi_choose_cuda_architectures)
  if(NOT CMAKE_CUDA_ARCHITECTURES AND NOT "$ENV{CUDAARCHS}" STREQUAL "")
    set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}")
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES OR CMAKE_CUDA_ARCHITECTURES STREQUAL "native")
    amphi_present_gpus(_amphi_architectures)
    if(_amphi_architectures)
      message(STATUS "amphi: CUDA architectures of this machine's GPUs: ${_amphi_architectures}")
    else()
      set(_amphi_architectures "75-virtual")
      if(CMAKE_CUDA_ARCHITECTURES STREQUAL "native")
        message(WARNING "amphi: CMAKE_CUDA_ARCHITECTURES is 'native', but no GPU answers here. "
          "Using the default ${_amphi_architectures}; name the architectures to be rid of this")
      else()
        message(STATUS "amphi: no GPU here; CUDA architectures ${_amphi_architectures} (PTX for all GPUs)")
      endif()
    endif()
    # Into the cache, so that other directories of the build see the same; the plain variable may hide it here.
    unset(CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "${_amphi_architectures}" CACHE STRING "CUDA architectures" FORCE)
    unset(_amphi_architectures)
  endif()
endmacro()

# amphi_present_gpus(result)
#
# Sets `result` to the architectures of the GPUs found, as in "75;90"; empty without any.
function(amphi_present_gpus result)
  set(found "")
  find_program(AMPHI_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(AMPHI_NVIDIA_SMI)
  if(AMPHI_NVIDIA_SMI)
    execute_process(COMMAND "${AMPHI_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE lines RESULT_VARIABLE status ERROR_QUIET TIMEOUT 30)
    if(status EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${lines}")
      list(TRANSFORM found REPLACE "\\." "")
      list(REMOVE_DUPLICATES found)
      list(SORT found COMPARE NATURAL)
    endif()
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
