// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/grid_stride_range.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;
using amphi::grid_stride_range;

// Counts each visit; the last counter takes what lies outside the range.
template <class A, class B>
struct count_range {
  A first;
  B last;
  unsigned* counts;
  std::uint64_t n;

  AMPHI_HOST_DEVICE void operator()() const {
    using T = std::common_type_t<A, B>;
    for (auto i : grid_stride_range(first, last)) {
      static_assert(std::is_same_v<decltype(i), T>);
      const auto k = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(static_cast<T>(first));
      count_visit(&counts[k < n ? k : n]);
    }
  }
};

template <class A, class B, class Step>
struct count_stepped_range {
  A first;
  B last;
  Step step;
  unsigned* counts;
  std::uint64_t n;

  AMPHI_HOST_DEVICE void operator()() const {
    using T = std::common_type_t<A, B>;
    const auto s = static_cast<std::uint64_t>(step);
    for (auto i : grid_stride_range(first, last, step)) {
      const auto k = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(static_cast<T>(first));
      count_visit(&counts[k % s == 0 && k / s < n ? k / s : n]);
    }
  }
};

std::vector<unsigned> each_once(std::uint64_t n) {
  std::vector<unsigned> expected(n + 1, 1u);
  expected[n] = 0;
  return expected;
}

// Each of the n indices of [first, last) is visited once, on every path.
template <class A, class B>
void expect_each_once(A first, B last, std::uint64_t n) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<unsigned> counts(n + 1);
    amphi::launch(p.policy, count_range<A, B>{first, last, counts.data(), n});
    ASSERT_TRUE(same_bits(counts.on_host(), each_once(n)));
  }
}

template <class A, class B, class Step>
void expect_steps(A first, B last, Step step, std::uint64_t n) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<unsigned> counts(n + 1);
    amphi::launch(p.policy, count_stepped_range<A, B, Step>{first, last, step, counts.data(), n});
    ASSERT_TRUE(same_bits(counts.on_host(), each_once(n)));
  }
}

TEST(grid_stride_range, visits_each_index_once_whatever_the_size) {
  for (int n : sizes()) {
    SCOPED_TRACE(n);
    expect_each_once(0, n, static_cast<std::uint64_t>(n));
  }
}

TEST(grid_stride_range, takes_bounds_of_mixed_types) {
  expect_each_once(0, std::size_t{10}, 10);
  expect_each_once(0, 10u, 10);
  expect_each_once(short{0}, 10LL, 10);
  expect_each_once(std::uint8_t{3}, short{300}, 297);
  expect_each_once(-5, 5LL, 10);
  expect_each_once(-100L, 200u, 300);
  expect_each_once('a', 'z', 25);
}

TEST(grid_stride_range, ends_at_the_end_of_the_type) {
  constexpr int imax = std::numeric_limits<int>::max();
  expect_each_once(imax - 1000, imax, 1000);
  expect_each_once(std::uint8_t{250}, std::uint8_t{255}, 5);
  expect_each_once(std::int8_t{120}, std::int8_t{127}, 7);
  expect_each_once(SIZE_MAX - 777, SIZE_MAX, 777);
  expect_each_once(UINT32_MAX - 777, UINT32_MAX, 777);
  expect_each_once(INT64_MAX - 777, INT64_MAX, 777);
  expect_each_once(INT64_MIN, INT64_MIN + 777, 777);
  expect_each_once(std::numeric_limits<int>::min(), std::numeric_limits<int>::min() + 777, 777);
}

TEST(grid_stride_range, covers_whole_narrow_types) {
  expect_each_once(std::int8_t{-128}, std::int8_t{127}, 255);
  expect_each_once(std::uint8_t{0}, std::uint8_t{255}, 255);
  expect_each_once(short{-32768}, short{32767}, 65535);
  expect_each_once(std::uint16_t{0}, std::uint16_t{65535}, 65535);
}

TEST(grid_stride_range, is_empty_when_empty_or_reversed) {
  expect_each_once(0, 0, 0);
  expect_each_once(5, 5, 0);
  expect_each_once(7, 3, 0);
  expect_each_once(0, -1000000, 0);
  expect_each_once(INT64_MAX, INT64_MIN, 0);
  expect_each_once(7u, 3u, 0);
  expect_each_once(0, 10, 10);  // the next launch works
}

template <class T>
struct sum_indices {
  T last;
  long long* out;
  AMPHI_HOST_DEVICE void operator()() const {
    long long sum = 0;
    for (auto i : grid_stride_range(T{0}, last)) sum += i;
#if AMPHI_DEVICE_CODE
    atomicAdd(reinterpret_cast<unsigned long long*>(out), static_cast<unsigned long long>(sum));
#else
    __atomic_fetch_add(out, sum, __ATOMIC_RELAXED);
#endif
  }
};

template <class T>
void expect_sum(T last, long long expected) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<long long> out(1);
    amphi::launch(p.policy, sum_indices<T>{last, out.data()});
    EXPECT_EQ(out.on_host()[0], expected);
  }
}

TEST(grid_stride_range, sums_narrow_types) {
  expect_sum(short{1024}, 523776);
  expect_sum(static_cast<unsigned char>(255), 32385);
  expect_sum(static_cast<signed char>(127), 8001);
  expect_sum(100000LL, 4999950000);
}

