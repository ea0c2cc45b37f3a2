// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels with shared memory, in both forms and with warps, against the same in raw CUDA, compiled with the
// same flags. To compare the machine code:
//   cuobjdump -sass block_gpu_benchmark | grep -E "Function|BAR|LDS|STS|FFMA|FADD|SHFL|CALL"
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "harness.hpp"

namespace kernels {

AMPHI_LAUNCHABLE void tile_sum(const float* x, float* out) {
  AMPHI_SHARED(s, float[256]);
  const auto block = amphi::this_block();
  const unsigned t = amphi::thread_index().x;
  s[t] = x[amphi::block_index().x * 256 + t];
  block.sync();
  for (unsigned d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    block.sync();
  }
  if (t == 0) out[amphi::block_index().x] = s[0];
}
__global__ void raw_tile_sum(const float* x, float* out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The same in block form: phases in place of barriers.
AMPHI_LAUNCHABLE void block_sum(amphi::block block, const float* x, float* out) {
  AMPHI_SHARED(s, float[256]);
  const unsigned first = block.index().x * 256;
  block.for_each_thread([&](int t) { s[t] = x[first + static_cast<unsigned>(t)]; });
  for (int d = 128; d > 0; d /= 2) {
    block.for_each_thread([&](int t) {
      if (t < d) s[t] += s[t + d];
    });
  }
  block.single([&] { out[block.index().x] = s[0]; });
}

// With no barrier at the end, as the raw kernel has none.
AMPHI_LAUNCHABLE void block_sum_last(amphi::block block, const float* x, float* out) {
  AMPHI_SHARED(s, float[256]);
  const unsigned first = block.index().x * 256;
  block.for_each_thread([&](int t) { s[t] = x[first + static_cast<unsigned>(t)]; });
  for (int d = 128; d > 0; d /= 2) {
    block.for_each_thread([&](int t) {
      if (t < d) s[t] += s[t + d];
    });
  }
  block.single(amphi::last_phase, [&] { out[block.index().x] = s[0]; });
}

AMPHI_LAUNCHABLE void matmul(int n, const float* a, const float* b, float* c) {
  AMPHI_SHARED(as, float[16][16]);
  AMPHI_SHARED(bs, float[16][17]);
  const auto block = amphi::this_block();
  const int x = static_cast<int>(amphi::thread_index().x), y = static_cast<int>(amphi::thread_index().y);
  const int column = static_cast<int>(amphi::block_index().x) * 16 + x;
  const int row = static_cast<int>(amphi::block_index().y) * 16 + y;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    as[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
    bs[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0.0f;
    block.sync();
    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
    block.sync();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
__global__ void raw_matmul(int n, const float* a, const float* b, float* c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][17];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * 16 + x;
  const int row = static_cast<int>(blockIdx.y) * 16 + y;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    as[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
    bs[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// Sums of warps by shuffles.
AMPHI_LAUNCHABLE void warp_sum(const float* x, float* out) {
  const unsigned i = amphi::block_index().x * 256 + amphi::thread_index().x;
  const auto w = amphi::this_warp();
  float v = x[i];
  for (int d = 16; d > 0; d /= 2) v += w.shuffle_xor(v, d);
  if (w.lane() == 0) out[i / 32] = v;
}
__global__ void raw_warp_sum(const float* x, float* out) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  float v = x[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

// Sums of 256 lanes over the rows of a tile. The raw kernel has a register for each thread's lane.
AMPHI_LAUNCHABLE void lane_sum(amphi::block block, int n, const float* x, float* out) {
  const std::int64_t first = static_cast<std::int64_t>(block.index().x) * n;
  amphi::per_lane<float, 256> sum(block);
  block.for_each_lane<256>([&](int l) {
    for (int i = l; i < n; i += 256) sum[l] += x[first + i];
  });
  block.for_each_lane<256>(amphi::last_phase, [&](int l) { out[block.index().x * 256 + l] = sum[l]; });
}
__global__ void raw_lane_sum(int n, const float* x, float* out) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * n;
  const int t = static_cast<int>(threadIdx.x);
  float sum = 0.0f;
  for (int i = t; i < n; i += 256) sum += x[first + i];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

}  // namespace kernels

namespace {

using benchmark::table;

table block_table(bool small) {
  table t("kernels with shared memory on the GPU against raw CUDA", small ? 3 : 41);
  const int blocks = small ? 1 << 8 : 1 << 20, side = small ? 64 : 2048, tile = small ? 1 << 10 : 1 << 14;
  const auto grid = static_cast<unsigned>(blocks), edge = static_cast<unsigned>(side / 16);
  const std::int64_t n = std::int64_t{blocks} * 256, square = std::int64_t{side} * side;
  const int tiles = static_cast<int>(n / tile);
  amphi::array<float> in(std::max(n, square), 1.0f, amphi::memory_space::device), more(square, 2.0f),
      results(std::max(n, square), amphi::memory_space::device);
  const float *x = in.read(), *y = more.read();
  float* out = results.write();
  const amphi::policy line{.grid = blocks, .block = 256};
  const amphi::policy plane{.grid = {side / 16, side / 16}, .block = {16, 16}};
  const amphi::policy tall{.grid = tiles, .block = 256};
  const double bytes = 4.0 * static_cast<double>(n);
  const auto raw_sum = [=] { kernels::raw_tile_sum<<<grid, 256>>>(x, out); };
  t.compare(
      "tile_sum, thread form", "raw CUDA", n, bytes, true,
      [=] { amphi::launch<kernels::tile_sum>(line, x, out); }, raw_sum);
  t.compare(
      "tile_sum, block form", "raw CUDA", n, bytes, true,
      [=] { amphi::launch<kernels::block_sum>(line, x, out); }, raw_sum);
  t.compare(
      "tile_sum, block form with last_phase", "raw CUDA", n, bytes, true,
      [=] { amphi::launch<kernels::block_sum_last>(line, x, out); }, raw_sum);
  t.compare(
      "lane sums in block form, per_lane", "raw CUDA", n, bytes, true,
      [=] { amphi::launch<kernels::lane_sum>(tall, tile, x, out); },
      [=] { kernels::raw_lane_sum<<<static_cast<unsigned>(tiles), 256>>>(tile, x, out); });
  t.compare(
      "tiled matrix product, thread form", "raw CUDA", square, 12.0 * static_cast<double>(square), true,
      [=] { amphi::launch<kernels::matmul>(plane, side, x, y, out); },
      [=] { kernels::raw_matmul<<<dim3(edge, edge), dim3(16, 16)>>>(side, x, y, out); });
  t.compare(
      "sums of warps by shuffles", "raw CUDA", n, bytes, true,
      [=] { amphi::launch<kernels::warp_sum>(line, x, out); },
      [=] { kernels::raw_warp_sum<<<grid, 256>>>(x, out); });
  amphi::synchronize();
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  return benchmark::run("block_gpu_benchmark", argc, argv, {}, [](const auto& o) {
    std::vector<table> tables;
    if (amphi::backend_in_use() == amphi::backend::cuda) {
      tables.push_back(block_table(o.small));
    } else {
      std::printf("no GPU in use: nothing to compare\n");
    }
    return tables;
  });
}
