// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

// What sorting, selecting and summing into bins are measured against.

namespace baseline {

// order_cub.cpp: CUB with its temporary storage allocated beforehand, Thrust, and float atomics, on the
// default stream.
template <class K>
void cub_sort(K* keys, K* room, std::int64_t n);
template <class K>
void thrust_sort(K* keys, std::int64_t n);
void cub_sort_pairs(float* keys, float* key_room, std::int32_t* values, std::int32_t* value_room,
                    std::int64_t n);
void cub_select(const std::int32_t* in, std::int32_t* out, std::int64_t* count, std::int64_t n);
void cub_histogram(const std::int32_t* bins, std::uint32_t* counts, int bin_count, std::int64_t n);
void cub_merge(const float* a, const float* b, float* out, std::int64_t n);
void atomic_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count, std::int64_t n);
void device_copy(void* to, const void* from, std::int64_t bytes);

// order_openmp.cpp: plain C++.
template <class K>
void serial_sort(K* keys, std::int64_t n);  // std::stable_sort
void serial_select(const std::int32_t* in, std::int32_t* out, std::int64_t n);
void serial_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count, std::int64_t n);

}  // namespace baseline