TEST(grid_stride_range, takes_a_step) {
  expect_steps(0, 10, 3, 4);
  expect_steps(0, 9, 3, 3);
  expect_steps(-7, 1000, 13u, 78);
  expect_steps(0, 1, INT64_MAX, 1);
  expect_steps(5, 3, 2, 0);
  expect_steps(0, 100003, 1, 100003);
  expect_steps(std::uint8_t{0}, std::uint8_t{255}, 50, 6);
  expect_steps(std::int8_t{-128}, std::int8_t{127}, 100LL, 3);
  expect_steps(std::uint8_t{1}, std::uint8_t{255}, 1000, 1);
}

TEST(grid_stride_range, spans_more_than_half_of_a_type_in_large_steps) {
  expect_steps(INT64_MIN, INT64_MAX, std::int64_t{1} << 60, 16);
  expect_steps(std::uint64_t{0}, UINT64_MAX, std::uint64_t{1} << 60, 16);
  expect_steps(INT32_MIN, INT32_MAX, 1 << 20, 4096);
  expect_steps(0u, UINT32_MAX, 1u << 20, 4096);
  expect_steps(0LL, 1LL << 45, 1LL << 33, 4096);
}

// Where the first two visits of each thread lie in a range beyond 2^31 indices.
struct first_visits {
  long long first, last;
  long long* out;
  AMPHI_HOST_DEVICE void operator()() const {
    const auto t = amphi::global_thread_index();
    int k = 0;
    for (auto i : grid_stride_range(first, last)) {
      out[2 * t + k] = i;
      if (++k == 2) break;
    }
  }
};

TEST(grid_stride_range, spreads_more_than_32_bits_of_indices) {
  constexpr long long first = -3, n = (1LL << 40) + 5;
  constexpr int threads = 6 * 64;
  for (const backend b : {backend::automatic, backend::cpu}) {
    shared_data<long long> out(2 * threads, -1);
    amphi::launch({.grid = 6, .block = 64, .backend = b}, first_visits{first, first + n, out.data()});
    const auto got = out.on_host();
    for (int t = 0; t < threads; ++t) {
      ASSERT_EQ(got[static_cast<std::size_t>(2 * t)], first + t);
      ASSERT_EQ(got[static_cast<std::size_t>(2 * t + 1)], first + t + threads);
    }
  }
}

TEST(grid_stride_range, gives_workers_contiguous_chunks_of_equal_size) {
  constexpr long long first = 1000, n = (1LL << 40) + 5;
  constexpr int workers = 7;
  shared_data<long long> out(2 * workers, -1);
  amphi::launch({.backend = backend::cpu, .workers = workers}, first_visits{first, first + n, out.data()});
  const auto got = out.on_host();
  long long next = first;
  for (std::size_t w = 0; w < workers; ++w) {
    EXPECT_EQ(got[2 * w], next) << "worker " << w;
    EXPECT_EQ(got[2 * w + 1], next + 1) << "worker " << w;
    next += n / workers + (static_cast<long long>(w) < n % workers ? 1 : 0);
  }
  EXPECT_EQ(next, first + n);
}

TEST(grid_stride_range, outside_a_launch_is_the_whole_range_in_order) {
  std::vector<int> got;
  for (int i : grid_stride_range(-3, 4)) got.push_back(i);
  EXPECT_EQ(got, (std::vector<int>{-3, -2, -1, 0, 1, 2, 3}));
  got.clear();
  for (int i : grid_stride_range(0, 10, 4)) got.push_back(i);
  EXPECT_EQ(got, (std::vector<int>{0, 4, 8}));
}

TEST(grid_stride_range, refuses_a_negative_bound_beside_an_unsigned_one) {
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([] { grid_stride_range(-1, 10u); }),
                   {"negative", "unsigned", "signed type"}));
  EXPECT_THROW(grid_stride_range(std::size_t{10}, -1), amphi::bounds_error);
  EXPECT_THROW(grid_stride_range(-1LL, UINT64_MAX), amphi::bounds_error);
  EXPECT_NO_THROW(grid_stride_range(-1, std::uint8_t{10})) << "int holds both";
  EXPECT_NO_THROW(grid_stride_range(-1LL, 10u)) << "long long holds both";
}

TEST(grid_stride_range, refuses_a_step_below_one) {
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([] { grid_stride_range(0, 10, 0); }), {"step", "1 or more"}));
  EXPECT_THROW(grid_stride_range(0, 10, -2), amphi::bounds_error);
  EXPECT_THROW(grid_stride_range(10, 0, 0u), amphi::bounds_error) << "also where the range is empty";
}

// The same in a launch: the CPU throws at once, a GPU at the next synchronisation.
TEST(grid_stride_range, reports_bad_bounds_of_a_launch) {
  for (const path& p :
       {path{"automatic", {}}, path{"cpu", {.grid = 3, .block = 2, .backend = backend::cpu}}}) {
    SCOPED_TRACE(p.name);
    shared_data<unsigned> counts(11);
    const std::string text = message_of<amphi::bounds_error>([&] {
      amphi::launch(p.policy, count_range<int, unsigned>{-1, 10u, counts.data(), 10});
      amphi::synchronize();
    });
    // All threads fail; which one is first is open on a GPU.
    EXPECT_TRUE(says(text, {"negative", "block (", "thread ("}));
    if (p.policy.backend == backend::cpu) {
      EXPECT_TRUE(says(text, {"block (0, 0, 0), thread (0, 0, 0)"}));
    }
    EXPECT_TRUE(same_bits(counts.on_host(), std::vector<unsigned>(11, 0u)));
  }
}

}  // namespace
