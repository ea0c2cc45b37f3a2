// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The tiled kernels of the examples, on sizes that no tile divides, in every order of threads: a missing
// barrier or a tile that is not filled to its edge changes bits.
#include <limits>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "convolution/kernels.hpp"
#include "matmul/kernels.hpp"
#include "support/block_paths.hpp"
#include "transpose/kernels.hpp"

using namespace amphi_test;

namespace {

std::vector<float> numbers(std::size_t n, float factor) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = factor * static_cast<float>((i * 7919) % 1013) - 3.0f;
  return v;
}

struct product_size {
  int m, n, k;
};
struct picture_size {
  int x, y;
};

std::size_t area(int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); }

// On the backend in use, and on the CPU in several orders with one worker and more, without a geometry.
std::vector<path> orders() {
  std::vector<path> paths = block_paths(1, 1);
  for (path& p : paths) p.policy.grid = p.policy.block = amphi::extent3::automatic();
  return paths;
}

// --- matrix product ---------------------------------------------------------------------------------------

template <auto Kernel, int Rows, int Columns>
void multiply(const policy& order, int m, int n, int k, const amphi::array<float>& a,
              const amphi::array<float>& b, amphi::array<float>& c) {
  const policy p = matmul::geometry(m, n, Rows, Columns, order);
  amphi::launch<Kernel>(p, m, n, k, a.read(p), b.read(p), c.write(p));
}

std::vector<float> product(int m, int n, int k, const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < k; ++l) sum += a[area(i, k) + area(l, 1)] * b[area(l, n) + area(j, 1)];
      c.push_back(sum);
    }
  return c;
}

std::vector<float> copy_of(const amphi::array<float>& a) {
  const auto v = a.host_read();
  return {v.begin(), v.end()};
}

template <auto Kernel, int Rows, int Columns>
void ragged_products() {
  for (const path& p : orders())
    for (const auto& [m, n, k] : {product_size{1, 1, 1}, product_size{5, 7, 3}, product_size{17, 33, 16},
                                  product_size{34, 34, 34}, product_size{65, 129, 31}}) {
      SCOPED_TRACE(p.name + ": " + std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k));
      // What a product of NaN leaves in shared memory must not come into the next one.
      const float nan = std::numeric_limits<float>::quiet_NaN();
      const amphi::array<float> nan_a(area(80, 48), nan), nan_b(area(48, 144), nan);
      amphi::array<float> nan_c(area(80, 144)), c(area(m, n));
      multiply<Kernel, Rows, Columns>(p.policy, 80, 144, 48, nan_a, nan_b, nan_c);
      EXPECT_TRUE(copy_of(nan_c)[77] != copy_of(nan_c)[77]);

      const amphi::array<float> ones_a(area(m, k), 1.0f), ones_b(area(k, n), 1.0f);
      multiply<Kernel, Rows, Columns>(p.policy, m, n, k, ones_a, ones_b, c);
      EXPECT_TRUE(same_bits(copy_of(c), std::vector<float>(area(m, n), static_cast<float>(k))));

      const std::vector<float> a = numbers(area(m, k), 0.01f), b = numbers(area(k, n), 0.003f);
      amphi::array<float> left(a.size()), right(b.size());
      left.copy_from(a), right.copy_from(b);
      multiply<Kernel, Rows, Columns>(p.policy, m, n, k, left, right, c);
      EXPECT_TRUE(same_bits(copy_of(c), product(m, n, k, a, b)));
    }
}

TEST(RaggedTiles, NaiveProduct) { ragged_products<matmul::naive, 16, 16>(); }
TEST(RaggedTiles, TiledProduct) { ragged_products<matmul::tiled, 16, 16>(); }
TEST(RaggedTiles, CoarsenedProduct) { ragged_products<matmul::coarsened<1, 4>, 16, 64>(); }
TEST(RaggedTiles, ProductCoarsenedBothWays) { ragged_products<matmul::coarsened<4, 2>, 64, 32>(); }

// --- transpose --------------------------------------------------------------------------------------------

