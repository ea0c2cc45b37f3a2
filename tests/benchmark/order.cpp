// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Sorting, merging, selecting, counting and summing into bins against CUB, Thrust and float atomics on a GPU,
// and against serial loops on the CPU.
#include <string>
#include <vector>

#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/histogram.hpp"
#include "amphi/algorithm/merge.hpp"
#include "amphi/algorithm/scatter_add.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/sort.hpp"
#include "harness.hpp"
#include "order_baseline.hpp"

namespace {

using benchmark::table;
constexpr amphi::policy on_cpu{.backend = amphi::backend::cpu};

struct is_even {
  AMPHI_HOST_DEVICE bool operator()(std::int32_t v) const { return v % 2 == 0; }
};

struct in_order {
  template <class K>
  AMPHI_HOST_DEVICE bool operator()(const K& a, const K& b) const {
    if constexpr (requires { a.key; }) {
      return a.key < b.key;
    } else {
      return a < b;
    }
  }
};
struct downwards {
  template <class K>
  AMPHI_HOST_DEVICE bool operator()(const K& a, const K& b) const {
    return in_order()(b, a);
  }
};

// Numbers without order, or records by such numbers; below `end` if it is given.
template <class T>
amphi::array<T> numbers(std::int64_t n, std::uint32_t end = 0, std::uint64_t seed = 1) {
  amphi::array<T> x(n);
  std::uint64_t state = seed;
  for (T& e : x.host_write()) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<std::uint32_t>(state >> 33);
    const std::uint32_t number = end > 0 ? bits % end : bits;
    if constexpr (requires { e.key; }) {
      e = {number, {1}};
    } else {
      e = static_cast<T>(number);
    }
  }
  return x;
}

#if AMPHI_CUDA
// Each call sorts the same numbers: a copy of them comes first, on both sides.
template <class K>
void sort_rows(table& t, const char* type, std::int64_t n) {
  auto x = numbers<K>(n);
  amphi::array<K> work(n, amphi::memory_space::device), room(n, amphi::memory_space::device);
  const amphi::view<const K> in = x.read();
  const amphi::view<K> keys = work.write(), other = room.write();
  const auto bytes = static_cast<std::int64_t>(sizeof(K)) * n;
  const auto ours = [=] {
    baseline::device_copy(keys.data(), in.data(), bytes);
    amphi::sort(keys);
  };
  t.compare(std::string("sort ") + type, "cub::DeviceRadixSort, two buffers", n, 0, true, ours, [=] {
    baseline::device_copy(keys.data(), in.data(), bytes);
    baseline::cub_sort(keys.data(), other.data(), n);
  });
  t.compare(std::string("sort ") + type, "thrust::sort", n, 0, true, ours, [=] {
    baseline::device_copy(keys.data(), in.data(), bytes);
    baseline::thrust_sort(keys.data(), n);
  });
}

void sort_pairs_row(table& t, std::int64_t n) {
  auto x = numbers<float>(n);
  amphi::array<float> work(n, amphi::memory_space::device), room(n, amphi::memory_space::device);
  amphi::array<std::int32_t> values(n, 7), value_room(n, amphi::memory_space::device);
  const amphi::view<const float> in = x.read();
  const amphi::view<float> keys = work.write(), other = room.write();
  const amphi::view<std::int32_t> v = values.read_write(), other_v = value_room.write();
  t.compare(
      "sort_by_key float, int32", "cub::DeviceRadixSort, two buffers", n, 0, true,
      [=] {
        baseline::device_copy(keys.data(), in.data(), 4 * n);
        amphi::sort_by_key(keys, v);
      },
      [=] {
        baseline::device_copy(keys.data(), in.data(), 4 * n);
        baseline::cub_sort_pairs(keys.data(), other.data(), v.data(), other_v.data(), n);
      });
}

// Ranges of n elements each. Records are merged by an order of the caller's.
template <class K>
void merge_row(table& t, const char* type, std::int64_t n) {
  constexpr auto order = [] {
    if constexpr (std::is_same_v<K, baseline::record>) {
      return in_order();
    } else {
      return amphi::ascending();
    }
  };
  auto a = numbers<K>(n), b = numbers<K>(n, 0, 2);
  amphi::sort(a.read_write(), order());
  amphi::sort(b.read_write(), order());
  amphi::array<K> merged(2 * n, amphi::memory_space::device);
  const amphi::view<const K> from = a.read(), and_from = b.read();
  const amphi::view<K> into = merged.write();
  t.compare(
      std::string("merge ") + type, "cub::DeviceMerge", n, 4.0 * sizeof(K) * static_cast<double>(n), true,
      [=] { amphi::merge(from, and_from, into, order()); },
      [=] { baseline::cub_merge(from.data(), and_from.data(), into.data(), n); });
}

