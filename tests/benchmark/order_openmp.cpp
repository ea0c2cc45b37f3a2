// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "order_baseline.hpp"

namespace baseline {

template <class K>
void serial_sort(K* keys, std::int64_t n) {
  std::stable_sort(keys, keys + n);
}
template void serial_sort<float>(float*, std::int64_t);
template void serial_sort<std::int32_t>(std::int32_t*, std::int64_t);

template <class K>
void serial_merge(const K* a, const K* b, K* out, std::int64_t n) {
  std::merge(a, a + n, b, b + n, out);
}
template <>
void serial_merge<record>(const record* a, const record* b, record* out, std::int64_t n) {
  std::merge(a, a + n, b, b + n, out, [](const record& x, const record& y) { return x.key < y.key; });
}
template void serial_merge<float>(const float*, const float*, float*, std::int64_t);
template void serial_merge<std::int64_t>(const std::int64_t*, const std::int64_t*, std::int64_t*,
                                         std::int64_t);

void serial_sort_by_comparisons(std::int32_t* keys, std::int64_t n) {
  std::stable_sort(keys, keys + n, [](std::int32_t a, std::int32_t b) { return b < a; });
}

void serial_select(const std::int32_t* in, std::int32_t* out, std::int64_t n) {
  std::copy_if(in, in + n, out, [](std::int32_t v) { return v % 2 == 0; });
}

void serial_bins(const std::int32_t* bins, const double* values, double* sums, int bin_count,
                 std::int64_t n) {
  std::fill(sums, sums + bin_count, 0.0);
  for (std::int64_t i = 0; i < n; ++i) sums[bins[i]] += values[i];
}

}  // namespace baseline