template <auto Kernel>
void ragged_transposes() {
  for (const path& order : orders())
    for (const auto& [nx, ny] : {picture_size{1, 1}, picture_size{31, 33}, picture_size{33, 31},
                                 picture_size{7, 100}, picture_size{97, 64}}) {
      SCOPED_TRACE(order.name + ": " + std::to_string(nx) + " " + std::to_string(ny));
      const std::vector<float> values = numbers(area(nx, ny), 1.0f);
      std::vector<float> expected(values.size());
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) expected[area(x, ny) + area(y, 1)] = values[area(y, nx) + area(x, 1)];
      amphi::array<float> in(values.size()), out(values.size(), -1.0f);
      in.copy_from(values);
      const amphi::extent2 size(nx, ny);
      const policy p = transpose::geometry(size, order.policy);
      amphi::launch<Kernel>(p, transpose::const_matrix(in.read(p).data(), size),
                            transpose::matrix(out.write(p).data(), amphi::extent2(ny, nx)));
      EXPECT_TRUE(same_bits(copy_of(out), expected));
    }
}

TEST(RaggedTiles, NaiveTranspose) { ragged_transposes<transpose::naive>(); }
TEST(RaggedTiles, TiledTranspose) { ragged_transposes<transpose::tiled<0>>(); }
TEST(RaggedTiles, PaddedTranspose) { ragged_transposes<transpose::tiled<1>>(); }

// --- convolution ------------------------------------------------------------------------------------------

// What stands outside, walked to step by step.
float pixel(const std::vector<float>& in, int nx, int ny, convolution::border b, int x, int y) {
  const auto walk = [b](int i, int n) {
    while (i < 0 || i >= n) {
      if (b == convolution::border::zero) return -1;
      if (b == convolution::border::clamp) {
        i += i < 0 ? 1 : -1;
      } else {
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
      }
    }
    return i;
  };
  const int sx = walk(x, nx), sy = walk(y, ny);
  return sx < 0 || sy < 0 ? 0.0f : in[area(sy, nx) + area(sx, 1)];
}

template <auto Kernel, int Radius>
void ragged_convolutions() {
  const std::vector<float> weights = numbers(area(2 * Radius + 1, 2 * Radius + 1), 0.01f);
  amphi::copy_to_constant(convolution::weights, amphi::view<const float>(weights));
  using convolution::border;
  for (const path& order : orders())
    for (const border b : {border::clamp, border::mirror, border::zero})
      for (const auto& [nx, ny] :
           {picture_size{1, 1}, picture_size{2, 3}, picture_size{33, 31}, picture_size{70, 5}}) {
        SCOPED_TRACE(order.name + ": " + std::to_string(nx) + " " + std::to_string(ny));
        const std::vector<float> values = numbers(area(nx, ny), 0.1f);
        std::vector<float> expected;
        for (int y = 0; y < ny; ++y)
          for (int x = 0; x < nx; ++x) {
            float sum = 0.0f;
            for (int dy = -Radius; dy <= Radius; ++dy)
              for (int dx = -Radius; dx <= Radius; ++dx)
                sum += weights[area(dy + Radius, 2 * Radius + 1) + area(dx + Radius, 1)] *
                       pixel(values, nx, ny, b, x + dx, y + dy);
            expected.push_back(sum);
          }
        amphi::array<float> in(values.size()), out(values.size(), -1.0f);
        in.copy_from(values);
        const amphi::extent2 size(nx, ny);
        const policy p = convolution::geometry(size, order.policy);
        amphi::launch<Kernel>(p, convolution::const_image(in.read(p).data(), size), b,
                              convolution::image(out.write(p).data(), size));
        EXPECT_TRUE(same_bits(copy_of(out), expected));
      }
}

TEST(RaggedTiles, NaiveConvolution) { ragged_convolutions<convolution::naive<3>, 3>(); }
TEST(RaggedTiles, TiledConvolution) { ragged_convolutions<convolution::tiled<3>, 3>(); }
TEST(RaggedTiles, WideTiledConvolution) { ragged_convolutions<convolution::tiled<8>, 8>(); }

}  // namespace
