# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# amphi_refuse_fast_math(where flags...)
#
# Stops with an error when the flags hold one that changes floating-point results. `where` says whose they are.
function(amphi_refuse_fast_math where)
  foreach(flag IN LISTS ARGN)
    if(flag MATCHES "(^|[ ,=:])(--?use_fast_math|-ffast-math|-Ofast|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math|-ffp-model=fast|--?ftz(=| )true|--?prec-div(=| )false|--?prec-sqrt(=| )false)($|[ ,>;])")
      message(FATAL_ERROR "amphi: ${where} hold ${CMAKE_MATCH_2}, which changes floating-point results, so that "
        "amphi's promise of the same bits on every path would not hold. Remove the flag, or configure amphi "
        "with -DAMPHI_BIT_EXACT=OFF")
    endif()
  endforeach()
endfunction()

# Looks at the flags that hold for the calling directory.
function(amphi_refuse_fast_math_of_directory)
  foreach(language CXX CUDA)
    foreach(suffix "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
      separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS${suffix}}")
      amphi_refuse_fast_math("CMAKE_${language}_FLAGS${suffix}" ${flags})
    endforeach()
  endforeach()
  get_directory_property(flags COMPILE_OPTIONS)
  amphi_refuse_fast_math("the compile options of ${CMAKE_CURRENT_SOURCE_DIR}" ${flags})
endfunction()

if(AMPHI_BIT_EXACT)
  amphi_refuse_fast_math_of_directory()
endif()
