// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

// What segmented_reduce and transpose are measured against.

namespace baseline {

// segments_openmp.cpp
void omp_segment_sums(const float* x, const std::int64_t* offsets, std::int64_t segments, float* out);
void omp_transpose(const float* in, std::int64_t nx, std::int64_t ny, float* out);  // in blocks of 32 × 32

// segments_cub.cpp: on the default stream. Keeps its temporary storage.
void cub_segment_sums(const float* x, const std::int64_t* offsets, std::int64_t segments, float* out);

}  // namespace baseline
