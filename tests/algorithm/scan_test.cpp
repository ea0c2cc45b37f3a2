// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/scan.hpp"

#include <bit>
#include <numeric>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

std::vector<int> scan_sizes() {
  return {1,    2,    31,   32,   33,    255,   256,   257,   1023,   1024,
          1025, 4096, 8192, 8193, 16383, 16384, 16385, 65537, 1000003};
}

// All results of one scan on one path, with what stands behind the output.
template <class T, class Op>
void check_path(const path& p, shared_data<T>& data, int n, Op op, T init, const reference::scanned<T>& plain,
                const reference::scanned<T>& with_init) {
  SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
  const auto count = static_cast<std::size_t>(n);
  shared_data<T> out(count, T{}), shifted(count + 1, T{}), own(data.on_host());
  const amphi::view in(data.data(), n);
  amphi::inclusive_scan(p.policy, in, amphi::view(out.data(), n), op);
  EXPECT_TRUE(same_bits(out.on_host(), plain.inclusive));
  amphi::exclusive_scan(p.policy, in, amphi::view(shifted.data(), n), init, op, shifted.data() + n);
  std::vector<T> expected = with_init.exclusive;
  expected.push_back(with_init.inclusive.back());
  EXPECT_TRUE(same_bits(shifted.on_host(), expected));
  const amphi::view in_place(own.data(), n);
  shared_data<T> total(1, T{});
  amphi::inclusive_scan(p.policy, in_place, in_place, op, init, amphi::view(total.data(), 1));
  EXPECT_TRUE(same_bits(own.on_host(), with_init.inclusive));
  EXPECT_TRUE(same_bits(total.on_host(), {with_init.inclusive.back()}));
}

template <class T>
void check_all(auto op, T init, auto make) {
  for (const int n : scan_sizes()) {
    const std::vector<T> x = make(static_cast<std::size_t>(n));
    const auto plain = reference::scan(x, {}, op);
    const auto with_init = reference::scan(x, {init}, op);
    shared_data<T> data(x);
    for (const path& p : all_paths()) {
      if (n > 70000 && on_gpu() && p.name == "<<<1,1>>>") continue;  // slow on a GPU
      check_path(p, data, n, op, init, plain, with_init);
    }
  }
}

TEST(scan, float_sums_have_the_reference_bits_on_every_path) {
  check_all<float>(amphi::plus{}, 0.25f, [](std::size_t n) { return reference::values<float>(n); });
}
TEST(scan, double_sums_have_the_reference_bits_on_every_path) {
  check_all<double>(amphi::plus{}, -0.25, [](std::size_t n) { return reference::values<double>(n); });
}
TEST(scan, bytes) {
  check_all<std::uint8_t>(amphi::bit_xor{}, std::uint8_t{9},
                          [](std::size_t n) { return reference::values<std::uint8_t>(n); });
}

// Operators whose result no grouping changes: cores add up in their own way, with the bits of the order.
std::vector<float> zeros_and_late_nans(std::size_t n) {
  std::vector<float> x = reference::values<float>(n);
  const auto payload = std::bit_cast<float>(0x7fc01234u);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 == 0) x[i] = 0.0f;
    if (i % 5 == 0) x[i] = -0.0f;
    if (i > 20000 && i % 9001 == 0) x[i] = payload;
  }
  return x;
}
std::vector<float> a_nan_at_first(std::size_t n) {
  std::vector<float> x = reference::values<float>(n);
  x[0] = std::bit_cast<float>(0xffc04321u);
  return x;
}
TEST(scan, operators_that_group_freely) {
  check_all<std::uint32_t>(amphi::plus{}, 3u,
                           [](std::size_t n) { return reference::values<std::uint32_t>(n); });
  check_all<std::uint64_t>(amphi::multiplies<std::uint64_t>{}, std::uint64_t{3}, [](std::size_t n) {
    auto x = reference::values<std::uint64_t>(n);
    for (auto& e : x) e |= 1u;
    return x;
  });
  check_all<std::int64_t>(amphi::maximum{}, std::int64_t{-5},
                          [](std::size_t n) { return reference::values<std::int64_t>(n); });
  check_all<float>(amphi::minimum{}, 0.0f, zeros_and_late_nans);
  check_all<float>(amphi::maximum<float>{}, -2.0f, a_nan_at_first);
}

