// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"

namespace {

using amphi::view;
using amphi::view2;
using amphi::view3;

struct base {
  int a;
};
struct derived : base {
  int b;
};
struct holds_views {
  view<const float> in;
  view2<float> picture;
  int n;
};

static_assert(std::is_trivially_copyable_v<view<int>> && std::is_trivially_copyable_v<view2<int>> &&
              std::is_trivially_copyable_v<view3<int>> && std::is_trivially_copyable_v<holds_views>);
static_assert(sizeof(view<int>) == 16 && sizeof(view2<int>) == 32 && sizeof(view3<int>) == 48);

// What converts, and what must not.
static_assert(std::is_convertible_v<view<int>, view<const int>>);
static_assert(!std::is_convertible_v<view<const int>, view<int>>);
static_assert(!std::is_convertible_v<view<derived>, view<base>>, "elements would be read at wrong places");
static_assert(!std::is_convertible_v<view<int>, view<long>>);
static_assert(std::is_convertible_v<std::vector<int>&, view<int>>);
static_assert(std::is_convertible_v<const std::vector<int>&, view<const int>>);
static_assert(!std::is_convertible_v<const std::vector<int>&, view<int>>);
static_assert(!std::is_constructible_v<view<int>, std::vector<int>>, "it would dangle at once");
static_assert(std::is_convertible_v<std::array<int, 3>&, view<int>>);
static_assert(std::is_convertible_v<int (&)[3], view<const int>>);
static_assert(std::is_convertible_v<std::string&, view<char>>);
static_assert(std::is_convertible_v<std::span<int>, view<int>> &&
              std::is_convertible_v<std::span<int, 4>, view<const int>>);
static_assert(std::is_convertible_v<view<int>, std::span<int>>);
static_assert(std::is_convertible_v<view<int>, int*> && std::is_convertible_v<view<int>, const int*>);
static_assert(!std::is_convertible_v<view<const int>, int*> && !std::is_convertible_v<view<int>, bool>);
static_assert(std::is_convertible_v<view2<int>, view2<const int>> &&
              !std::is_convertible_v<view2<const int>, view2<int>>);
static_assert(std::is_convertible_v<view3<int>, view3<const int>> &&
              !std::is_convertible_v<view3<const int>, view3<int>>);
static_assert(std::ranges::contiguous_range<view<int>> && std::ranges::borrowed_range<view<int>>);

constexpr int sum_of_squares() {
  int squares[5] = {};
  const view<int> v = squares;
  for (int i = 0; i < 5; ++i) v[i] = i * i;
  int sum = 0;
  for (const int s : v.subview(1, 4)) sum += s;
  const view2<int> m(squares, amphi::extent2{2, 2});
  return sum + m(1, 1) * 100;
}
static_assert(sum_of_squares() == 30 + 900);

TEST(view, is_made_from_containers_arrays_and_pointers) {
  std::vector<int> v{1, 2, 3};
  std::array<int, 3> a{4, 5, 6};
  int c[3] = {7, 8, 9};
  view from_vector(v), from_array(a), from_c(c), from_pointer(v.data() + 1, 2), from_span(std::span<int>{a});
  static_assert(
      std::is_same_v<decltype(from_vector), view<int>> && std::is_same_v<decltype(from_c), view<int>> &&
      std::is_same_v<decltype(from_pointer), view<int>> && std::is_same_v<decltype(from_span), view<int>>);
  EXPECT_EQ(from_vector.data(), v.data());
  EXPECT_EQ(from_vector.size(), 3u);
  EXPECT_EQ(from_array[1], 5);
  EXPECT_EQ(from_c[2], 9);
  EXPECT_EQ(from_pointer.size(), 2u);
  EXPECT_EQ(from_pointer[0], 2);
  EXPECT_EQ(from_span[2], 6);
  const std::vector<int> constant{1, 2};
  static_assert(std::is_same_v<decltype(view(constant)), view<const int>>);
  EXPECT_TRUE(view<int>().empty());
  EXPECT_EQ(view<int>().data(), nullptr);
}

TEST(view, takes_any_integral_index) {
  std::vector<int> v(300);
  std::iota(v.begin(), v.end(), 0);
  const view<const int> w = v;
  EXPECT_EQ(w[short{7}], 7);
  EXPECT_EQ(w[static_cast<unsigned char>(255)], 255);
  EXPECT_EQ(w[299u], 299);
  EXPECT_EQ(w[std::size_t{12}], 12);
  EXPECT_EQ(w[std::int64_t{13}], 13);
  EXPECT_EQ(w['0'], '0');
}

TEST(view, gives_parts) {
  std::vector<int> v(10);
  std::iota(v.begin(), v.end(), 0);
  const view<int> w = v;
  EXPECT_EQ(w.first(3).size(), 3u);
  EXPECT_EQ(w.first(3)[2], 2);
  EXPECT_EQ(w.last(4u)[0], 6);
  EXPECT_EQ(w.subview(2, std::int64_t{5})[4], 6);
  EXPECT_TRUE(w.subview(10, 0).empty());
  EXPECT_EQ(w.subview(0, 10).size(), 10u);
  EXPECT_EQ(w.end() - w.begin(), 10);
  EXPECT_EQ(std::ranges::max(w), 9);
  const std::span<int> s = w;
  EXPECT_EQ(s.data(), v.data());
  EXPECT_EQ(s.size(), 10u);
}

int first_of(const int* p) { return *p; }

TEST(view, is_shallow_and_passes_as_a_pointer) {
  std::vector<int> v{5, 6};
  const view<int> w = v;
  w[0] = 8;
  EXPECT_EQ(v[0], 8);
  EXPECT_EQ(first_of(w), 8);
  int* p = w;
  EXPECT_EQ(p + 1, &v[1]);
}

TEST(view2, addresses_rows_with_a_pitch) {
  constexpr int nx = 5, ny = 4, pitch = 7;
  std::vector<int> v(pitch * ny);
  std::iota(v.begin(), v.end(), 0);
  const view2<int> m(v.data(), amphi::extent2{nx, ny}, pitch);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      ASSERT_EQ(&m(x, y), v.data() + y * pitch + x);
      ASSERT_EQ(&m(static_cast<std::uint64_t>(x), static_cast<short>(y)), &m(x, y));
      ASSERT_EQ(&m[amphi::index2(x, y)], &m(x, y));
    }
  EXPECT_EQ(m.row(2).data(), v.data() + 2 * pitch);
  EXPECT_EQ(m.row(2).size(), std::size_t{nx});
  EXPECT_EQ(m.pitch(), pitch);
  EXPECT_EQ(m.size(), std::size_t{nx * ny});
  const view2<int> part = m.subview({{1, 2}, {4, 4}});
  EXPECT_EQ(part.extent(), amphi::extent2(3, 2));
  EXPECT_EQ(&part(2, 1), &m(3, 3));
  EXPECT_EQ(view2<int>(v.data(), amphi::extent2{nx, ny}).pitch(), nx);
}

