// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/parallel_for.hpp"

#include <cstdint>
#include <type_traits>

#include "amphi/core/error.hpp"
#include "amphi/runtime/launch_observer.hpp"
#include "support/paths.hpp"

using namespace amphi_test;
using amphi::box2;
using amphi::box3;
using amphi::extent2;
using amphi::extent3;

namespace {

AMPHI_LAUNCHABLE void axpy_at(int i, float a, const float* x, float* y) { y[i] = a * x[i] + y[i]; }

AMPHI_LAUNCHABLE void count_at(std::int64_t i, unsigned* counts) noexcept { count_visit(&counts[i]); }

template <class T>
AMPHI_LAUNCHABLE void count_generic(T i, unsigned* counts, T first) {
  count_visit(&counts[i - first]);
}

struct count_body {
  unsigned* counts;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { count_visit(&counts[i]); }
};

void count_by_lambda(const policy& p, int n, unsigned* counts) {
  amphi::parallel_for(p, 0, n, [=] AMPHI_LAMBDA(int i) { count_visit(&counts[i]); });
}

std::vector<unsigned> ones(std::int64_t n) { return std::vector<unsigned>(static_cast<std::size_t>(n), 1u); }

template <class Launch>
void expect_each_once(std::int64_t n, const Launch& launch) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(testing::Message() << p.name << ", n = " << n);
    shared_data<unsigned> counts(static_cast<std::size_t>(n));
    launch(p.policy, counts.data());
    ASSERT_TRUE(same_bits(counts.on_host(), ones(n)));
  }
}

TEST(parallel_for, visits_each_index_once) {
  for (const int n : sizes()) {
    expect_each_once(n, [=](const policy& p, unsigned* c) { amphi::parallel_for<count_at>(p, 0, n, c); });
    expect_each_once(n, [=](const policy& p, unsigned* c) { amphi::parallel_for(p, 0, n, count_body{c}); });
    expect_each_once(n, [=](const policy& p, unsigned* c) { count_by_lambda(p, n, c); });
  }
}

TEST(parallel_for, needs_no_policy) {
  shared_data<unsigned> counts(1000);
  amphi::parallel_for<count_at>(0, 500, counts.data());
  amphi::parallel_for(500u, std::size_t{1000}, count_body{counts.data()});
  EXPECT_TRUE(same_bits(counts.on_host(), ones(1000)));
  amphi::parallel_for<count_at>({.workers = 2}, 0, 500, counts.data());
  amphi::parallel_for({.grid = 3, .block = 32}, 500, 1000, count_body{counts.data()});
  EXPECT_TRUE(same_bits(counts.on_host(), std::vector<unsigned>(1000, 2u)));
}

TEST(parallel_for, gives_equal_bits_on_every_path) {
  for (const int n : {1, 257, 100003}) {
    std::vector<float> x(static_cast<std::size_t>(n)), y(x.size()), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 1.0f / static_cast<float>(i + 3), y[i] = static_cast<float>(i % 13) / 7.0f;
      expected[i] = 1.1f * x[i] + y[i];
    }
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name);
      shared_data<float> dx(x), dy(y);
      amphi::parallel_for<axpy_at>(p.policy, 0, n, 1.1, dx.data(), dy.data());
      ASSERT_TRUE(same_bits(dy.on_host(), expected));
    }
  }
}

template <class T>
void expect_type_end(T first, T last) {
  expect_each_once(static_cast<std::int64_t>(last - first), [=](const policy& p, unsigned* c) {
    amphi::parallel_for<count_generic<T>>(p, first, last, c, first);
  });
}

TEST(parallel_for, ends_at_the_end_of_the_type) {
  expect_type_end<int>(INT32_MAX - 1000, INT32_MAX);
  expect_type_end<std::uint8_t>(250, 255);
  expect_type_end<std::int8_t>(-128, 127);
  expect_type_end<std::size_t>(SIZE_MAX - 777, SIZE_MAX);
  expect_type_end<std::int64_t>(INT64_MIN, INT64_MIN + 777);
}

