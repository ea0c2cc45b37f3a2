# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DLANGUAGE=CXX|CUDA -DCOMPILER=… -DFLAGS=<file> -DROOT=<include folder> -DLAYER=… -DDIR=<scratch>
#       -P check_headers.cmake
#
# Compiles every header of a layer alone, included twice, with all warnings as errors; then all of them together with
# min, max and I (that of <complex.h>) defined as macros, after the standard's headers, which may not bear that. By
# nvcc the single headers go through the device's front end only (to PTX), which takes a third of the time; the host
# compiler's warnings come from the last unit.
cmake_minimum_required(VERSION 3.20)
file(STRINGS "${FLAGS}" flags)
list(FILTER flags EXCLUDE REGEX "^-[ID]?$")
if(LANGUAGE STREQUAL "CUDA")
  set(suffix .cu)
  list(APPEND flags -Xcompiler=-Werror -O0 -o "${DIR}/out")
  set(alone -ptx)
  set(together -c)
else()
  set(suffix .cpp)
  list(APPEND flags -Werror)
  set(alone -fsyntax-only)
  set(together -fsyntax-only)
endif()

file(MAKE_DIRECTORY "${DIR}")
file(GLOB_RECURSE headers RELATIVE "${ROOT}" "${ROOT}/amphi/${LAYER}/*.h*")
set(foreign "<[a-z_]+>")  # the standard's; in CUDA units the toolkit's too
if(LANGUAGE STREQUAL "CUDA")
  set(foreign "<[a-z_/.]+>")
endif()
set(failed FALSE)
set(units "")
set(all_includes "")
set(all_std "")
foreach(header IN LISTS headers)
  set(include "#include \"${header}\"\n")
  string(APPEND all_includes "${include}")
  string(MAKE_C_IDENTIFIER "${header}" unit)
  file(CONFIGURE OUTPUT "${DIR}/${unit}${suffix}" CONTENT "${include}${include}" @ONLY)
  list(APPEND units "${unit}")
  set("header_of_${unit}" "${header}")
endforeach()
file(GLOB_RECURSE all_headers "${ROOT}/amphi/*.h*")
foreach(header IN LISTS all_headers)
  file(STRINGS "${header}" std REGEX "^ *# *include *${foreign}")
  list(APPEND all_std ${std})
endforeach()
list(REMOVE_DUPLICATES all_std)
list(JOIN all_std "\n" all_std)
file(CONFIGURE OUTPUT "${DIR}/min_max${suffix}" @ONLY CONTENT
  "${all_std}\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#define max(a, b) ((a) < (b) ? (b) : (a))\n#define I _Complex_I\n${all_includes}")
list(APPEND units min_max)
list(LENGTH headers count)
set(header_of_min_max "${headers}")

foreach(unit IN LISTS units)
  set(mode ${alone})
  if(unit STREQUAL "min_max")
    set(mode ${together})
  endif()
  execute_process(COMMAND ${COMPILER} ${flags} ${mode} "${DIR}/${unit}${suffix}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    set(how "alone")
    if(unit STREQUAL "min_max")
      set(how "with min, max and I as macros")
    endif()
    message("${output}")
    message("headers: ${header_of_${unit}} does not compile ${how}")
    set(failed TRUE)
  endif()
endforeach()
if(failed OR count EQUAL 0)
  message(FATAL_ERROR "headers: see above (${count} headers of ${LAYER})")
endif()
message("headers: ${count} headers of ${LAYER} compile alone")
