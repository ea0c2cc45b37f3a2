// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/bin_check.hpp"
#include "amphi/algorithm/detail/device.hpp"
#include "amphi/algorithm/detail/input.hpp"
#include "amphi/algorithm/detail/tasks.hpp"

// The kernels of histogram: integer counts, for which no order matters.

namespace amphi::detail {

struct histogram_name {
  static constexpr const char* name = "amphi::histogram";
};

template <class Count>
AMPHI_LAUNCHABLE void add_count(Count* to, Count count) {
#if AMPHI_DEVICE_CODE
  using U = std::conditional_t<sizeof(Count) == 4, unsigned, unsigned long long>;
  atomicAdd(reinterpret_cast<U*>(to), static_cast<U>(count));
#else
  __atomic_fetch_add(to, count, __ATOMIC_RELAXED);
#endif
}

AMPHI_DETAIL_CONVERSIONS_BEGIN

template <class Elements, class F, class Count>
struct histogram_data {
  static constexpr const char* name = histogram_name::name;
  Elements elements;
  F f;
  std::int64_t n, bins, length;
  Count* counts;
  Count* own;  // of each part; null: parts share `counts`

  // The bin of an element; negative where there is none.
  AMPHI_HOST_DEVICE std::int64_t bin(std::int64_t i) const {
    F g = f;
    const auto b = g(elements[i]);
    return in_bins<histogram_name>(b, bins, i) ? static_cast<std::int64_t>(b) : -1;
  }
};

// Any geometry: one element, straight to the counts.
template <class Data>
struct histogram_element {
  static constexpr const char* name = histogram_name::name;
  Data d;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    using Count = std::remove_reference_t<decltype(*d.counts)>;
    if (const std::int64_t b = d.bin(i); b >= 0) add_count(d.counts + b, Count{1});
  }
};

template <class Data>
struct histogram_part {
  static constexpr const char* name = histogram_name::name;
  Data d;
  void operator()(std::int64_t part) const {
    using Count = std::remove_reference_t<decltype(*d.counts)>;
    const piece mine = piece_of(d.n, d.length, part);
    if (d.own == nullptr) {
      for (std::int64_t i = mine.first; i < mine.last; ++i) add_count(d.counts + d.bin(i), Count{1});
      return;
    }
    Count* const own = d.own + part * d.bins;
    for (std::int64_t b = 0; b < d.bins; ++b) own[b] = 0;
    for (std::int64_t i = mine.first; i < mine.last; ++i) ++own[d.bin(i)];
  }
};

AMPHI_DETAIL_CONVERSIONS_END

template <class Count>
struct histogram_join {
  static constexpr const char* name = histogram_name::name;
  const Count* own;
  std::int64_t parts, bins;
  Count* counts;
  void operator()(std::int64_t b) const {
    Count sum = 0;
    for (std::int64_t part = 0; part < parts; ++part) sum = static_cast<Count>(sum + own[part * bins + b]);
    counts[b] = sum;
  }
};

template <class Count>
struct histogram_clear {
  static constexpr const char* name = histogram_name::name;
  Count* counts;
  AMPHI_HOST_DEVICE void operator()(std::int64_t b) const { counts[b] = 0; }
};

// Few bins on a GPU: each block counts in shared memory first.
struct histogram_kernel {
  static constexpr const char* name = histogram_name::name;
  static constexpr int threads = 512;
  static constexpr int resident = 1;
  static constexpr std::int64_t most_bins = 8192;
  static constexpr std::int64_t least_of_block = 16384;  // elements

#if AMPHI_CUDA_UNIT
  template <class Data>
  __device__ static void device(Data d) {
    extern __shared__ unsigned amphi_histogram_counts[];
    const int t = static_cast<int>(threadIdx.x);
    using Count = std::remove_reference_t<decltype(*d.counts)>;
    for (std::int64_t b = t; b < d.bins; b += threads) amphi_histogram_counts[b] = 0;
    __syncthreads();
    const std::int64_t all = std::int64_t{threads} * gridDim.x;
    for (std::int64_t i = std::int64_t{threads} * blockIdx.x + t; i < d.n; i += all)
      if (const std::int64_t b = d.bin(i); b >= 0) atomicAdd(amphi_histogram_counts + b, 1u);
    __syncthreads();
    for (std::int64_t b = t; b < d.bins; b += threads)
      if (const unsigned count = amphi_histogram_counts[b]; count > 0)
        add_count(d.counts + b, static_cast<Count>(count));
  }
#endif
  template <class Data>
  static void host(const Data&) {}  // the CPU takes parts
};

template <class Elements, class Count, class F>
void count_bins(const policy& p, const Elements& elements, std::int64_t n, Count* counts, std::int64_t bins,
                const F& f) {
  static_assert(integer<Count> && (sizeof(Count) == 4 || sizeof(Count) == 8),
                "amphi: a histogram counts in integers of 32 or 64 bits");
  if (bins == 0 && n == 0) return;
  const char* const name = histogram_name::name;
  const algorithm_plan plan = plan_algorithm(name, p, histogram_kernel::threads);
  using data = histogram_data<Elements, F, Count>;
  data d{elements, f, n, bins, 0, counts, nullptr};
  if constexpr (AMPHI_CUDA != 0) {
    if (plan.on_gpu) {
      launch_tasks(plan, bins, histogram_clear<Count>{counts});
      if (!plan.automatic || bins > histogram_kernel::most_bins)
        return launch_tasks(plan, n, histogram_element<data>{d});
      const std::int64_t wanted =
          (n + histogram_kernel::least_of_block - 1) / histogram_kernel::least_of_block;
      const std::int64_t blocks = wanted < 1 ? 1 : wanted < 1024 ? wanted : 1024;
      return launch_algorithm<histogram_kernel>(
          with_geometry(plan.launch, blocks, histogram_kernel::threads, bins * 4), n, d);
    }
  }
  d.length = task_length(plan, n, 1, 16384);
  const std::int64_t parts = (n + d.length - 1) / d.length;
  const bool own = bins * parts <= 4 * n;
  const scratch s(name, plan, own ? static_cast<std::size_t>(bins * parts) * sizeof(Count) : 0, 0);
  if (own && parts > 0) {
    d.own = static_cast<Count*>(s.data());
    launch_host_tasks(plan, parts, histogram_part<data>{d});
    if (bins > 0) launch_host_tasks(plan, bins, histogram_join<Count>{d.own, parts, bins, counts});
    return;
  }
  if (bins > 0) launch_host_tasks(plan, bins, histogram_clear<Count>{counts});
  if (parts > 0) launch_host_tasks(plan, parts, histogram_part<data>{d});
}

}  // namespace amphi::detail