TEST(parallel_for, takes_indices_beyond_31_bits) {
  expect_type_end<std::int64_t>(INT64_C(1) << 31, (INT64_C(1) << 31) + 1000);
  expect_type_end<std::int64_t>(INT64_C(1) << 40, (INT64_C(1) << 40) + 1000);
  expect_type_end<unsigned>(3000000000u, 3000001000u);
}

struct ignore_element {
  template <class... Index>
  AMPHI_HOST_DEVICE void operator()(Index...) const {}
};

int launches = 0;

TEST(parallel_for, launches_nothing_for_empty_ranges) {
  amphi::set_launch_observer([](const amphi::launch_record&, void*) { ++launches; });
  launches = 0;
  amphi::parallel_for<count_at>(0, 0, nullptr);
  amphi::parallel_for<count_at>(7, 3, nullptr);
  amphi::parallel_for<count_at>(0, -5, nullptr);
  amphi::parallel_for({.grid = 3}, 0, -1000000, count_body{nullptr});
  amphi::parallel_for(extent2(0, 5), ignore_element{});
  amphi::parallel_for(box3{{0, 0, 4}, {9, 9, 4}}, ignore_element{});
  EXPECT_EQ(launches, 0);
  shared_data<unsigned> counts(10);
  amphi::parallel_for<count_at>(0, 10, counts.data());
  EXPECT_EQ(launches, 2) << "before and after";
  amphi::set_launch_observer(nullptr);
  EXPECT_TRUE(same_bits(counts.on_host(), ones(10)));
}

struct stopped {};
struct stop_at_once {
  template <class... I>
  AMPHI_HOST_DEVICE void operator()(I...) const {
#if !AMPHI_DEVICE_CODE
    throw stopped();
#endif
  }
};

TEST(parallel_for, refuses_a_negative_bound_beside_an_unsigned_one) {
  EXPECT_THROW(amphi::parallel_for<count_at>(-1, 10u, nullptr), amphi::bounds_error);
  EXPECT_THROW(amphi::parallel_for(std::size_t{5}, -1, count_body{nullptr}), amphi::bounds_error);
}

// Spaces whose number of elements, or one of whose sizes, 64 bits do not hold.
TEST(parallel_for, refuses_spaces_that_cannot_be_counted) {
  constexpr std::int64_t most = INT64_MAX, least = INT64_MIN, two32 = std::int64_t{1} << 32;
  const auto refuses = [](const auto& space) {
    for (const amphi::policy& p :
         {amphi::policy{}, amphi::serial, amphi::policy{.grid = 3, .block = 32}, amphi::policy{.workers = 3}})
      EXPECT_TRUE(
          says(message_of<amphi::bounds_error>([&] { amphi::parallel_for(p, space, stop_at_once{}); }),
               {"more than 9223372036854775807", "in parts"}));
    EXPECT_THROW((void)amphi::grid_stride_range(space), amphi::bounds_error);
  };
  refuses(extent2{two32, two32});
  refuses(extent2{two32, two32 / 2});  // 2^63
  refuses(extent2{most, 2});
  refuses(extent3{two32, two32, two32});
  refuses(extent3{1 << 22, 1 << 21, 1 << 21});  // 2^64
  refuses(extent3{3, most / 2, 1});
  refuses(box2{{least, 0}, {most, 1}});
  refuses(box2{{0, -1}, {1, most}});
  refuses(box3{{0, 0, least}, {1, 1, 0}});
  refuses(box3{{least, least, least}, {most, most, most}});
  // Those that fit begin to run; empty ones do not.
  const auto runs = [](const auto& space) {
    EXPECT_THROW(amphi::parallel_for({.backend = backend::cpu}, space, stop_at_once{}), stopped);
  };
  runs(extent2{most, 1});
  runs(extent2{1, most});
  runs(extent3{1 << 21, 1 << 21, (1 << 21) - 1});
  runs(box2{{least, 5}, {-1, 6}});
  runs(box3{{0, 1, 2}, {most, 2, 3}});
  const auto is_empty = [](const auto& space) {
    EXPECT_NO_THROW(amphi::parallel_for({.backend = backend::cpu}, space, stop_at_once{}));
  };
  is_empty(extent2{most, 0});
  is_empty(extent3{least, most, most});
  is_empty(box2{{least, 3}, {most, 3}});
  is_empty(box3{{most, 0, 0}, {least, 1, 1}});
}