template <class K>
void sort_by_comparisons_row(table& t, const char* type, std::int64_t n) {
  auto x = numbers<K>(n);
  amphi::array<K> work(n, amphi::memory_space::device);
  const amphi::view<const K> in = x.read();
  const amphi::view<K> keys = work.write();
  const auto bytes = static_cast<std::int64_t>(sizeof(K)) * n;
  t.compare(
      std::string("sort by comparisons, ") + type, "cub::DeviceMergeSort", n, 0, true,
      [=] {
        baseline::device_copy(keys.data(), in.data(), bytes);
        amphi::sort(keys, downwards());
      },
      [=] {
        baseline::device_copy(keys.data(), in.data(), bytes);
        baseline::cub_sort_by_comparisons(keys.data(), n);
      });
}

table gpu_comparisons(const std::vector<std::int64_t>& sizes) {
  table t("merge, and sort by comparisons, on the GPU");
  for (const std::int64_t n : sizes) {
    merge_row<float>(t, "float", n);
    merge_row<std::int64_t>(t, "int64", n / 2);
    merge_row<baseline::record>(t, "16-byte struct by key", n / 4);
    if (n > 1 << 26) continue;
    sort_by_comparisons_row<std::int32_t>(t, "int32", n);
    sort_by_comparisons_row<baseline::record>(t, "16-byte struct by key", n / 4);
    sort_by_comparisons_row<baseline::wide_record>(t, "104-byte struct by key", n / 16);
  }
  return t;
}

table gpu_order(const std::vector<std::int64_t>& sizes) {
  table t("sort and copy_if on the GPU");
  for (const std::int64_t n : sizes) {
    sort_rows<float>(t, "float", n);
    sort_rows<std::int32_t>(t, "int32", n);
    sort_rows<std::int64_t>(t, "int64", n / 2);
    sort_pairs_row(t, n);
    auto x = numbers<std::int32_t>(n);
    amphi::array<std::int32_t> kept(n, amphi::memory_space::device);
    amphi::array<std::int64_t> count(1, amphi::memory_space::device);
    const amphi::view<const std::int32_t> in = x.read();
    const amphi::view<std::int32_t> out = kept.write();
    const amphi::view<std::int64_t> number = count.write();
    t.compare(
        "copy_if of every second int32", "cub::DeviceSelect::If", n, 6.0 * static_cast<double>(n), true,
        [=] { amphi::copy_if_into(in, out, number, is_even()); },
        [=] { baseline::cub_select(in.data(), out.data(), number.data(), n); });
  }
  return t;
}

void bin_rows(table& t, std::int64_t n) {
  auto values = numbers<double>(n, 1000);
  const amphi::view<const double> x = values.read();
  for (const int bin_count : {500, 100000, 1000000}) {
    auto bins = numbers<std::int32_t>(n, static_cast<std::uint32_t>(bin_count));
    amphi::array<double> sums(bin_count, amphi::memory_space::device);
    amphi::array<std::uint32_t> counts(bin_count, amphi::memory_space::device);
    const amphi::view<const std::int32_t> b = bins.read();
    const amphi::view<double> out = sums.write();
    const amphi::view<std::uint32_t> number = counts.write();
    const amphi::scatter_plan plan(b, bin_count);
    const auto atomics = [=] { baseline::atomic_bins(b.data(), x.data(), out.data(), bin_count, n); };
    const std::string of = " of " + std::to_string(bin_count) + " bins, double";
    const double bytes = 12.0 * static_cast<double>(n);
    t.compare(
        "plan.reduce" + of, "float atomics", n, bytes, true,
        [&plan, x, out] { plan.reduce(x, out, 0.0, amphi::plus{}); }, atomics);
    t.compare(
        "plan.reduce_in_order" + of, "float atomics", n, 8.0 * static_cast<double>(n), true,
        [&plan, x, out] { plan.reduce_in_order(x, out, 0.0, amphi::plus{}); }, atomics);
    t.compare(
        "scatter_plan, made" + of, "float atomics", n, 4.0 * static_cast<double>(n), true,
        [b, bin_count] { const amphi::scatter_plan made(b, bin_count); }, atomics);
    t.compare(
        "scatter_add" + of, "float atomics", n, bytes, true, [=] { amphi::scatter_add(b, x, out); }, atomics);
    t.compare(
        "histogram" + of, "cub::DeviceHistogram", n, 4.0 * static_cast<double>(n), true,
        [=] { amphi::histogram(b, number); },
        [=] { baseline::cub_histogram(b.data(), number.data(), bin_count, n); });
  }
}

table gpu_bins(const std::vector<std::int64_t>& sizes) {
  table t("sums into bins on the GPU");
  for (const std::int64_t n : sizes) bin_rows(t, n);
  return t;
}
#endif

