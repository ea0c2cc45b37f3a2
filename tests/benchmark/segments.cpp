// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// segmented_reduce against CUB on a GPU and against OpenMP on the CPU; transpose against a copy of the same
// bytes on a GPU, which nothing can beat, and against a blocked loop with OpenMP on the CPU.
// --cpu: the CPU's tables also where a GPU is in use.
#include <random>
#include <string>
#include <vector>

#include "amphi/algorithm/segmented_reduce.hpp"
#include "amphi/algorithm/transpose.hpp"
#include "harness.hpp"
#include "segments_baseline.hpp"

namespace {

using benchmark::table;

// Lengths between 1 and 2 × mean − 1; one segment where the mean is n.
std::vector<std::int64_t> random_offsets(std::int64_t n, std::int64_t mean) {
  std::vector<std::int64_t> offsets = {0};
  std::mt19937_64 generator(1);
  while (offsets.back() < n) {
    const auto most = static_cast<std::uint64_t>(2 * mean - 1);
    const auto length = mean == n ? n : static_cast<std::int64_t>(1 + generator() % most);
    offsets.push_back(std::min(n, offsets.back() + length));
  }
  return offsets;
}

table segment_table(bool gpu, std::int64_t n) {
  table t(gpu ? "segmented_reduce of floats on the GPU" : "segmented_reduce of floats on the CPU");
  const amphi::policy p{.backend = gpu ? amphi::backend::cuda : amphi::backend::cpu};
  amphi::array<float> x(n, 1.5f);
  const amphi::view<const float> in = x.read(p);
  for (const std::int64_t mean : {std::int64_t{2}, std::int64_t{8}, std::int64_t{32}, std::int64_t{100},
                                  std::int64_t{1000}, std::int64_t{5000}, std::int64_t{100000}, n}) {
    const std::vector<std::int64_t> lengths = random_offsets(n, mean);
    const auto segments = static_cast<std::int64_t>(lengths.size()) - 1;
    amphi::array<std::int64_t> offsets(lengths);
    amphi::array<float> sums(segments);
    const amphi::view<const std::int64_t> o = offsets.read(p);
    const amphi::view<float> out = sums.write(p);
    t.compare(
        "mean length " + std::to_string(mean), gpu ? "cub::DeviceSegmentedReduce" : "omp parallel for, simd",
        n, 4.0 * static_cast<double>(n) + 12.0 * static_cast<double>(segments), gpu,
        [=] { amphi::segmented_reduce(p, in, o, out, 0.0f, amphi::plus{}); },
        [=] {
#if AMPHI_CUDA
          if (gpu) return baseline::cub_segment_sums(in.data(), o.data(), segments, out.data());
#endif
          baseline::omp_segment_sums(in.data(), o.data(), segments, out.data());
        });
  }
  return t;
}

template <class T>
void transpose_row(table& t, const char* type, bool gpu, std::int64_t nx, std::int64_t ny) {
  const amphi::policy p{.backend = gpu ? amphi::backend::cuda : amphi::backend::cpu};
  const std::int64_t n = nx * ny;
  amphi::array<T> x(n, T(1)), y(n);
  const amphi::view2<const T> in(x.read(p).data(), {nx, ny});
  const amphi::view2<T> out(y.write(p).data(), {ny, nx});
  const double bytes = 2.0 * static_cast<double>(sizeof(T)) * static_cast<double>(n);
  const std::string what = std::to_string(nx) + " x " + std::to_string(ny) + " " + type;
  const auto ours = [=] { amphi::transpose(p, in, out); };
  if (gpu) {
    t.compare(what, "device-to-device copy", n, bytes, true, ours, [=] {
      amphi::copy_bytes(out.data(), in.data(), sizeof(T) * static_cast<std::size_t>(n), amphi::stream_view());
    });
  } else if constexpr (std::is_same_v<T, float>) {
    t.compare(what, "omp parallel for, blocks of 32", n, bytes, false, ours,
              [=] { baseline::omp_transpose(in.data(), nx, ny, out.data()); });
  }
}

table transpose_table(bool gpu, std::int64_t side) {
  table t(gpu ? "transpose on the GPU" : "transpose on the CPU");
  transpose_row<float>(t, "float", gpu, side, side);
  transpose_row<float>(t, "float", gpu, side - 7, side + 5);
  transpose_row<float>(t, "float", gpu, 3, side * side / 4);
  transpose_row<float>(t, "float", gpu, side * side / 4, 3);
  transpose_row<float>(t, "float", gpu, 16, side * side / 16);
  if (!gpu) return t;
  transpose_row<std::uint8_t>(t, "bytes", gpu, side, side);
  transpose_row<double>(t, "double", gpu, side, side / 2);
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark::run("segments_benchmark", argc, argv, {"--cpu"}, [](const auto& o) {
    std::vector<table> tables;
    const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
    if (gpu) {
      tables.push_back(segment_table(true, o.small ? 1 << 16 : 1 << 28));
      tables.push_back(transpose_table(true, o.small ? 256 : 16384));
    }
    if (!gpu || o.has("--cpu")) {
      tables.push_back(segment_table(false, o.small ? 1 << 16 : 1 << 25));
      tables.push_back(transpose_table(false, o.small ? 256 : 4096));
    }
    return tables;
  });
}
