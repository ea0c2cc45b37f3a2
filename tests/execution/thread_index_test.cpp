// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/thread_index.hpp"

#include <cstdint>

#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;
using amphi::extent3;
using amphi::launch_index;

struct place {
  launch_index thread, block, block_extent, grid_extent;
  std::int64_t rank, count;
  friend bool operator==(const place&, const place&) = default;
};

AMPHI_LAUNCHABLE void write_place(place* out) {
  out[amphi::global_thread_index()] = {amphi::thread_index(),        amphi::block_index(),
                                       amphi::block_extent(),        amphi::grid_extent(),
                                       amphi::global_thread_index(), amphi::global_thread_count()};
}

launch_index narrow(const extent3& e) {
  return {static_cast<std::uint32_t>(e.x), static_cast<std::uint32_t>(e.y), static_cast<std::uint32_t>(e.z)};
}

// Six nested loops: blocks, then threads, x fastest.
std::vector<place> by_counting(const extent3& grid, const extent3& block) {
  std::vector<place> places;
  const launch_index g = narrow(grid), b = narrow(block);
  for (std::uint32_t bz = 0; bz < g.z; ++bz)
    for (std::uint32_t by = 0; by < g.y; ++by)
      for (std::uint32_t bx = 0; bx < g.x; ++bx)
        for (std::uint32_t tz = 0; tz < b.z; ++tz)
          for (std::uint32_t ty = 0; ty < b.y; ++ty)
            for (std::uint32_t tx = 0; tx < b.x; ++tx)
              places.push_back({{tx, ty, tz},
                                {bx, by, bz},
                                b,
                                g,
                                static_cast<std::int64_t>(places.size()),
                                grid.size() * block.size()});
  return places;
}

TEST(thread_index, counts_as_in_cuda) {
  const extent3 grids[] = {1, 7, {1, 5}, {2, 3, 4}, {1, 1, 9}};
  const extent3 blocks[] = {1, 33, {1, 5}, {4, 3, 2}, {1, 1, 64}, {16, 64}, 1024};
  for (const backend where : {backend::automatic, backend::cpu})
    for (const extent3& grid : grids)
      for (const extent3& block : blocks)
        for (const auto& order :
             {amphi::thread_order::forward, amphi::thread_order::reverse, amphi::thread_order::random(7)}) {
          shared_data<place> out(static_cast<std::size_t>(grid.size() * block.size()));
          amphi::launch<write_place>({.grid = grid, .block = block, .backend = where, .order = order},
                                     out.data());
          ASSERT_TRUE(out.on_host() == by_counting(grid, block))
              << "grid " << grid.x << ',' << grid.y << ',' << grid.z << " block " << block.x << ',' << block.y
              << ',' << block.z;
        }
}

TEST(thread_index, outside_a_launch_is_the_only_thread) {
  EXPECT_EQ(amphi::thread_index(), launch_index{});
  EXPECT_EQ(amphi::block_index(), launch_index{});
  EXPECT_EQ(amphi::block_extent(), (launch_index{1, 1, 1}));
  EXPECT_EQ(amphi::grid_extent(), (launch_index{1, 1, 1}));
  EXPECT_EQ(amphi::global_thread_index(), 0);
  EXPECT_EQ(amphi::global_thread_count(), 1);
}

TEST(thread_index, is_a_worker_of_an_automatic_launch) {
  constexpr int workers = 5;
  shared_data<place> out(workers);
  amphi::launch<write_place>({.backend = backend::cpu, .workers = workers}, out.data());
  EXPECT_TRUE(out.on_host() == by_counting(workers, 1));
}

TEST(thread_index, comes_back_after_a_launch) {
  shared_data<place> out(2 * 3);
  amphi::launch<write_place>({.grid = 2, .block = 3, .backend = backend::cpu, .workers = 1}, out.data());
  EXPECT_EQ(amphi::thread_index(), launch_index{});
  EXPECT_EQ(amphi::block_index(), launch_index{});
  EXPECT_EQ(amphi::global_thread_count(), 1);
}

TEST(thread_index, counts_ranks_beyond_32_bits) {
  EXPECT_EQ(amphi::detail::linear64({0, 65534, 65534}, {2147483647, 65535, 65535}),
            std::int64_t{2147483647} * 65536 * 65534);
  EXPECT_EQ(amphi::detail::size64({2147483647, 65535, 2}), std::int64_t{2147483647} * 65535 * 2);
}

}  // namespace
