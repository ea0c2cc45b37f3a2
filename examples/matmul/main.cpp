// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// matmul: C = A B naively, by tiles in shared memory, and by threads that make several elements each. First
// matrices of awkward sizes, then a table of times beside cuBLAS or OpenBLAS. Our own results have the bits
// of a plain triple loop; those of the libraries, which sum in another order, lie within what rounding
// allows.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/same_bits.hpp"
#include "matmul/kernels.hpp"
#include "matmul/vendor.hpp"

namespace {

struct sizes {
  int m, n, k;
  std::size_t of_a() const { return static_cast<std::size_t>(m) * static_cast<std::size_t>(k); }
  std::size_t of_b() const { return static_cast<std::size_t>(k) * static_cast<std::size_t>(n); }
  std::size_t of_c() const { return static_cast<std::size_t>(m) * static_cast<std::size_t>(n); }
};

// One way to multiply, and how many elements a block of it makes.
template <auto Kernel, int Rows, int Columns>
struct way {
  const char* name;
  static void launch(const sizes& s, amphi::view<const float> a, amphi::view<const float> b,
                     amphi::view<float> c) {
    amphi::launch<Kernel>(matmul::geometry(s.m, s.n, Rows, Columns), s.m, s.n, s.k, a, b, c);
  }
};
constexpr way<matmul::naive, 16, 16> naive{"naive"};
constexpr way<matmul::tiled, 16, 16> tiled{"tiled"};
constexpr way<matmul::coarsened<1, 4>, 16, 64> wide{"coarsened 1 x 4"};
constexpr way<matmul::coarsened<4, 4>, 64, 64> square{"coarsened 4 x 4"};

std::vector<float> numbers(std::size_t n, std::size_t seed) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = static_cast<float>((i * 2654435761u + seed) % 1999) * 0.001f - 0.9f;
  return v;
}

// Rows first … last - 1 of the product. With `absolute`, of the matrices of absolute values.
std::vector<double> exact_rows(const sizes& s, const std::vector<float>& a, const std::vector<float>& b,
                               int first, int last, bool absolute) {
  std::vector<double> rows;
  for (int i = first; i < last; ++i)
    for (int j = 0; j < s.n; ++j) {
      double sum = 0;
      for (int l = 0; l < s.k; ++l) {
        const double product = static_cast<double>(a[static_cast<std::size_t>(matmul::at(i, l, s.k))]) *
                               static_cast<double>(b[static_cast<std::size_t>(matmul::at(l, j, s.n))]);
        sum += absolute ? std::abs(product) : product;
      }
      rows.push_back(sum);
    }
  return rows;
}

std::vector<float> loop_rows(const sizes& s, const std::vector<float>& a, const std::vector<float>& b,
                             int first, int last) {
  std::vector<float> rows;
  for (int i = first; i < last; ++i)
    for (int j = 0; j < s.n; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < s.k; ++l)
        sum += a[static_cast<std::size_t>(matmul::at(i, l, s.k))] *
               b[static_cast<std::size_t>(matmul::at(l, j, s.n))];
      rows.push_back(sum);
    }
  return rows;
}

// Awkward sizes, after a product of NaN: what is left of it in shared memory must not come into the next one.
template <class Way>
bool check_sizes(const Way& w) {
  bool good = true;
  const sizes all{128, 256, 96};
  for (const sizes& s :
       {sizes{1, 1, 1}, sizes{5, 7, 3}, sizes{17, 33, 16}, sizes{34, 34, 34}, sizes{128, 200, 77}}) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const amphi::array<float> nan_a(all.of_a(), nan), nan_b(all.of_b(), nan);
    amphi::array<float> nan_c(all.of_c());
    Way::launch(all, nan_a.read(), nan_b.read(), nan_c.write());
    const std::vector<float> a = numbers(s.of_a(), 1), b = numbers(s.of_b(), 2);
    const amphi::array<float> left{std::span<const float>(a)}, right{std::span<const float>(b)};
    amphi::array<float> product(s.of_c());
    Way::launch(s, left.read(), right.read(), product.write());
    const bool same = example::same_bits<float>(w.name, loop_rows(s, a, b, 0, s.m), product.host_read());
    if (!same) std::printf("%s: %d x %d times %d x %d is wrong\n", w.name, s.m, s.k, s.k, s.n);
    good &= same;
  }
  return good;
}

// Times of one problem.
class table {
 public:
  table(const sizes& s, int runs)
      : s_(s),
        runs_(runs),
        a_(numbers(s.of_a(), 3)),
        b_(numbers(s.of_b(), 4)),
        left_(std::span<const float>(a_)),
        right_(std::span<const float>(b_)),
        product_(s.of_c()) {
    // A serial loop over everything would take longer than all the rest: three bands of rows are checked.
    for (const int first : {0, (s.m - rows()) / 2, s.m - rows()}) first_rows_.push_back(first);
    std::printf("\n%d x %d times %d x %d on %s\n  %-18s %10s %10s  %s\n", s.m, s.k, s.k, s.n,
                amphi::properties_of_current_device().name, "way", "ms", "GFlop/s", "result");
  }

