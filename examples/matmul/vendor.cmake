# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# The libraries that matmul is compared with, where they are here; it runs without them.
set(cublas_source matmul/missing/cublas.cpp)
if(TARGET CUDA::cublas)
  set(cublas_source matmul/cublas.cpp)
  target_link_libraries(matmul PRIVATE CUDA::cublas)
elseif(AMPHI_BACKEND STREQUAL "cuda")
  message(STATUS "amphi: cuBLAS was not found; the example matmul has no times of it")
endif()

set(openblas_source matmul/missing/openblas.cpp)
find_path(AMPHI_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread openblas-openmp openblas-serial)
find_library(AMPHI_OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial)
if(AMPHI_OPENBLAS_INCLUDE AND AMPHI_OPENBLAS_LIBRARY)
  set(openblas_source matmul/openblas.cpp)
  target_include_directories(matmul PRIVATE "${AMPHI_OPENBLAS_INCLUDE}")
  target_link_libraries(matmul PRIVATE "${AMPHI_OPENBLAS_LIBRARY}")
else()
  message(STATUS "amphi: OpenBLAS (cblas.h and libopenblas) was not found; the example matmul has no times of it")
endif()
target_sources(matmul PRIVATE ${cublas_source} ${openblas_source})