template <class K>
void cpu_merge_row(table& t, const char* type, std::int64_t n) {
  auto a = numbers<K>(n), b = numbers<K>(n, 0, 2);
  amphi::sort(on_cpu, a.host_read_write(), in_order());
  amphi::sort(on_cpu, b.host_read_write(), in_order());
  amphi::array<K> merged(2 * n);
  const amphi::view<const K> from = a.host_read(), and_from = b.host_read();
  const amphi::view<K> into = merged.host_write();
  for (const int workers : {1, 0}) {
    amphi::policy p = on_cpu;
    if (workers > 0) p.workers = workers;
    t.compare(
        std::string("CPU merge ") + type + (workers == 1 ? ", one worker" : ""), "std::merge", n,
        4.0 * sizeof(K) * static_cast<double>(n), false,
        [=] { amphi::merge(p, from, and_from, into, in_order()); },
        [=] { baseline::serial_merge(from.data(), and_from.data(), into.data(), n); });
  }
}

table cpu_order(std::int64_t n) {
  constexpr int bin_count = 500;
  table t("sort, merge, copy_if and sums into bins on the CPU", 7);
  auto x = numbers<std::int32_t>(n), bins = numbers<std::int32_t>(n, bin_count);
  auto values = numbers<double>(n, 1000);
  amphi::array<std::int32_t> work(n);
  amphi::array<double> sums(bin_count);
  amphi::array<std::int64_t> count(1);
  const amphi::view<const std::int32_t> in = x.host_read(), b = bins.host_read();
  const amphi::view<const double> v = values.host_read();
  const amphi::view<std::int32_t> out = work.host_write();
  const amphi::view<double> to = sums.host_write();
  const amphi::view<std::int64_t> number = count.host_write();
  const auto fresh = [=] { std::copy(in.data(), in.data() + n, out.data()); };
  t.compare(
      "CPU sort int32", "std::stable_sort", n, 0, false,
      [=] {
        fresh();
        amphi::sort(on_cpu, out);
      },
      [=] {
        fresh();
        baseline::serial_sort(out.data(), n);
      });
  t.compare(
      "CPU sort int32 by comparisons", "std::stable_sort", n, 0, false,
      [=] {
        fresh();
        amphi::sort(on_cpu, out, downwards());
      },
      [=] {
        fresh();
        baseline::serial_sort_by_comparisons(out.data(), n);
      });
  cpu_merge_row<float>(t, "float", n);
  cpu_merge_row<std::int64_t>(t, "int64", n);
  cpu_merge_row<baseline::record>(t, "16-byte struct by key", n);
  t.compare(
      "CPU copy_if of every second int32", "std::copy_if", n, 6.0 * static_cast<double>(n), false,
      [=] { amphi::copy_if_into(on_cpu, in, out, number, is_even()); },
      [=] { baseline::serial_select(in.data(), out.data(), n); });
  const amphi::scatter_plan plan(on_cpu, b, bin_count);
  const auto loop = [=] { baseline::serial_bins(b.data(), v.data(), to.data(), bin_count, n); };
  t.compare(
      "CPU plan.reduce of 500 bins, double", "serial loop", n, 12.0 * static_cast<double>(n), false,
      [&plan, v, to] { plan.reduce(on_cpu, v, to, 0.0, amphi::plus{}); }, loop);
  t.compare(
      "CPU plan.reduce_in_order of 500 bins, double", "serial loop", n, 8.0 * static_cast<double>(n), false,
      [&plan, v, to] { plan.reduce_in_order(on_cpu, v, to, 0.0, amphi::plus{}); }, loop);
  t.compare(
      "CPU scatter_add of 500 bins, double", "serial loop", n, 12.0 * static_cast<double>(n), false,
      [=] { amphi::scatter_add(on_cpu, b, v, to); }, loop);
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  // --merge: of the GPU's tables the one of merges only.
  return benchmark::run("order_benchmark", argc, argv, {"--cpu", "--merge"}, [](const auto& o) {
    std::vector<table> tables;
    const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
#if AMPHI_CUDA
    if (gpu) {
      const auto sizes = o.small ? std::vector<std::int64_t>{1 << 14}
                                 : std::vector<std::int64_t>{1 << 16, 1 << 20, 1 << 24, 1 << 28};
      tables.push_back(gpu_comparisons(sizes));
      if (!o.has("--merge")) {
        tables.push_back(gpu_order(sizes));
        tables.push_back(gpu_bins(o.small ? std::vector<std::int64_t>{1 << 14}
                                          : std::vector<std::int64_t>{1 << 20, 1 << 24}));
      }
    }
#endif
    if (!gpu || o.has("--cpu")) tables.push_back(cpu_order(o.small ? 1 << 14 : 1 << 22));
    return tables;
  });
}
