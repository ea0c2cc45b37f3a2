// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// C = A B for matrices of any size, by tiles of 16 × 16 in shared memory: the kernel of the CUDA handbook,
// with the same bits on both sides and as a plain triple loop.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "amphi/core/integer.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"

constexpr int tile = 16;

// A is m × k, B k × n, C m × n, all row by row.
AMPHI_LAUNCHABLE void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  AMPHI_SHARED(as, float[tile][tile]);
  AMPHI_SHARED(bs, float[tile][tile + 1]);
  const auto block = amphi::this_block();
  const int x = static_cast<int>(amphi::thread_index().x), y = static_cast<int>(amphi::thread_index().y);
  const int column = static_cast<int>(amphi::block_index().x) * tile + x;
  const int row = static_cast<int>(amphi::block_index().y) * tile + y;
  float sum = 0.0f;
  for (int first = 0; first < k; first += tile) {
    as[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    bs[y][x] = column < n && first + y < k ? b[(first + y) * n + column] : 0.0f;
    block.sync();
    for (int i = 0; i < tile; ++i) sum += as[y][i] * bs[i][x];
    block.sync();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

static bool check(int m, int n, int k) {
  const auto size = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  std::vector<float> a(size(m, k)), b(size(k, n)), expected(size(m, n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) * 0.1f;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 13) * 0.3f;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < k; ++l)
        sum += a[size(i, k) + static_cast<std::size_t>(l)] * b[size(l, n) + static_cast<std::size_t>(j)];
      expected[size(i, n) + static_cast<std::size_t>(j)] = sum;
    }
  }
  const amphi::array<float> left{std::span<const float>(a)}, right{std::span<const float>(b)};
  amphi::array<float> product(size(m, n));
  amphi::launch<matmul>({.grid = {amphi::ceil_div(n, tile), amphi::ceil_div(m, tile)}, .block = {tile, tile}},
                        m, n, k, left.read(), right.read(), product.write());
  const bool same =
      std::memcmp(product.host_read().data(), expected.data(), expected.size() * sizeof(float)) == 0;
  std::printf("%4d × %-4d times %4d × %-4d %s\n", m, k, k, n, same ? "the bits of the loop" : "DIFFERENT");
  return same;
}

int main(int argc, char** argv) {
  if (argc == 4) return check(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3])) ? 0 : 1;
  bool good = true;
  for (const auto& [m, n, k] : {std::array{1, 1, 1}, std::array{5, 7, 3}, std::array{17, 33, 16},
                                std::array{34, 34, 34}, std::array{128, 200, 77}})
    good = check(m, n, k) && good;
  return good ? 0 : 1;
}
