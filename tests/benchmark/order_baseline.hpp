// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

// What sorting, merging, selecting and summing into bins are measured against.

namespace baseline {

struct record {
  std::int64_t key, value;
};
struct wide_record {
  std::int64_t key, values[12];
};

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
template <class K>
void cub_merge(const K* a, const K* b, K* out, std::int64_t n);  // records by key
template <class K>
void cub_sort_by_comparisons(K* keys, std::int64_t n);  // downwards; records by key
void atomic_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count, std::int64_t n);
void device_copy(void* to, const void* from, std::int64_t bytes);

// order_openmp.cpp: plain C++.
template <class K>
void serial_sort(K* keys, std::int64_t n);  // std::stable_sort
template <class K>
void serial_merge(const K* a, const K* b, K* out, std::int64_t n);    // std::merge; records by key
void serial_sort_by_comparisons(std::int32_t* keys, std::int64_t n);  // std::stable_sort, downwards
void serial_select(const std::int32_t* in, std::int32_t* out, std::int64_t n);
void serial_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count, std::int64_t n);

}  // namespace baseline
