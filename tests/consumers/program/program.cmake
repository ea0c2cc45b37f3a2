# SPDX-FileCopyrightText: 2026 The amphi authors
# SPDX-License-Identifier: BSD-3-Clause

# What all consumers build: a program of a launching and a plain unit, with nothing said of OpenMP, C++20 or flags,
# and a target that is exempt from the floating-point contract.
add_executable(program ../program/main.cpp ../program/plain.cpp)
target_link_libraries(program PRIVATE amphi::amphi)
amphi_target_sources_as_cuda(program ../program/main.cpp)

add_library(contracting OBJECT ../program/contracting.cpp)
target_link_libraries(contracting PRIVATE amphi::amphi)
set_target_properties(contracting PROPERTIES AMPHI_ALLOW_CONTRACTION ON)

add_library(written_for_hemi OBJECT ../program/hemi.cpp)
target_link_libraries(written_for_hemi PRIVATE amphi::hemi)
amphi_target_sources_as_cuda(written_for_hemi)