// x → a x + b modulo 2^32, composed: associative, not commutative, 8 bytes. Bigger: with a tail of padding.
struct affine {
  std::uint32_t a, b;
};
struct compose {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(const T& f, const T& g) const {
    return {g.a * f.a, g.a * f.b + g.b};
  }
};
struct wide_affine {
  std::uint32_t a, b;
  std::uint32_t rest[3] = {1, 2, 3};
};

template <class T>
std::vector<T> affine_maps(std::size_t n) {
  const auto numbers = reference::values<std::uint32_t>(2 * n);
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i].a = numbers[2 * i] | 1u, x[i].b = numbers[2 * i + 1];
  return x;
}
TEST(scan, operators_that_do_not_commute) { check_all<affine>(compose(), affine{3, 4}, affine_maps<affine>); }
TEST(scan, structs_that_no_vector_fits) {
  check_all<wide_affine>(compose(), wide_affine{3, 4}, affine_maps<wide_affine>);
}

TEST(scan, integers_as_std) {
  const auto x = reference::values<int>(100003);
  std::vector<unsigned> u(x.begin(), x.end()), expected(u.size());
  std::inclusive_scan(u.begin(), u.end(), expected.begin());
  shared_data<unsigned> data(u);
  for (const path& p : all_paths()) {
    shared_data<unsigned> out(u.size());
    amphi::inclusive_scan(p.policy, amphi::view(data.data(), u.size()), amphi::view(out.data(), u.size()));
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << p.name;
  }
}

void misaligned() {
  const auto x = reference::values<float>(60000);
  shared_data<float> data(x);
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      constexpr int n = 50000;
      shared_data<float> out(n + 10, -5.0f);
      amphi::inclusive_scan(amphi::view(data.data() + a, n), amphi::view(out.data() + b, n), amphi::plus{});
      std::vector<float> expected(n + 10, -5.0f);
      const auto sums =
          reference::scan<float>({x.begin() + a, x.begin() + a + n}, {}, amphi::plus{}).inclusive;
      std::copy(sums.begin(), sums.end(), expected.begin() + b);
      EXPECT_TRUE(same_bits(out.on_host(), expected)) << a << ' ' << b;
    }
}
TEST(scan, views_that_are_not_aligned) { misaligned(); }

