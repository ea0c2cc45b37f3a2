// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The algorithms on the CPU against OpenMP and the standard library, against TBB and Thrust where CMake finds
// them, and all workers against one.
#include <string>

#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/algorithm/transform.hpp"
#include "cpu_baseline.hpp"
#include "harness.hpp"
#include "inputs.hpp"

namespace {

using namespace benchmark;
constexpr amphi::policy on_cpu{.backend = amphi::backend::cpu};
constexpr amphi::policy one_worker{.backend = amphi::backend::cpu, .workers = 1};

volatile double sink;

template <class T>
struct numbers {
  amphi::array<T> x, y;
  amphi::view<const T> in;
  amphi::view<T> out;

  explicit numbers(std::int64_t n)
      : x(n, amphi::memory_space::pageable), y(n, amphi::memory_space::pageable) {
    fill_numbers<T>(x.host_write());
    fill_numbers<T>(y.host_write());
    in = x.host_read(), out = y.host_read_write();
  }
};

void transform_rows(table& t, std::int64_t most) {
  for (const std::int64_t n : lengths(most)) {
    const numbers<float> v(n);
    t.compare(
        "transform saxpy", "omp parallel for simd", n, 12.0 * static_cast<double>(n), false,
        [in = v.in, out = v.out] { amphi::transform(on_cpu, in, out, out, axpy{a}); },
        [=, &v] { baseline::omp_saxpy(n, a, v.in.data(), v.out.data()); });
  }
}

template <class T>
void reduce_rows(table& t, const char* type, std::int64_t most) {
  for (const std::int64_t n : lengths(most)) {
    const numbers<T> v(n);
    const auto ours = [&v] { sink = static_cast<double>(amphi::reduce(on_cpu, v.in, T(0), amphi::plus{})); };
    const auto row = [&](const char* name, T (*sum)(const T*, std::int64_t)) {
      t.compare(std::string("reduce ") + type, name, n,
                static_cast<double>(sizeof(T)) * static_cast<double>(n), false, ours,
                [&v, n, sum] { sink = static_cast<double>(sum(v.in.data(), n)); });
    };
    row("omp parallel for simd reduction", baseline::omp_sum<T>);
#if AMPHI_BENCHMARK_TBB
    row("std::reduce(par_unseq), TBB", baseline::tbb_sum<T>);
#endif
#if AMPHI_BENCHMARK_THRUST
    row("thrust::reduce, OpenMP", baseline::thrust_sum<T>);
#endif
  }
}

template <class T>
void scan_rows(table& t, const char* type, std::int64_t most) {
  for (const std::int64_t n : lengths(most)) {
    const numbers<T> v(n);
    const auto ours = [&v] { amphi::inclusive_scan(on_cpu, v.in, v.out); };
    const auto row = [&](const char* name, void (*scan)(const T*, T*, std::int64_t)) {
      t.compare(std::string("inclusive_scan ") + type, name, n,
                2.0 * static_cast<double>(sizeof(T)) * static_cast<double>(n), false, ours,
                [&v, n, scan] { scan(v.in.data(), v.out.data(), n); });
    };
    row("std::inclusive_scan, serial", baseline::serial_scan<T>);
#if AMPHI_BENCHMARK_TBB
    row("std::inclusive_scan(par_unseq), TBB", baseline::tbb_scan<T>);
#endif
#if AMPHI_BENCHMARK_THRUST
    row("thrust::inclusive_scan, OpenMP", baseline::thrust_scan<T>);
#endif
  }
}

#if AMPHI_BENCHMARK_TBB || AMPHI_BENCHMARK_THRUST
// Each call sorts the same numbers: a copy of them comes first, on both sides.
void sort_rows(table& t, std::int64_t most) {
  for (const std::int64_t n : lengths(most)) {
    const numbers<float> v(n);
    const auto fresh = [&v] { amphi::copy(on_cpu, v.in, v.out); };
    const auto row = [&](const char* name, void (*sort)(float*, std::int64_t)) {
      t.compare(
          "sort float", name, n, 0, false,
          [&v, fresh] {
            fresh();
            amphi::sort(on_cpu, v.out);
          },
          [&v, fresh, n, sort] {
            fresh();
            sort(v.out.data(), n);
          });
    };
#  if AMPHI_BENCHMARK_TBB
    row("std::sort(par_unseq), TBB", baseline::tbb_sort);
#  endif
#  if AMPHI_BENCHMARK_THRUST
    row("thrust::sort, OpenMP", baseline::thrust_sort_on_cpu);
#  endif
  }
}
#endif

// What more workers bring, with the same bits. Memory sets the limit where there is little arithmetic.
table workers_table(std::int64_t n) {
  table t("all workers against one");
  const numbers<float> v(n);
  const auto in = v.in;
  const auto out = v.out;
  const double elements = static_cast<double>(n);
  const auto row = [&](const char* what, double bytes, auto work) {
    t.compare(
        what, "one worker", n, bytes * elements, false, [work] { work(on_cpu); },
        [work] { work(one_worker); });
  };
  row("copy", 8, [=](const amphi::policy& p) { amphi::copy(p, in, out); });
  row("transform saxpy", 12, [=](const amphi::policy& p) { amphi::transform(p, in, out, out, axpy{a}); });
  row("reduce float", 4, [=](const amphi::policy& p) { sink = amphi::reduce(p, in, 0.0f, amphi::plus{}); });
  row("inclusive_scan float", 8, [=](const amphi::policy& p) { amphi::inclusive_scan(p, in, out); });
  row("copy and sort float", 0, [=](const amphi::policy& p) {
    amphi::copy(p, in, out);
    amphi::sort(p, out);
  });
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  return run("cpu_benchmark", argc, argv, {}, [](const options& o) {
    const std::int64_t most = o.small ? 1 << 16 : 1 << 26;
    std::vector<table> tables;
    tables.emplace_back("algorithms on the CPU");
    transform_rows(tables[0], most);
    reduce_rows<float>(tables[0], "float", most);
    reduce_rows<double>(tables[0], "double", most / 2);
    scan_rows<float>(tables[0], "float", most);
    scan_rows<double>(tables[0], "double", most / 2);
    scan_rows<std::int32_t>(tables[0], "int32", most / 4);
#if AMPHI_BENCHMARK_TBB || AMPHI_BENCHMARK_THRUST
    tables.emplace_back("sort on the CPU", 7);
    sort_rows(tables[1], most / 4);
#endif
    tables.push_back(workers_table(most));
    return tables;
  });
}
