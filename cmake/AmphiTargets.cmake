# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause
macro(amphi_target_sources_as_cuda target)
  if(AMPHI_BACKEND STREQUAL "cuda")
    set(_amphi_files ${ARGN})
    if(NOT _amphi_files)
      get_target_property(_amphi_files ${target} SOURCES)
      list(FILTER _amphi_files INCLUDE REGEX "\\.cpp$")
    endif()
    set_source_files_properties(${_amphi_files} PROPERTIES LANGUAGE CUDA)
    unset(_amphi_files)
  endif()
endmacro()
