// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The algorithms that work in every unit: this one is compiled as C++ in a build with CUDA too, where it
// can't launch. The bits are those of the orders in include/amphi/algorithm/README.md, as everywhere.
#include <functional>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/fill.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/core/error.hpp"
#include "amphi/memory/array.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

std::vector<int> compiled_sizes() { return {0, 1, 31, 32, 33, 255, 256, 257, 4097, 70003}; }

// Integers so small that no sum or product overflows.
template <class T>
std::vector<T> small_values(std::size_t n) {
  std::vector<T> x = reference::values<T>(n, 8);
  if constexpr (std::is_integral_v<T>)
    for (T& e : x) e = static_cast<T>(e % 3 - 1);
  return x;
}

template <class T, class Op>
void check_reductions_and_scans(Op op, auto typed_op) {
  const T init = T(1);
  for (const int n : compiled_sizes()) {
    const auto count = static_cast<std::size_t>(n);
    const std::vector<T> x = small_values<T>(count);
    const T expected = reference::reduce(x, init, op);
    const auto plain = reference::scan(x, {}, op), with_init = reference::scan(x, {init}, op);
    shared_data<T> in(x);
    const amphi::view<const T> v(in.data(), n);
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
      EXPECT_TRUE(same_bits<T>({amphi::reduce(p.policy, v, init, op)}, {expected}));
      EXPECT_TRUE(same_bits<T>({amphi::reduce(p.policy, v, init, typed_op)}, {expected}));
      shared_data<T> sum(1), scanned(count), shifted(count), total(1);
      amphi::reduce_into(p.policy, v, sum.data(), init, op);
      EXPECT_TRUE(same_bits(sum.on_host(), {expected}));
      amphi::inclusive_scan(p.policy, v, amphi::view(scanned.data(), n), op);
      EXPECT_TRUE(same_bits(scanned.on_host(), plain.inclusive));
      amphi::exclusive_scan(p.policy, v, amphi::view(shifted.data(), n), init, op, total.data());
      EXPECT_TRUE(same_bits(shifted.on_host(), with_init.exclusive));
      EXPECT_TRUE(same_bits(total.on_host(), {n == 0 ? init : with_init.inclusive.back()}));
    }
  }
}

template <class T>
class compiled_of : public ::testing::Test {};
using types = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(compiled_of, types);

TYPED_TEST(compiled_of, sums) {
  check_reductions_and_scans<TypeParam>(amphi::plus{}, amphi::plus<TypeParam>());
}
TYPED_TEST(compiled_of, minima) {
  check_reductions_and_scans<TypeParam>(amphi::minimum{}, amphi::minimum<TypeParam>());
}
TYPED_TEST(compiled_of, maxima) {
  check_reductions_and_scans<TypeParam>(amphi::maximum{}, amphi::maximum<TypeParam>());
}
TYPED_TEST(compiled_of, products) {
  check_reductions_and_scans<TypeParam>(amphi::multiplies{}, amphi::multiplies<TypeParam>());
}

TYPED_TEST(compiled_of, copies_and_fills) {
  using T = TypeParam;
  for (const int n : compiled_sizes()) {
    const auto count = static_cast<std::size_t>(n);
    const std::vector<T> x = reference::values<T>(count, 3);
    shared_data<T> in(x);
    for (const path& p : all_paths()) {
      shared_data<T> out(count + 2, T(5)), filled(count + 2, T(5));
      amphi::copy(p.policy, amphi::view(in.data(), n), amphi::view(out.data() + 1, n));
      amphi::fill(p.policy, amphi::view(filled.data() + 1, n), 7);
      std::vector<T> expected(count + 2, T(7));
      expected.front() = expected.back() = T(5);
      EXPECT_TRUE(same_bits(filled.on_host(), expected)) << p.name;
      std::copy(x.begin(), x.end(), expected.begin() + 1);
      EXPECT_TRUE(same_bits(out.on_host(), expected)) << p.name;
    }
  }
}

TYPED_TEST(compiled_of, sorts) {
  using T = TypeParam;
  for (const int n : compiled_sizes()) {
    std::vector<T> x = reference::values<T>(static_cast<std::size_t>(n), 4);
    std::vector<T> up = x;
    std::stable_sort(up.begin(), up.end());
    std::vector<T> down = x;
    std::stable_sort(down.begin(), down.end(), std::greater<>());
    for (const path& p : all_paths()) {
      if (on_gpu() && n > 5000 && p.name == "<<<1,1>>>") continue;  // slow on a GPU
      shared_data<T> a(x), b(x), c(x);
      amphi::sort(p.policy, amphi::view(a.data(), n));
      amphi::sort(p.policy, amphi::view(b.data(), n), amphi::greater{});
      amphi::sort(p.policy, amphi::view(c.data(), n), amphi::descending());
      EXPECT_TRUE(same_bits(a.on_host(), up)) << p.name;
      EXPECT_TRUE(same_bits(b.on_host(), down)) << p.name;
      EXPECT_TRUE(same_bits(c.on_host(), down)) << p.name;
    }
  }
}

// Arrays and containers, without a policy.
TEST(compiled, arrays_on_the_backend_in_use) {
  const std::vector<float> values = reference::values<float>(30000);
  amphi::array<float> x(values), y(values.size());
  EXPECT_EQ(amphi::reduce(x.read(), 0.0f, amphi::plus{}), reference::reduce(values, 0.0f, amphi::plus{}));
  EXPECT_EQ(amphi::reduce(x.read()), reference::reduce(values, 0.0f, amphi::plus{}));
  amphi::inclusive_scan(x.read(), y.write());
  const auto scanned = y.host_read();
  EXPECT_TRUE(same_bits(std::vector<float>(scanned.begin(), scanned.end()),
                        reference::scan(values, {}, amphi::plus{}).inclusive));
  std::vector<double> host(5, 2.0);
  EXPECT_EQ(amphi::reduce({.backend = backend::cpu}, host, 1.0, amphi::multiplies{}), 32.0);
}

TEST(compiled, errors_are_those_of_every_unit) {
  std::vector<float> x(100), y(99);
  const amphi::policy cpu{.backend = backend::cpu};
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { amphi::copy(cpu, x, y); }), {"amphi::copy", "99", "100"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>(
                       [&] { (void)amphi::reduce({.shared_bytes = 4, .backend = backend::cpu}, x, 0.0f); }),
                   {"amphi::reduce", "shared memory"}));
}

}  // namespace
