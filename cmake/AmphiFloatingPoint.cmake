# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# amphi_refuse_fast_math(where flags...)
#
# Stops with an error when the flags hold one that changes floating-point results, or nvcc's -Ofc=max, under which
# amphi::per_lane can't keep its lanes. `where` says whose they are.
function(amphi_refuse_fast_math where)
  string(CONCAT pattern "(^|[ ,=:'\"])("
    "-ffast-math|-Ofast|-funsafe-math-optimizations|-fassociative-math|-freciprocal-math|-ffp-model=fast|"
    "--?use_fast_math|--?ftz[= ]true|--?prec-div[= ]false|--?prec-sqrt[= ]false)($|[ ,>'\"])")
  foreach(flag IN LISTS ARGN)
    if(flag MATCHES "(^|[ ,=:'\"])(-Ofc|--?Ofast-compile)[= ]max")
      message(FATAL_ERROR "amphi: ${where} hold ${CMAKE_MATCH_2}=max, with which nvcc inlines nothing, and amphi::per_lane "
        "loses what it holds. Remove the flag")
    endif()
    if(flag MATCHES "${pattern}")
      message(FATAL_ERROR "amphi: ${where} hold ${CMAKE_MATCH_2}, which changes floating-point results: amphi's "
        "promise of the same bits on every path would not hold. Remove the flag, or use an amphi that was "
        "configured with -DAMPHI_BIT_EXACT=OFF")
    endif()
  endforeach()
endfunction()

# amphi_refuse_fast_math_of_directory()
#
# Looks at all flags that hold for the calling folder.
function(amphi_refuse_fast_math_of_directory)
  foreach(language CXX CUDA)
    foreach(suffix "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
      amphi_refuse_fast_math("CMAKE_${language}_FLAGS${suffix}" "${CMAKE_${language}_FLAGS${suffix}}")
    endforeach()
  endforeach()
  get_directory_property(flags COMPILE_OPTIONS)
  amphi_refuse_fast_math("the compile options of ${CMAKE_CURRENT_SOURCE_DIR}" ${flags})
endfunction()

# amphi_add_floating_point_check(target [files...])
#
# Adds the test <target>.floating_point, which fails where launchable code of the target's sources, or of the other
# files given (headers), calls functions of a mathematical library that gives other bits on the other side, such as
# std::exp, and names the cure. See AmphiFloatingPointCheck.cmake for what it sees.
function(amphi_add_floating_point_check target)
  get_target_property(folder ${target} SOURCE_DIR)
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${target}.floating_point.txt")
  set(files "$<TARGET_PROPERTY:${target},SOURCES>" ${ARGN})
  file(GENERATE OUTPUT "${list}" CONTENT "$<JOIN:${files},\n>\n")
  add_test(NAME ${target}.floating_point COMMAND "${CMAKE_COMMAND}" "-DLIST=${list}" "-DROOT=${folder}"
    -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AmphiFloatingPointCheck.cmake")
endfunction()