TEST(view2, reaches_beyond_32_bits) {
  const view2<char> m(nullptr, amphi::extent2{std::int64_t{1} << 20, 1 << 20});
  EXPECT_EQ(m.size(), std::size_t{1} << 40);
  const auto far = reinterpret_cast<std::uintptr_t>(m.row((1 << 20) - 1).data());
  EXPECT_EQ(far, (std::uintptr_t{1} << 40) - (std::uintptr_t{1} << 20));
}

TEST(view3, addresses_planes) {
  constexpr int nx = 3, ny = 4, nz = 5, pitch = 6;
  std::vector<int> v(pitch * ny * nz);
  const view3<int> m(v.data(), amphi::extent3{nx, ny, nz}, pitch);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        ASSERT_EQ(&m(x, y, z), v.data() + (z * ny + y) * pitch + x);
        ASSERT_EQ(&m[amphi::index3(x, y, z)], &m(x, y, z));
        ASSERT_EQ(&m.plane(z)(x, y), &m(x, y, z));
        ASSERT_EQ(&m.row(y, z)[x], &m(x, y, z));
      }
  const view3<int> part = m.subview({{1, 1, 2}, {3, 4, 5}});
  EXPECT_EQ(part.extent(), amphi::extent3(2, 3, 3));
  EXPECT_EQ(&part(1, 2, 2), &m(2, 3, 4));
  const view3<const int> tall(v.data(), amphi::extent3{2, 2, 2}, 2, 10);
  EXPECT_EQ(&tall(1, 1, 1), v.data() + 13);
}

