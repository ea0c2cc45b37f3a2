# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# Finds the CUDA compiler and toolkit, and chooses the architectures.
include(AmphiCudaArchitectures)
amphi_choose_cuda_architectures()
enable_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
  message(FATAL_ERROR "amphi: the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID} (${CMAKE_CUDA_COMPILER}); "
    "only nvcc is supported. Set CMAKE_CUDA_COMPILER to it")
endif()
find_package(CUDAToolkit REQUIRED)

# The program and a shared amphi must use one CUDA runtime: kernels registered in one copy are unknown to another.
if(BUILD_SHARED_LIBS)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
else()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
endif()
