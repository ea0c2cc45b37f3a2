# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# Sets AMPHI_VERSION from the one place where the version stands.
set(AMPHI_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/amphi/config/version.hpp" line
    REGEX "^#define AMPHI_VERSION_${part} [0-9]+$")
  if(NOT line MATCHES "([0-9]+)$")
    message(FATAL_ERROR "amphi: no AMPHI_VERSION_${part} in include/amphi/config/version.hpp")
  endif()
  list(APPEND AMPHI_VERSION "${CMAKE_MATCH_1}")
endforeach()
list(JOIN AMPHI_VERSION "." AMPHI_VERSION)
