# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# The warnings that amphi's own code is free of. Linked privately, never exported. nvcc's generated code is not
# pedantic-clean, so -Wpedantic is for the C++ compilers only.
add_library(amphi_warnings INTERFACE)
set(warnings -Wall -Wextra -Wshadow -Wconversion)
list(TRANSFORM warnings PREPEND "-Xcompiler=" OUTPUT_VARIABLE cuda_warnings)
target_compile_options(amphi_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>"
  "$<$<COMPILE_LANGUAGE:CUDA>:${cuda_warnings}>")
# g++ 12 sees an overlap in "literal" + std::string("…") that is not there; g++ 13 does not (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(amphi_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-restrict>")
endif()
if(AMPHI_WERROR)
  target_compile_options(amphi_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Werror>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>")
endif()
