// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The algorithms against CUB on a GPU.
//
// --tune: other orders of reduce as well, to choose its rows from
#include <string>
#include <vector>

#include "algorithms_baseline.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/transform.hpp"
#include "harness.hpp"
#include "inputs.hpp"

namespace {

using namespace benchmark;

template <class T>
amphi::array<T> device_numbers(std::int64_t n) {
  amphi::array<T> x(n);
  fill_numbers<T>(x.host_write());
  return x;
}

table gpu_transform(std::int64_t most) {
  table t("transform saxpy on the GPU");
  auto x = device_numbers<float>(most), y = device_numbers<float>(most);
  const amphi::view<const float> in = x.read();
  const amphi::view<float> out = y.read_write();
  const auto row = [&](const char* what, std::int64_t n, amphi::view<const float> i, amphi::view<float> o) {
    t.compare(
        what, "cub::DeviceTransform", n, 12.0 * static_cast<double>(n), true,
        [=] { amphi::transform(i, o, o, axpy{a}); }, [=] { baseline::cub_saxpy(n, a, i.data(), o.data()); });
  };
  for (const std::int64_t n : lengths(most)) row("transform", n, in.first(n), out.first(n));
  const std::int64_t n = most - 8;
  row("transform, both off by one element", n, in.subview(1, n), out.subview(1, n));
  row("transform, off by one against the other", n, in.subview(1, n), out.subview(2, n));
  t.compare(
      "device-to-device copy", "cub::DeviceTransform saxpy", most, 8.0 * static_cast<double>(most), true,
      [=] { baseline::cuda_copy(out.data(), in.data(), 4 * most); },
      [=] { baseline::cub_saxpy(most, a, in.data(), out.data()); });
  return t;
}

template <class T>
void gpu_rows(table& t, const char* type, std::int64_t most, bool scans) {
  auto x = device_numbers<T>(most);
  amphi::array<T> y(most, amphi::memory_space::device);
  const amphi::view<const T> in = x.read();
  const amphi::view<T> out = y.write();
  baseline::cub_storage storage;
  for (const std::int64_t n : lengths(most)) {
    const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(n);
    const amphi::view<const T> part = in.first(n);
    if (scans) {
      t.compare(
          std::string("inclusive_scan ") + type, "cub::DeviceScan::InclusiveSum", n, 2 * bytes, true,
          [=] { amphi::inclusive_scan(part, out); },
          [=, &storage] { storage.scan(part.data(), out.data(), n); });
    } else {
      t.compare(
          std::string("reduce_into ") + type, "cub::DeviceReduce::Sum", n, bytes, true,
          [=] { amphi::reduce_into(part, out, T(0), amphi::plus{}); },
          [=, &storage] { storage.sum(part.data(), out.data(), n); });
    }
  }
}

table gpu_table(std::int64_t most, bool scans) {
  table t(scans ? "inclusive_scan on the GPU" : "reduce on the GPU");
  gpu_rows<float>(t, "float", most, scans);
  gpu_rows<double>(t, "double", most / 2, scans);
  gpu_rows<std::int32_t>(t, "int32", most / 8, scans);
  gpu_rows<std::int64_t>(t, "int64", most / 8, scans);
  return t;
}

template <class T>
void graph_rows(table& t, const char* type) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  auto x = device_numbers<T>(most);
  amphi::array<T> y(most, amphi::memory_space::device);
  const amphi::view<const T> in = x.read();
  const amphi::view<T> out = y.write();
  baseline::cub_storage storage;
  storage.sum(in.data(), out.data(), most), storage.scan(in.data(), out.data(), most);  // allocate
  const graphs make{{}, 64};
  for (const std::int64_t n : lengths(most)) {
    const double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(n);
    const amphi::view<const T> part = in.first(n);
    t.compare(std::string("reduce_into ") + type, "cub::DeviceReduce::Sum", n, bytes, true,
              make([=](const amphi::policy& p) { amphi::reduce_into(p, part, out, T(0), amphi::plus{}); }),
              make([=, &storage](const amphi::policy& p) {
                storage.sum(part.data(), out.data(), n, p.stream.native());
              }),
              make.times);
    t.compare(std::string("inclusive_scan ") + type, "cub::DeviceScan::InclusiveSum", n, 2 * bytes, true,
              make([=](const amphi::policy& p) { amphi::inclusive_scan(p, part, out); }),
              make([=, &storage](const amphi::policy& p) {
                storage.scan(part.data(), out.data(), n, p.stream.native());
              }),
              make.times);
  }
}

table gpu_graphs() {
  table t("reduce and inclusive_scan on the GPU, 64 calls in a graph");
  graph_rows<float>(t, "float");
  graph_rows<double>(t, "double");
  return t;
}

// The reduction in other orders: which rows would be fastest?
table gpu_rows_of_reduce(std::int64_t most) {
  table t("reduce with other numbers of rows, and with fewer blocks");
  auto x = device_numbers<float>(most);
  amphi::array<float> y(16, amphi::memory_space::device);
  const amphi::view<const float> in = x.read();
  float* const out = y.write();
  baseline::cub_storage storage;
  const int fill = amphi::properties_of_current_device().multiprocessors;
  for (const std::int64_t n : lengths(most))
    for (const int rows : {4, 8, 16, 32, 64})
      for (const int per_multiprocessor : {0, 4, 8}) {
        const std::int64_t blocks = per_multiprocessor == 0 ? INT32_MAX : per_multiprocessor * fill;
        const std::int64_t tiles = amphi::detail::reduce_tiles(n, rows).count;
        if (per_multiprocessor != 0 && tiles <= blocks) continue;
        if (rows > 4 && tiles == 1) continue;
        const std::string what = "rows " + std::to_string(rows) +
                                 (per_multiprocessor == 0 ? ""
                                                          : ", " + std::to_string(per_multiprocessor) +
                                                                " blocks a multiprocessor");
        t.compare(
            what, "cub::DeviceReduce::Sum", n, 4.0 * static_cast<double>(n), true,
            [=] {
              using namespace amphi::detail;
              const algorithm_plan plan = plan_algorithm("reduce", {}, reduce_kernel::threads);
              const scratch s("reduce", plan, reduce_scratch_bytes<float>(n, rows), sizeof(unsigned));
              reduce_elements<float>(plan, make_zip(in.data()), n, out, 0.0f, amphi::plus<>(),
                                     amphi::identity(), s, rows, blocks);
            },
            [=, &storage] { storage.sum(in.data(), out, n); });
      }
  return t;
}
}  // namespace

int main(int argc, char** argv) {
  return run("algorithms_benchmark", argc, argv, {"--tune"}, [](const options& o) {
    std::vector<table> tables;
    if (amphi::backend_in_use() != amphi::backend::cuda) {
      std::printf("no GPU is in use; cpu_benchmark measures the CPU\n");
      return tables;
    }
    const std::int64_t most = o.small ? 1 << 16 : std::int64_t{1} << 29;
    tables.push_back(gpu_transform(most));
    tables.push_back(gpu_table(most, false));
    tables.push_back(gpu_table(most, true));
    tables.push_back(gpu_graphs());
    if (o.has("--tune")) tables.push_back(gpu_rows_of_reduce(most));
    return tables;
  });
}
