// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "hemi/parallel_for.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "hemi/array.h"

namespace {

// Free functions: nvcc takes no lambda with a mark inside a test's body.
template <class A, class B>
void count(const hemi::ExecutionPolicy& p, A first, B last, int* visits) {
  hemi::parallel_for(p, first, last,
                     [=] HEMI_LAMBDA(long long i) { visits[i - static_cast<long long>(first)] += 1; });
}

template <class A, class B>
void count(A first, B last, int* visits) {
  hemi::parallel_for(first, last,
                     [=] HEMI_LAMBDA(long long i) { visits[i - static_cast<long long>(first)] += 1; });
}

// Every index of [first, first + n) once, and nothing beside.
template <class Run>
void expect_once(std::size_t n, Run run) {
  hemi::Array<int> visits(n + 1);
  for (std::size_t i = 0; i <= n; ++i) visits.writeOnlyHostPtr()[i] = 0;
  run(visits.devicePtr());
  const int* v = visits.readOnlyHostPtr();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(v[i], 1) << i << " of " << n;
  EXPECT_EQ(v[n], 0);
}

TEST(ParallelFor, EachIndexOnce) {
  for (int n : {1, 31, 32, 33, 255, 256, 257, 100003}) {
    expect_once(static_cast<std::size_t>(n), [=](int* v) { count(0, n, v); });
    expect_once(static_cast<std::size_t>(n), [=](int* v) { count(-5, n - 5, v); });
  }
}

TEST(ParallelFor, MixedAndNarrowTypes) {
  expect_once(10, [](int* v) { count(0, std::size_t{10}, v); });
  expect_once(10, [](int* v) { count(0, 10u, v); });
  expect_once(10, [](int* v) { count(short{0}, 10LL, v); });
  expect_once(1024, [](int* v) { count(short{0}, short{1024}, v); });
  expect_once(255, [](int* v) { count(static_cast<unsigned char>(0), static_cast<unsigned char>(255), v); });
}

TEST(ParallelFor, EndsAtTheEndOfTheType) {
  expect_once(1000, [](int* v) { count(INT_MAX - 1000, INT_MAX, v); });
  expect_once(5, [](int* v) { count(std::uint8_t{250}, std::uint8_t{255}, v); });
  expect_once(7, [](int* v) { count(std::int8_t{120}, std::int8_t{127}, v); });
}

TEST(ParallelFor, EmptyAndReversedRangesDoNothing) {
  expect_once(0, [](int* v) {
    count(0, 0, v);
    count(5, 5, v);
    count(7, 3, v);
    count(hemi::ExecutionPolicy(1, 32, 0), 7, 3, v);
  });
}

TEST(ParallelFor, AnyPolicy) {
  for (int grid : {0, 1, 7}) {
    for (int block : {0, 1, 64, 1000}) {
      hemi::ExecutionPolicy p;
      p.setGridSize(grid);
      p.setBlockSize(block);
      p.setMaxBlockSize(128);
      expect_once(3001, [&](int* v) { count(p, 0, 3001, v); });
    }
  }
}

TEST(ParallelFor, HostThreadsMakeNoDifference) {
  for (int threads : {1, 2, 5, 0}) {
    hemi::setHostThreads(threads);
    expect_once(777, [](int* v) { count(0, 777, v); });
    expect_once(777, [](int* v) { count(hemi::ExecutionPolicy(3, 32, 0), 0, 777, v); });
  }
}

TEST(ParallelFor, BadGeometryIsAnError) {
  int never = 0;
  hemi::ExecutionPolicy p;
  p.setBlockSize(10000);
  EXPECT_THROW(count(p, 0, 100, &never), amphi::launch_error);
  p = hemi::ExecutionPolicy();
  p.setSharedMemBytes(1000000);
  EXPECT_THROW(count(p, 0, 100, &never), amphi::launch_error);
  p = hemi::ExecutionPolicy();
  p.setGridSize(-1);
  EXPECT_THROW(count(p, 0, 100, &never), amphi::launch_error);
  EXPECT_THROW(count(-1, 10u, &never), amphi::bounds_error);
  EXPECT_EQ(never, 0);
}

#if defined(HEMI_HOST_COMPILER)
TEST(ParallelFor, ExceptionsReachTheCaller) {
  EXPECT_THROW(hemi::parallel_for(0, 1000,
                                  [](int i) {
                                    if (i == 37) throw std::runtime_error("37");
                                  }),
               std::runtime_error);
}

TEST(ParallelFor, CapturesOfAnyKindOnTheHost) {
  std::vector<int> x(100, 1);
  hemi::parallel_for(0, 100, [&](int i) { x[static_cast<std::size_t>(i)] += i; });
  for (int i = 0; i < 100; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)], 1 + i);
}
#endif

HEMI_KERNEL_FUNCTION(steps, int* out) {
  int total = 0;
  for (auto i : range(0, 10)) total += i;
  for (int i : range(0, 100).step(30)) total += 100 * i;
  for (auto i : util::lang::range(250u, 255u)) total += static_cast<int>(i);
  if (hemi::globalThreadIndex() == 0) *out = total;
}

TEST(ParallelFor, RangesOfHemi) {
  hemi::Array<int> out(1);
  hemi::launch(steps(), out.writeOnlyDevicePtr());
  EXPECT_EQ(*out.readOnlyHostPtr(), 45 + 100 * (30 + 60 + 90) + 250 + 251 + 252 + 253 + 254);
  static_assert(std::is_same_v<step_range<int>, decltype(hemi::grid_stride_range(0, 1))>);
}

}  // namespace
