// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// tile_sum and a tiled matrix product, written with amphi and in raw CUDA, compiled with the same flags:
// medians of interleaved pairs on the GPU. To compare the machine code:
//   cuobjdump -sass block_gpu_benchmark | grep -E "Function|BAR|LDS|STS|FFMA|FADD|SHFL|CALL"
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "amphi/core/function_objects.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/warp.hpp"

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

}  // namespace kernels

namespace {

float milliseconds(const std::function<void()>& f) {
  cudaEvent_t start{}, stop{};
  (void)cudaEventCreate(&start);
  (void)cudaEventCreate(&stop);
  (void)cudaEventRecord(start);
  f();
  (void)cudaEventRecord(stop);
  (void)cudaEventSynchronize(stop);
  float ms = 0.0f;
  (void)cudaEventElapsedTime(&ms, start, stop);
  (void)cudaEventDestroy(start);
  (void)cudaEventDestroy(stop);
  return ms;
}

void row(const char* name, int pairs, const std::function<void()>& ours, const std::function<void()>& raw) {
  std::vector<float> ratios, raws;
  ours();
  raw();
  for (int i = 0; i < pairs; ++i) {
    const float r = milliseconds(raw), o = milliseconds(ours), again = milliseconds(raw);
    ratios.push_back(o / r);
    raws.push_back(again / r);
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(raws.begin(), raws.end());
  const std::size_t middle = ratios.size() / 2;
  std::printf("%-28s time / raw CUDA %6.3f   (raw against itself %.3f … %.3f)\n", name, ratios[middle],
              raws.front(), raws.back());
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  if (amphi::backend_in_use() != amphi::backend::cuda) {
    std::printf("no GPU in use: nothing to compare\n");
    return 0;
  }
  const int blocks = small ? 1 << 8 : 1 << 20, n = small ? 64 : 2048, pairs = small ? 3 : 41;
  const std::size_t elements =
      std::max(static_cast<std::size_t>(blocks) * 256, static_cast<std::size_t>(n) * n);
  float *x = nullptr, *y = nullptr, *out = nullptr;
  for (float** p : {&x, &y, &out})
    if (cudaMalloc(p, elements * sizeof(float)) != cudaSuccess ||
        cudaMemset(*p, 0, elements * sizeof(float)) != cudaSuccess)
      return 1;
  const amphi::policy line{.grid = blocks, .block = 256};
  const amphi::policy square{.grid = {n / 16, n / 16}, .block = {16, 16}};
  const dim3 raw_grid(static_cast<unsigned>(n / 16), static_cast<unsigned>(n / 16)), raw_block(16, 16);
  const auto g = static_cast<unsigned>(blocks);
  row(
      "tile_sum, thread form", pairs, [&] { amphi::launch<kernels::tile_sum>(line, x, out); },
      [&] { kernels::raw_tile_sum<<<g, 256>>>(x, out); });
  row(
      "tile_sum, block form", pairs, [&] { amphi::launch<kernels::block_sum>(line, x, out); },
      [&] { kernels::raw_tile_sum<<<g, 256>>>(x, out); });
  row(
      "tile_sum, with last_phase", pairs, [&] { amphi::launch<kernels::block_sum_last>(line, x, out); },
      [&] { kernels::raw_tile_sum<<<g, 256>>>(x, out); });
  row(
      "matmul", pairs, [&] { amphi::launch<kernels::matmul>(square, n, x, y, out); },
      [&] { kernels::raw_matmul<<<raw_grid, raw_block>>>(n, x, y, out); });
  row(
      "warp sums", pairs, [&] { amphi::launch<kernels::warp_sum>(line, x, out); },
      [&] { kernels::raw_warp_sum<<<g, 256>>>(x, out); });
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