AMPHI_LAUNCHABLE void transpose(view2<const int> in, view2<int> out) {
  for (const std::int64_t y : amphi::grid_stride_range(std::int64_t{0}, in.extent().y))
    for (std::int64_t x = 0; x < in.extent().x; ++x) out(y, x) = in(x, y);
}

AMPHI_LAUNCHABLE void reverse(view<const int> in, view<int> out) {
  for (const auto i : amphi::grid_stride_range(0, in.size())) out[i] = in[in.size() - 1 - i];
}

TEST(view, works_in_kernels) {
  constexpr int n = 1001;
  amphi::array<int> in(n), out(n);
  const view<int> start = in.host_write();
  std::iota(start.begin(), start.end(), 0);
  amphi::launch<reverse>(in.read(), out.write());
  for (int i = 0; i < n; ++i) ASSERT_EQ(out.host_read()[i], n - 1 - i);
}

TEST(view2, works_in_kernels) {
  constexpr int nx = 37, ny = 11;
  amphi::array<int> in(nx * ny), out(nx * ny);
  const view<int> start = in.host_write();
  std::iota(start.begin(), start.end(), 0);
  amphi::launch<transpose>(view2<const int>(in.read(), amphi::extent2{nx, ny}),
                           view2<int>(out.write(), amphi::extent2{ny, nx}));
  const view<const int> result = out.host_read();
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) ASSERT_EQ(result[x * ny + y], y * nx + x);
}

#if AMPHI_CHECKED
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const amphi::bounds_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

::testing::AssertionResult has(const std::string& text, const char* part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << text << "\" does not say " << part;
}

TEST(checked_view, names_index_size_and_place) {
  std::vector<int> v(10);
  const view<int> w = v;
  const int line = __LINE__ + 1;
  const std::string text = message_of([&] { w[10] = 1; });
  EXPECT_TRUE(has(text, "index 10 is outside [0, 10)"));
  EXPECT_TRUE(has(text, ("view_test.cpp:" + std::to_string(line)).c_str()));
  EXPECT_TRUE(has(message_of([&] { w[-1] = 1; }), "index -1"));
  EXPECT_TRUE(has(message_of([&] { w[SIZE_MAX] = 1; }), "or more (was it negative?) is outside [0, 10)"));
  EXPECT_TRUE(has(message_of([&] { (void)w.subview(4, 7); }), "subview's size"));
  EXPECT_TRUE(has(message_of([&] { (void)w.last(11); }), "index -1 is outside [0, 11) of a subview's begin"));
  EXPECT_TRUE(has(message_of([&] { (void)w.first(-1); }), "index -1"));
  const view2<int> m(v.data(), amphi::extent2{5, 2});
  EXPECT_TRUE(has(message_of([&] { m(5, 0) = 1; }), "index 5 is outside [0, 5) of x of a view2"));
  EXPECT_TRUE(has(message_of([&] { m(0, 2) = 1; }), "y of a view2"));
  EXPECT_TRUE(has(message_of([&] { (void)m.row(2); }), "rows of a view2"));
  EXPECT_TRUE(has(message_of([&] { (void)m.subview({{0, 0}, {6, 2}}); }), "index 5"));
  const view3<int> t(v.data(), amphi::extent3{1, 2, 5});
  EXPECT_TRUE(has(message_of([&] { t(0, 0, 5) = 1; }), "z of a view3"));
}

AMPHI_LAUNCHABLE void one_too_far(view<int> v) {
  const auto t = amphi::thread_index().x;
  if (amphi::block_index().x == 1 && t == 3) v[v.size()] = 1;
}

TEST(checked_view, names_kernel_block_and_thread) {
  amphi::array<int> a(8);
  const std::string text = message_of([&] {
    amphi::launch<one_too_far>({.grid = 2, .block = 4}, a.write());
    amphi::synchronize();
  });
  EXPECT_TRUE(has(text, "index 8 is outside [0, 8)"));
  EXPECT_TRUE(has(text, "one_too_far"));
  EXPECT_TRUE(has(text, "block (1, 0, 0)"));
  EXPECT_TRUE(has(text, "thread (3, 0, 0)"));
  EXPECT_TRUE(has(text, "view_test.cpp:"));
  amphi::synchronize();  // reported once
}
#endif

}  // namespace
