// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/grid_stride_box.hpp"

#include <cstdint>

#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;
using amphi::box2;
using amphi::box3;
using amphi::extent2;
using amphi::extent3;
using amphi::grid_stride_range;

// Counts visits of the elements of a box that starts at (x0, y0, z0); the last counter takes strays.
template <class Space>
struct count_box {
  Space space;
  amphi::index3 first;
  extent3 extent;
  unsigned* counts;

  AMPHI_HOST_DEVICE void count(std::int64_t x, std::int64_t y, std::int64_t z) const {
    x -= first.x, y -= first.y, z -= first.z;
    const bool inside = x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z;
    count_visit(&counts[inside ? (z * extent.y + y) * extent.x + x : extent.size()]);
  }
  AMPHI_HOST_DEVICE void operator()() const {
    if constexpr (std::is_same_v<Space, extent2> || std::is_same_v<Space, box2>) {
      for (auto [x, y] : grid_stride_range(space)) count(x, y, 0);
    } else {
      for (auto [x, y, z] : grid_stride_range(space)) count(x, y, z);
    }
  }
};

template <class Space>
void expect_each_once(const Space& space, amphi::index3 first, extent3 extent) {
  const auto n = static_cast<std::size_t>(extent.size());
  std::vector<unsigned> expected(n + 1, 1u);
  expected[n] = 0;
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<unsigned> counts(n + 1);
    amphi::launch(p.policy, count_box<Space>{space, first, extent, counts.data()});
    ASSERT_TRUE(same_bits(counts.on_host(), expected));
  }
}

void expect_extent2(std::int64_t nx, std::int64_t ny) {
  SCOPED_TRACE(testing::Message() << nx << " x " << ny);
  expect_each_once(extent2(nx, ny), {0, 0, 0}, {nx, ny, 1});
  expect_each_once(box2{{-3, 7}, {nx - 3, ny + 7}}, {-3, 7, 0}, {nx, ny, 1});
}

void expect_extent3(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  SCOPED_TRACE(testing::Message() << nx << " x " << ny << " x " << nz);
  expect_each_once(extent3(nx, ny, nz), {0, 0, 0}, {nx, ny, nz});
  expect_each_once(box3{{5, -9, 1}, {nx + 5, ny - 9, nz + 1}}, {5, -9, 1}, {nx, ny, nz});
}

TEST(grid_stride_box, visits_each_element_of_a_rectangle_once) {
  expect_extent2(1, 1);
  expect_extent2(33, 1);
  expect_extent2(1, 33);
  expect_extent2(5, 7);
  expect_extent2(256, 3);
  expect_extent2(100003, 2);
  expect_extent2(2, 100003);
  expect_extent2(1001, 999);
}

TEST(grid_stride_box, visits_each_element_of_a_box_once) {
  expect_extent3(1, 1, 1);
  expect_extent3(33, 1, 1);
  expect_extent3(1, 33, 1);
  expect_extent3(1, 1, 33);
  expect_extent3(5, 7, 3);
  expect_extent3(101, 99, 98);
}

TEST(grid_stride_box, is_empty_where_the_box_is) {
  expect_each_once(extent2(0, 5), {}, {0, 5, 1});
  expect_each_once(extent2(5, -1), {}, {5, 0, 1});
  expect_each_once(extent2(-2, -3), {}, {0, 0, 1});
  expect_each_once(extent3(3, 3, 0), {}, {3, 3, 0});
  expect_each_once(extent3(-3, 3, -1), {}, {0, 0, 0});
  expect_each_once(box2{{4, 4}, {1, 8}}, {}, {0, 4, 1});
  expect_each_once(box3{{0, 0, 0}, {4, 4, 0}}, {}, {4, 4, 0});
}

TEST(grid_stride_box, has_x_fastest_outside_a_launch) {
  std::vector<std::int64_t> got;
  for (auto [x, y] : grid_stride_range(box2{{10, 20}, {13, 22}})) got.push_back(100 * x + y);
  EXPECT_EQ(got, (std::vector<std::int64_t>{1020, 1120, 1220, 1021, 1121, 1221}));
  got.clear();
  for (auto [x, y, z] : grid_stride_range(extent3(2, 1, 2))) got.push_back(100 * x + 10 * y + z);
  EXPECT_EQ(got, (std::vector<std::int64_t>{0, 100, 1, 101}));
}

// The first element of each participant of a box with more than 2^32 elements.
struct first_elements {
  extent3 extent;
  std::int64_t* out;
  AMPHI_HOST_DEVICE void operator()() const {
    const auto t = amphi::global_thread_index();
    for (auto [x, y, z] : grid_stride_range(extent)) {
      out[3 * t] = x, out[3 * t + 1] = y, out[3 * t + 2] = z;
      break;
    }
  }
};

TEST(grid_stride_box, gives_whole_rows_to_workers) {
  const extent3 extent(100000, 300000, 5);
  constexpr std::int64_t workers = 7;
  shared_data<std::int64_t> out(3 * workers, -1);
  amphi::launch({.backend = backend::cpu, .workers = workers}, first_elements{extent, out.data()});
  const auto got = out.on_host();
  std::int64_t row = 0;
  for (std::size_t w = 0; w < workers; ++w) {
    EXPECT_EQ(got[3 * w], 0);
    EXPECT_EQ(got[3 * w + 1], row % extent.y);
    EXPECT_EQ(got[3 * w + 2], row / extent.y);
    row += extent.y * extent.z / workers +
           (static_cast<std::int64_t>(w) < extent.y * extent.z % workers ? 1 : 0);
  }
}

TEST(grid_stride_box, reaches_far_corners_of_huge_boxes) {
  const extent3 extent(std::int64_t{1} << 40, 3, 5);  // 32-bit divisions do not do
  for (const backend where : {backend::automatic, backend::cpu}) {
    shared_data<std::int64_t> out(3 * 64, -1);
    amphi::launch({.grid = 2, .block = 32, .backend = where}, first_elements{extent, out.data()});
    const auto got = out.on_host();
    for (std::size_t t = 0; t < 64; ++t) {
      EXPECT_EQ(got[3 * t], static_cast<std::int64_t>(t));
      EXPECT_EQ(got[3 * t + 1], 0);
      EXPECT_EQ(got[3 * t + 2], 0);
    }
  }
}

// With two threads, the last step of a row leads into the next one, whatever the remainders.
TEST(grid_stride_box, wraps_from_row_to_row_with_every_stride) {
  for (std::int64_t nx : {1, 2, 3, 5, 8})
    for (std::int64_t ny : {1, 2, 3, 4})
      for (std::int64_t nz : {1, 2, 3})
        for (int threads = 1; threads <= 13; ++threads) {
          const extent3 extent(nx, ny, nz);
          const auto n = static_cast<std::size_t>(extent.size());
          std::vector<unsigned> expected(n + 1, 1u);
          expected[n] = 0;
          shared_data<unsigned> counts(n + 1);
          amphi::launch({.grid = 1, .block = threads},
                        count_box<extent3>{extent, {0, 0, 0}, extent, counts.data()});
          ASSERT_TRUE(same_bits(counts.on_host(), expected))
              << nx << ' ' << ny << ' ' << nz << ' ' << threads;
        }
}

}  // namespace