  template <class Way>
  bool run(const Way& w) {
    clear();
    const double ms = example::median_milliseconds(
        runs_, [&] { Way::launch(s_, left_.read(), right_.read(), product_.write()); });
    const auto c = product_.host_read();
    bool same = true;
    for (const int first : first_rows_)
      same &= example::same_bits<float>(w.name, loop_rows(s_, a_, b_, first, first + rows()), band(c, first));
    print(w.name, ms, same ? "the bits of the loop" : "DIFFERENT");
    return same;
  }

  bool run(const matmul::vendor& v) {
    if (v.missing != nullptr) return print(v.name, 0, v.missing);
    if (v.backend != amphi::backend_in_use())
      return print(v.name, 0, v.backend == amphi::backend::cuda ? "no GPU is in use" : "for the CPU");
    clear();
    const double ms = example::median_milliseconds(runs_, [&] {
      v.multiply(s_.m, s_.n, s_.k, left_.read().data(), right_.read().data(), product_.write().data());
    });
    const auto c = product_.host_read();
    double worst = 0;  // of what is allowed
    for (const int first : first_rows_) worst = std::max(worst, error_of(band(c, first), first));
    char text[64];
    std::snprintf(text, sizeof(text), "%.3f of the rounding bound", worst);
    print(v.name, ms, text);
    return worst <= 1;
  }

 private:
  int rows() const { return std::min(s_.m, 16); }
  std::span<const float> band(amphi::view<const float> c, int first) const {
    const auto n = static_cast<std::size_t>(s_.n);
    return std::span<const float>(c).subspan(static_cast<std::size_t>(first) * n,
                                             static_cast<std::size_t>(rows()) * n);
  }
  void clear() { product_.copy_from(std::vector<float>(s_.of_c(), -1.0f)); }

  // A sum of k products of floats, in any order, fused or not, is off by at most γ_k Σ|a||b| with
  // γ_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). The
  // double sum that stands for the exact one is off by 2^-29 of that.
  double error_of(std::span<const float> c, int first) const {
    const std::vector<double> exact = exact_rows(s_, a_, b_, first, first + rows(), false),
                              size = exact_rows(s_, a_, b_, first, first + rows(), true);
    const double ku = s_.k * 0x1p-24, gamma = ku / (1 - ku) * (1 + 0x1p-20);
    double worst = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double error = std::abs(static_cast<double>(c[i]) - exact[i]), allowed = gamma * size[i];
      if (!(error <= allowed)) return std::numeric_limits<double>::infinity();
      if (allowed > 0) worst = std::max(worst, error / allowed);
    }
    return worst;
  }

  bool print(const char* name, double ms, const char* result) const {
    const double operations = 2.0 * s_.m * s_.n * s_.k;
    if (ms > 0) {
      std::printf("  %-18s %10.4f %10.1f  %s\n", name, ms, 1e-6 * operations / ms, result);
    } else {
      std::printf("  %-18s %10s %10s  %s\n", name, "-", "-", result);
    }
    return true;
  }

  sizes s_;
  int runs_;
  std::vector<float> a_, b_;
  amphi::array<float> left_, right_, product_;
  std::vector<int> first_rows_;
};

}  // namespace

int main(int argc, char** argv) try {
  const bool gpu = amphi::backend_in_use() == amphi::backend::cuda;
  example::command_line line(argc, argv,
                             "matrix products: naive, tiled, coarsened, and those of BLAS libraries");
  const auto side = [&](const char* name, const char* meaning) {
    return static_cast<int>(line.number(name, gpu ? 2048 : 512, 1, 1 << 15, meaning));
  };
  const int m = side("--m", "rows of A and C"), n = side("--n", "columns of B and C"),
            k = side("--k", "columns of A, rows of B");
  const int runs = static_cast<int>(line.number("--runs", 5, 1, 1001, "timed samples"));
  line.finish();

  bool good = check_sizes(naive);
  good &= check_sizes(tiled);
  good &= check_sizes(wide);
  good &= check_sizes(square);
  std::printf("1 x 1, 5 x 3 x 7, 17 x 16 x 33, 34 x 34 x 34, 128 x 77 x 200: %s\n",
              good ? "all ways have the bits of the loop" : "DIFFERENT");
  table t({m, n, k}, runs);
  good &= t.run(naive);
  good &= t.run(tiled);
  good &= t.run(wide);
  good &= t.run(square);
  good &= t.run(matmul::cublas);
  good &= t.run(matmul::openblas);
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "matmul: %s\n", e.what());
  return 1;
}
