# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DDIR=<scratch folder> -P check_layers_test.cmake
#
# Shows that check_layers.cmake finds each kind of breach: writes small trees with one fault each.
cmake_minimum_required(VERSION 3.20)
set(spdx "// SPDX-FileCopyrightText: 2026 The amphi authors\n// SPDX-License-Identifier: BSD-3-Clause\n")

# A tree of the given files (path, text, path, text, …) must be judged as expected: "" or a regular expression.
function(expect_verdict name expected)
  set(root "${DIR}/${name}")
  file(REMOVE_RECURSE "${root}")
  list(LENGTH ARGN count)
  math(EXPR last "${count} - 1")
  foreach(i RANGE 0 ${last} 2)
    math(EXPR j "${i} + 1")
    list(GET ARGN ${i} path)
    list(GET ARGN ${j} text)
    file(WRITE "${root}/${path}" "${spdx}${text}\n")
  endforeach()
  execute_process(COMMAND "${CMAKE_COMMAND}" -DROOT=${root} -P "${CMAKE_CURRENT_LIST_DIR}/check_layers.cmake"
    RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_QUIET)
  if(expected STREQUAL "")
    if(NOT status EQUAL 0)
      message(SEND_ERROR "${name}: should pass, but: ${output}")
    endif()
  elseif(status EQUAL 0 OR NOT output MATCHES "${expected}")
    message(SEND_ERROR "${name}: should fail with '${expected}', but ended with ${status}: ${output}")
  endif()
endfunction()

set(header "include/amphi/core/a.hpp")
expect_verdict(good ""
  include/amphi/config/c.hpp "#include <cstdint>"
  ${header} "#include \"amphi/config/c.hpp\"\n#include \"amphi/core/detail/b.hpp\""
  include/amphi/core/detail/b.hpp "#pragma once"
  include/amphi/algorithm/x.hpp "#include <vector>\n#include \"amphi/core/a.hpp\"")
expect_verdict(higher "core/a.hpp:3: layer core includes the higher layer memory"
  ${header} "#include \"amphi/memory/array.hpp\"")
expect_verdict(unknown "'cuda' is no layer" ${header} "#include \"amphi/cuda/array.hpp\"")
expect_verdict(new_folder "'fancy' is no layer" include/amphi/fancy/a.hpp "#pragma once")
expect_verdict(foreign_detail "private to layer core"
  include/amphi/memory/m.hpp "#include \"amphi/core/detail/b.hpp\"")
expect_verdict(circle "in a circle"
  ${header} "#include \"amphi/core/b.hpp\""
  include/amphi/core/b.hpp "#include \"amphi/core/a.hpp\"")
expect_verdict(costly "<vector> is too costly for layer core" ${header} "#include <cstdint>\n#include <vector>")
expect_verdict(error_header "core/error.hpp is for users"
  include/amphi/runtime/r.hpp "#include \"amphi/core/error.hpp\"")
expect_verdict(umbrella "umbrella" ${header} "#include \"amphi/amphi.hpp\"")
expect_verdict(relative "are included as" ${header} "#include \"b.hpp\"")
expect_verdict(compiler_macro "core/a.hpp:4: __CUDA_ARCH__ is read in" ${header} "\n#if __CUDA_ARCH__ >= 800")
expect_verdict(ifdef "ask by #if" ${header} "#ifdef AMPHI_CUDA")
expect_verdict(defined "ask by #if" src/common/a.cpp "#if 1 && defined(AMPHI_CHECKED)")
expect_verdict(twin "src/cpu/a.cpp: has no twin" src/cpu/a.cpp "" src/cuda/b.cpp "")
set(spdx "")
expect_verdict(spdx "lacks the two SPDX lines" ${header} "#pragma once")