// So many tiles that a block of a GPU has several, whatever lies where.
template <class T, class Op>
void many_tiles(const std::vector<T>& x, int in_offset, int out_offset, Op op, T init) {
  const std::size_t n = x.size();
  const auto right = reference::scan(x, {init}, op);
  const auto count = static_cast<std::int64_t>(n);
  shared_data<T> data(n + 3), out(n + 4, init), total(1, init);
  std::copy(x.begin(), x.end(), data.data() + in_offset);
  const amphi::view in(data.data() + in_offset, count), to(out.data() + out_offset, count);
  const auto expect = [&](const std::vector<T>& results) {
    std::vector<T> expected(n + 4, init);
    std::copy(results.begin(), results.end(), expected.begin() + out_offset);
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << n << ' ' << in_offset << ' ' << out_offset;
  };
  for (const policy& p : {policy{}, policy{.backend = backend::cpu, .workers = 2}}) {
    amphi::inclusive_scan(p, in, to, op, init);
    expect(right.inclusive);
    amphi::exclusive_scan(p, in, to, init, op, total.data());
    expect(right.exclusive);
    EXPECT_TRUE(same_bits(total.on_host(), {right.inclusive.back()})) << n;
    amphi::copy(p, in, to);
    amphi::inclusive_scan(p, to, to, op, init);
    expect(right.inclusive);
  }
}
template <class T>
void many_tiles(std::size_t n, int in_offset, int out_offset) {
  many_tiles(reference::values<T>(n), in_offset, out_offset, amphi::plus{}, T(3));
}
TEST(scan, of_many_tiles) {
  many_tiles<float>(10000019, 0, 0);
  many_tiles<float>(10000019, 1, 2);
  many_tiles<float>(10000019, 2, 1);
  many_tiles<float>(9000000, 3, 3);
  many_tiles<std::uint32_t>(9000000, 0, 0);
}
// An H200 takes the deep way from 141 tiles of 8192 on.
TEST(scan, of_many_tiles_of_eight_bytes) {
  many_tiles<double>(5 << 20, 0, 1);
  many_tiles<double>(5000019, 1, 0);
  many_tiles<std::int64_t>(264 * 8192, 0, 0);
  many_tiles<std::int64_t>(141 * 8192 + 1, 0, 0);
  many_tiles<std::int64_t>(1 << 22, 1, 1);
  many_tiles(affine_maps<affine>(3000001), 0, 0, compose(), affine{3, 4});
}

// Structs of 8 and 16 bytes that begin between two multiples of these, where their types may stand.
struct long_affine {
  std::uint64_t a, b;
};
template <class T>
void between_words(std::size_t n) {
  constexpr std::size_t words = sizeof(T) / 4, shift = alignof(T) / 4;
  const auto x = affine_maps<T>(n);
  const auto expected = reference::scan(x, {}, compose()).inclusive;
  for (const path& p : fast_paths()) {
    shared_data<std::uint32_t> in((n + 1) * words), out((n + 1) * words);
    auto* const from = reinterpret_cast<T*>(in.data() + shift);
    auto* const to = reinterpret_cast<T*>(out.data() + shift);
    std::copy(x.begin(), x.end(), from);
    amphi::inclusive_scan(p.policy, amphi::view<const T>(from, n), amphi::view(to, n), compose());
    amphi::synchronize();
    EXPECT_TRUE(same_bits(std::vector<T>(to, to + n), expected)) << p.name << ", n = " << n;
  }
}
TEST(scan, structs_between_words) {
  for (const std::size_t n : {std::size_t{1000}, std::size_t{70001}, std::size_t{2000003}}) {
    between_words<affine>(n);
    between_words<long_affine>(n);
  }
}

#if !AMPHI_CUDA_UNIT
// An operator of another type than the accumulator's converts what it is given: vectors do not.
template <class A, class Op>
inline constexpr bool in_vectors =
    amphi::detail::scan_runs_in_vectors<amphi::detail::zip<const A*>, A, A, Op> ||
    amphi::detail::scan_goes_in_vectors<amphi::detail::zip<const A*>, A, A, Op>;
static_assert(in_vectors<int, amphi::plus<>> && in_vectors<int, amphi::plus<int>>);
static_assert(in_vectors<float, amphi::plus<>> && in_vectors<float, amphi::multiplies<float>>);
static_assert(!in_vectors<int, amphi::plus<short>> && !in_vectors<float, amphi::plus<short>>);
static_assert(!in_vectors<float, amphi::multiplies<short>> && !in_vectors<float, amphi::bit_or<>>);
#endif

// Blocks of one scan wait for each other, and those of another one are in their way.
TEST(scan, several_at_once) {
  constexpr int n = 6000000, rounds = 10;
  const auto x = reference::values<float>(n);
  const auto right = reference::scan(x, {}, amphi::plus{}).inclusive;
  shared_data<float> data(x), a(n), b(n), c(n);
  const amphi::view in(data.data(), n);
  const amphi::stream s, t, u;
  for (int round = 0; round < rounds; ++round) {
    amphi::inclusive_scan({.stream = s}, in, amphi::view(a.data(), n));
    amphi::inclusive_scan({.stream = t}, in, amphi::view(b.data(), n));
    amphi::inclusive_scan({.stream = u}, in, amphi::view(c.data(), n));
  }
  for (shared_data<float>* got : {&a, &b, &c}) EXPECT_TRUE(same_bits(got->on_host(), right));
}

