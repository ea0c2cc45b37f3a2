# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# What `cmake --install` writes: headers, library, and a package that may be moved to another place.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/amphi")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/amphi" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS amphi amphi_hemi EXPORT amphi-targets)
install(EXPORT amphi-targets NAMESPACE amphi:: DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/amphi-config.cmake.in"
  "${PROJECT_BINARY_DIR}/amphi-config.cmake"
  INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/amphi-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/amphi-config.cmake"
  "${PROJECT_BINARY_DIR}/amphi-config-version.cmake"
  cmake/AmphiCudaArchitectures.cmake
  cmake/AmphiFloatingPoint.cmake
  cmake/AmphiFloatingPointCheck.cmake
  cmake/AmphiTargets.cmake
  DESTINATION "${package_dir}")
install(FILES src/gdb/amphi.py DESTINATION "${CMAKE_INSTALL_DATADIR}/amphi/gdb")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
