// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/runtime/memory.hpp"
#include "hemi/parallel_for.h"

namespace {

using hemi::Array;

static_assert(std::is_copy_constructible_v<Array<int>> && std::is_nothrow_move_constructible_v<Array<int>>);
static_assert(hemi::host == 0 && hemi::device == 1);

void add_on_device(int* x, std::size_t n, int by) {
  hemi::parallel_for(0, n, [=] HEMI_LAMBDA(std::size_t i) { x[i] += by; });
}

void set_on_device(int* x, std::size_t n, int value) {
  hemi::parallel_for(0, n, [=] HEMI_LAMBDA(std::size_t i) { x[i] = value + static_cast<int>(i); });
}

void fill(Array<int>& x, int value) {
  std::iota(x.writeOnlyHostPtr(), x.writeOnlyHostPtr() + x.size(), value);
}

void expect_iota(const Array<int>& x, std::size_t n, int value) {
  ASSERT_EQ(x.size(), n);
  const int* p = x.readOnlyHostPtr();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(p[i], value + static_cast<int>(i)) << i;
}

TEST(HemiArray, BothWaysAndBack) {
  for (bool pinned : {true, false}) {
    Array<int> x(1000, pinned);
    fill(x, 0);
    add_on_device(x.devicePtr(), x.size(), 1);
    expect_iota(x, 1000, 1);
    int* h = x.hostPtr();
    for (int i = 0; i < 1000; ++i) h[i] += 1;
    add_on_device(x.devicePtr(), x.size(), 1);
    expect_iota(x, 1000, 3);
    set_on_device(x.writeOnlyDevicePtr(), x.size(), 9);
    expect_iota(x, 1000, 9);
  }
}

TEST(HemiArray, SixPointersWithAndWithoutALocation) {
  Array<int> x(10);
  fill(x, 0);
  const Array<int>& c = x;
  EXPECT_EQ(c.readOnlyPtr(hemi::host), c.readOnlyHostPtr());
  EXPECT_EQ(c.readOnlyPtr(hemi::device), c.readOnlyDevicePtr());
  EXPECT_EQ(x.ptr(hemi::host), x.hostPtr());
  EXPECT_EQ(x.ptr(hemi::device), x.devicePtr());
  EXPECT_EQ(x.writeOnlyPtr(hemi::host), x.writeOnlyHostPtr());
  EXPECT_EQ(x.writeOnlyPtr(hemi::device), x.writeOnlyDevicePtr());
  EXPECT_EQ(x.ptr(), x.ptr(HEMI_ARRAY_DEFAULT_LOCATION));
  EXPECT_EQ(x.writeOnlyPtr(), x.writeOnlyPtr(HEMI_ARRAY_DEFAULT_LOCATION));
  EXPECT_EQ(c.readOnlyPtr(), c.readOnlyPtr(HEMI_ARRAY_DEFAULT_LOCATION));
#if defined(HEMI_CUDA_COMPILER)
  EXPECT_EQ(HEMI_ARRAY_DEFAULT_LOCATION, hemi::device);
#else
  EXPECT_EQ(HEMI_ARRAY_DEFAULT_LOCATION, hemi::host);
#endif
}

TEST(HemiArray, FirstPointersOfAFreshArray) {
  Array<int> a(100), b(100), c(100), d(0);
  std::iota(a.hostPtr(), a.hostPtr() + 100, 3);
  expect_iota(a, 100, 3);
  set_on_device(b.devicePtr(), 100, 4);
  expect_iota(b, 100, 4);
  set_on_device(c.ptr(), 100, 5);
  expect_iota(c, 100, 5);
  EXPECT_EQ(d.size(), 0u);
}

TEST(HemiArray, ReadingWhatNobodyWroteIsAnError) {
  const Array<int> x(10);
  EXPECT_THROW((void)x.readOnlyHostPtr(), amphi::memory_error);
  EXPECT_THROW((void)x.readOnlyDevicePtr(), amphi::memory_error);
  EXPECT_THROW((void)x.readOnlyPtr(), amphi::memory_error);
  int to[10];
  EXPECT_THROW(x.copyToHost(to, 10), amphi::memory_error);
  EXPECT_THROW(Array<int>(-1), amphi::memory_error);
  EXPECT_THROW((Array<int>(static_cast<int*>(nullptr), 5)), amphi::memory_error);
}

TEST(HemiArray, WritingAgainOnOneSideKeepsWhatIsThere) {
  Array<int> bins(10);
  std::fill_n(bins.writeOnlyHostPtr(), 10, 0);
  (void)bins.readOnlyDevicePtr();
  (void)bins.devicePtr();
  for (int pass = 1; pass <= 2; ++pass) {
    for (int k = 0; k < 100; ++k) add_on_device(bins.writeOnlyDevicePtr(), 10, 1);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(bins.readOnlyHostPtr()[i], 100 * pass);
  }
}

TEST(HemiArray, CopiesFromTheHostTakeOverTheSize) {
  std::vector<int> from(300);
  std::iota(from.begin(), from.end(), 7);
  Array<int> x(100);
  x.copyFromHost(from.data(), 100);
  expect_iota(x, 100, 7);
  x.copyFromHost(from.data(), 300);
  expect_iota(x, 300, 7);
  set_on_device(x.devicePtr(), 300, 1);
  x.copyFromHost(from.data(), 5);
  expect_iota(x, 5, 7);
  add_on_device(x.devicePtr(), 5, 1);
  x.copyFromHost(from.data(), 5);
  expect_iota(x, 5, 7);
  x.copyFromHost(nullptr, 0);
  EXPECT_EQ(x.size(), 0u);
}

TEST(HemiArray, CopiesToTheHost) {
  Array<int> x(100);
  set_on_device(x.devicePtr(), 100, 3);
  std::vector<int> to(101, -1);
  x.copyToHost(to.data(), 60);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(to[static_cast<std::size_t>(i)], 3 + i);
  EXPECT_EQ(to[60], -1);
  EXPECT_THROW(x.copyToHost(to.data(), 101), amphi::bounds_error);
  EXPECT_THROW(x.copyToDevice(to.data(), 101), amphi::bounds_error);
}

TEST(HemiArray, CopiesOnTheDevice) {
  Array<int> x(100), y(7);
  set_on_device(x.devicePtr(), 100, 3);
  y.copyFromDevice(x.readOnlyDevicePtr(), 100);
  expect_iota(y, 100, 3);
  y.copyFromDevice(x.readOnlyDevicePtr(), 20);
  expect_iota(y, 20, 3);

  auto* raw = static_cast<int*>(amphi::allocate(100 * sizeof(int), amphi::memory_space::device));
  set_on_device(raw, 100, 1000);
  x.copyToDevice(raw, 50);
  y.copyFromDevice(raw, 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(y.readOnlyHostPtr()[i], (i < 50 ? 3 : 1000) + i);
  amphi::deallocate(raw, amphi::memory_space::device);
}

TEST(HemiArray, ForeignMemoryIsUsedAndNeverFreed) {
  std::vector<int> mine(50);
  std::iota(mine.begin(), mine.end(), 0);
  {
    Array<int> x(mine.data(), mine.size());
    EXPECT_EQ(x.size(), 50u);
    add_on_device(x.devicePtr(), 50, 1);
    EXPECT_EQ(x.readOnlyHostPtr(), mine.data());
    EXPECT_EQ(mine[49], 50);
    x.copyFromHost(std::vector<int>(50, 4).data(), 50);
    EXPECT_EQ(mine[49], 4);

    Array<int> copy = x;  // owns memory of its own
    EXPECT_NE(copy.readOnlyHostPtr(), mine.data());
    Array<int> moved = std::move(x);
    EXPECT_EQ(moved.readOnlyHostPtr(), mine.data());

    const std::vector<int> more(200, 9);
    moved.copyFromHost(more.data(), 200);
    EXPECT_EQ(moved.size(), 200u);
    EXPECT_EQ(moved.readOnlyHostPtr()[199], 9);
    EXPECT_EQ(mine[49], 4) << "another size takes other memory";
  }
  EXPECT_EQ(std::accumulate(mine.begin(), mine.end(), 0), 200);
}

TEST(HemiArray, CopiesMovesAndSwapsWithDataOnTheDevice) {
  Array<int> x(64);
  set_on_device(x.devicePtr(), 64, 5);
  Array<int> copy = x;
  add_on_device(copy.devicePtr(), 64, 1);
  expect_iota(x, 64, 5);
  expect_iota(copy, 64, 6);

  set_on_device(x.devicePtr(), 64, 8);
  Array<int>& self = x;
  x = self;
  expect_iota(x, 64, 8);
  set_on_device(x.devicePtr(), 64, 9);
  x = std::move(self);
  expect_iota(x, 64, 9);

  set_on_device(x.devicePtr(), 64, 10);
  std::swap(x, copy);
  expect_iota(x, 64, 6);
  expect_iota(copy, 64, 10);

  Array<int> moved = std::move(x);
  EXPECT_EQ(x.size(), 0u);
  expect_iota(moved, 64, 6);
  x = moved;
  expect_iota(x, 64, 6);

  const Array<int> unwritten(3);
  Array<int> also = unwritten;
  EXPECT_EQ(also.size(), 3u);
  EXPECT_THROW((void)also.readOnlyHostPtr(), amphi::memory_error);

  std::vector<Array<int>> many;
  for (int i = 0; i < 20; ++i) {
    many.emplace_back(16);
    set_on_device(many.back().devicePtr(), 16, i);
  }
  for (int i = 0; i < 20; ++i) expect_iota(many[static_cast<std::size_t>(i)], 16, i);
}

TEST(HemiArray, SeveralThreadsMayRead) {
  Array<int> x(1000);
  set_on_device(x.devicePtr(), 1000, 1);
  std::vector<std::thread> readers;
  std::vector<long> sums(8);
  for (std::size_t t = 0; t < 8; ++t)
    readers.emplace_back([&, t] {
      for (int k = 0; k < 20; ++k) {
        (void)x.readOnlyDevicePtr();
        sums[t] = std::accumulate(x.readOnlyHostPtr(), x.readOnlyHostPtr() + 1000, 0L);
      }
    });
  for (auto& t : readers) t.join();
  for (long s : sums) EXPECT_EQ(s, 500500);
}

struct HEMI_ALIGN(16) Vec {
  float x, y, z, w;
  HEMI_DEV_CALLABLE_INLINE_MEMBER Vec() {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER Vec(const Vec& v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  HEMI_DEV_CALLABLE_INLINE_MEMBER Vec& operator=(const Vec& v) {
    x = v.x, y = v.y, z = v.z, w = v.w;
    return *this;
  }
};

void number(Vec* v, int n) {
  hemi::parallel_for(0, n, [=] HEMI_LAMBDA(int i) {
    Vec one;
    one.x = static_cast<float>(i);
    one.y = one.z = 0;
    one.w = 1;
    v[i] = one;
  });
}

TEST(HemiArray, ElementsWithConstructors) {
  Array<Vec> x(100, true);
  number(x.writeOnlyDevicePtr(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(x.readOnlyHostPtr()[i].x, static_cast<float>(i));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.readOnlyHostPtr()) % 16, 0u);
}

}  // namespace