struct pick {
  AMPHI_HOST_DEVICE int operator()(int x, int y) const { return x < y ? x + y : -10000; }
};

void known_traps() {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<int> counts(std::vector<int>{8, 6, 7, 5, 3, 0, 9}), offsets(8);
    amphi::exclusive_scan(p.policy, amphi::view(counts.data(), 7), amphi::view(offsets.data(), 7), 0,
                          amphi::plus{}, offsets.data() + 7);
    EXPECT_EQ(offsets.on_host(), (std::vector<int>{0, 8, 14, 21, 26, 29, 29, 38}));
    shared_data<int> four(std::vector<int>{1, 10, 100, 1000});
    amphi::inclusive_scan(p.policy, amphi::view(four.data(), 4), amphi::view(four.data(), 4), pick());
    EXPECT_EQ(four.on_host(), (std::vector<int>{1, 11, 111, 1111}));
    shared_data<double> total(1, -1.0);
    amphi::exclusive_scan(p.policy, amphi::view(total.data(), 0), amphi::view(total.data(), 0), 2.5,
                          amphi::plus{}, total.data());
    EXPECT_EQ(total.on_host()[0], 2.5);
    amphi::inclusive_scan(p.policy, amphi::view(total.data(), 0), amphi::view(total.data(), 0));
    shared_data<double> wide(7);
    amphi::inclusive_scan(p.policy, amphi::view(counts.data(), 7), amphi::view(wide.data(), 7), amphi::plus{},
                          0.5);
    EXPECT_EQ(wide.on_host(), (std::vector<double>{8.5, 14.5, 21.5, 26.5, 29.5, 29.5, 38.5}));
    shared_data<std::int64_t> triangular(5);
    amphi::exclusive_scan(p.policy, amphi::index_range(1, 6), amphi::view(triangular.data(), 5),
                          std::int64_t{0});
    EXPECT_EQ(triangular.on_host(), (std::vector<std::int64_t>{0, 1, 3, 6, 10}));
  }
}
TEST(scan, known_traps) { known_traps(); }

void bad_calls() {
  std::vector<float> x(100), y(99);
  const amphi::policy cpu{.backend = backend::cpu};
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::inclusive_scan(cpu, x, y); }),
                   {"inclusive_scan", "99", "100"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::exclusive_scan(cpu, amphi::view(x.data(), 90), amphi::view(x.data() + 5, 90),
                                           0.0f);
                   }),
                   {"exclusive_scan", "overlaps"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>(
                       [&] { amphi::inclusive_scan({.shared_bytes = 8, .backend = backend::cpu}, x, x); }),
                   {"inclusive_scan", "shared"}));
}
TEST(scan, bad_calls_are_named) { bad_calls(); }

#if !AMPHI_CUDA
struct throwing {
  AMPHI_HOST_DEVICE int operator()(int a, int b) const {
    if (b == 77) throw std::runtime_error("77");
    return a + b;
  }
};
TEST(scan, exceptions_reach_the_caller_and_nobody_hangs) {
  std::vector<int> x(1000000, 1), y(x.size());
  for (const std::size_t at : {5u, 500000u, 999999u}) {
    x[at] = 77;
    for (const path& p : all_paths())
      EXPECT_THROW(amphi::inclusive_scan(p.policy, x, y, throwing()), std::runtime_error) << p.name << at;
    x[at] = 1;
  }
  amphi::inclusive_scan(x, y, throwing());
  EXPECT_EQ(y.back(), 1000000);
}
#endif

}  // namespace