// A body that changes itself: each thread has its own.
struct sum_body {
  long long sum;
  long long* out;
  AMPHI_HOST_DEVICE void operator()(int i) { out[i] = sum += i; }  // not const
};

TEST(parallel_for, takes_a_body_with_state) {
  for (const backend where : {backend::automatic, backend::cpu}) {
    shared_data<long long> out(100);
    sum_body body{0, out.data()};
    amphi::parallel_for({.grid = 1, .block = 1, .backend = where}, 0, 100, body);
    EXPECT_EQ(out.on_host()[99], 4950);
    EXPECT_EQ(body.sum, 0);
  }
}

// --- two and three dimensions
// ------------------------------------------------------------------------------------

AMPHI_LAUNCHABLE void mark2(std::int64_t x, std::int64_t y, amphi::index2 first, std::int64_t nx,
                            unsigned* counts) {
  count_visit(&counts[(y - first.y) * nx + x - first.x]);
}

AMPHI_LAUNCHABLE void mark3(int x, int y, int z, amphi::index3 first, extent3 e, unsigned* counts) noexcept {
  count_visit(&counts[((z - first.z) * e.y + y - first.y) * e.x + x - first.x]);
}

struct mark2_body {
  std::int64_t nx;
  unsigned* counts;
  AMPHI_HOST_DEVICE void operator()(std::int64_t x, std::int64_t y) const {
    count_visit(&counts[y * nx + x]);
  }
};

void mark_by_lambda(const policy& p, extent2 e, unsigned* counts) {
  const std::int64_t nx = e.x;
  amphi::parallel_for(p, e, [=] AMPHI_LAMBDA(int x, int y) { count_visit(&counts[y * nx + x]); });
}

void mark_by_lambda(const policy& p, extent3 e, unsigned* counts) {
  amphi::parallel_for(
      p, e, [=] AMPHI_LAMBDA(int x, int y, int z) { count_visit(&counts[(z * e.y + y) * e.x + x]); });
}

TEST(parallel_for, visits_each_element_of_a_rectangle_once) {
  for (const extent2 e : {extent2(1, 1), extent2(5, 7), extent2(1, 1000), extent2(1000, 1), extent2(257, 129),
                          extent2(0, 3), extent2(-3, -2)}) {
    SCOPED_TRACE(testing::Message() << e.x << " x " << e.y);
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) {
      amphi::parallel_for<mark2>(p, e, amphi::index2(0, 0), e.x, c);
    });
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) {
      amphi::parallel_for<mark2>(p, box2{{-4, 9}, {e.x - 4, e.y + 9}}, amphi::index2(-4, 9), e.x, c);
    });
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) {
      amphi::parallel_for(p, e, mark2_body{e.x, c});
    });
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) { mark_by_lambda(p, e, c); });
  }
}

TEST(parallel_for, visits_each_element_of_a_box_once) {
  for (const extent3 e :
       {extent3(1, 1, 1), extent3(5, 7, 3), extent3(1, 1, 100), extent3(65, 33, 17), extent3(3, 0, 3)}) {
    SCOPED_TRACE(testing::Message() << e.x << " x " << e.y << " x " << e.z);
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) {
      amphi::parallel_for<mark3>(p, e, amphi::index3(0, 0, 0), e, c);
    });
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) {
      amphi::parallel_for<mark3>(p, box3{{1, 2, -3}, {e.x + 1, e.y + 2, e.z - 3}}, amphi::index3(1, 2, -3), e,
                                 c);
    });
    expect_each_once(e.size(), [=](const policy& p, unsigned* c) { mark_by_lambda(p, e, c); });
  }
}

TEST(parallel_for, needs_no_policy_for_boxes) {
  shared_data<unsigned> counts(35);
  amphi::parallel_for<mark2>(extent2(7, 5), amphi::index2(0, 0), 7, counts.data());
  amphi::parallel_for(box2{{0, 0}, {7, 5}}, mark2_body{7, counts.data()});
  amphi::parallel_for({.block = {8, 4}}, extent2(7, 5), mark2_body{7, counts.data()});
  EXPECT_TRUE(same_bits(counts.on_host(), std::vector<unsigned>(35, 3u)));
}

}  // namespace
