// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/array2.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/core/vector.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "support/paths.hpp"

namespace {

using amphi::array2;
using amphi::extent2;
using amphi::view2;

static_assert(std::is_nothrow_move_constructible_v<array2<float>> &&
              !std::is_copy_constructible_v<array2<float>>);

AMPHI_LAUNCHABLE void number(int x, int y, view2<int> out) { out(x, y) = 1000 * y + x; }
AMPHI_LAUNCHABLE void transpose(int x, int y, view2<const int> in, view2<int> out) { out(x, y) = in(y, x); }

TEST(array2, has_rows_at_multiples_of_128_bytes) {
  const auto pitch = [](auto element, int nx) { return array2<decltype(element)>({nx, 3}).pitch(); };
  EXPECT_EQ(pitch(float{}, 1), 32);
  EXPECT_EQ(pitch(float{}, 32), 32);
  EXPECT_EQ(pitch(float{}, 33), 64);
  EXPECT_EQ(pitch(double{}, 33), 48);
  EXPECT_EQ(pitch(std::uint8_t{}, 129), 256);
  EXPECT_EQ(pitch(amphi::vec3<float>{}, 33), 64) << "12 bytes: 32 elements are 3 times 128 bytes";
  EXPECT_EQ(pitch(amphi::vec4<float>{}, 9), 16);
  array2<float> a({33, 5});
  EXPECT_EQ(a.size(), 165u);
  EXPECT_EQ(a.extent(), extent2(33, 5));
  for (const view2<float>& v : {a.write(), a.host_write()}) {
    EXPECT_EQ(v.pitch(), 64);
    EXPECT_EQ(v.extent(), extent2(33, 5));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.row(4).data()) % 64, 0u);
  }
}

TEST(array2, is_read_and_written_on_every_path) {
  constexpr int nx = 37, ny = 11;
  for (const amphi_test::path& path : amphi_test::all_paths()) {
    SCOPED_TRACE(path.name);
    const amphi::policy& p = path.policy;
    array2<int> in({nx, ny}), out({ny, nx});
    amphi::parallel_for<number>(p, in.extent(), in.write(p));
    amphi::parallel_for<transpose>(p, out.extent(), in.read(p), out.write(p));
    const view2<const int> result = out.host_read();
    for (int y = 0; y < nx; ++y)
      for (int x = 0; x < ny; ++x) ASSERT_EQ(result(x, y), 1000 * x + y);
  }
}

TEST(array2, starts_as_a_value_or_unwritten) {
  const array2<float> filled({3, 4}, 2.5f);
  EXPECT_EQ(filled.host_read()(2, 3), 2.5f);
  const array2<float> unwritten({3, 4});
  EXPECT_THROW((void)unwritten.read(), amphi::memory_error);
  const array2<float> none, flat({5, 0});
  EXPECT_TRUE(none.empty() && flat.empty());
  EXPECT_EQ(flat.host_read().extent(), extent2(5, 0));
}

TEST(array2, takes_a_pitch) {
  auto dense = array2<int>::with_pitch({5, 4}, 5);
  const view2<int> v = dense.host_write();
  for (int i = 0; i < 20; ++i) v(i % 5, i / 5) = i;
  EXPECT_EQ(dense.host_read().data()[19], 19);
  EXPECT_EQ(array2<int>::with_pitch({5, 4}, std::uint8_t{7}).pitch(), 7);
}

TEST(array2, copies_from_and_to_host_memory) {
  std::vector<int> v(7 * 4);
  std::iota(v.begin(), v.end(), 0);
  const view2<const int> from(v.data(), extent2{5, 4}, 7);
  array2<int> a({2, 2}, 1);
  a.copy_from(from);
  EXPECT_EQ(a.extent(), extent2(5, 4));
  EXPECT_EQ(a.host_read()(4, 3), 25);
  std::vector<int> w(6 * 4, -1);
  a.copy_to({w.data(), extent2{6, 4}});
  EXPECT_EQ(w[4], 4);
  EXPECT_EQ(w[5], -1);
  EXPECT_EQ(w[6 * 3 + 4], 25);
  const auto fails = [&](extent2 room) {
    return amphi_test::message_of<amphi::bounds_error>([&] { a.copy_to({w.data(), room}); });
  };
  EXPECT_TRUE(amphi_test::says(fails({4, 4}), {"room for 4 columns", "has 5"}));
  EXPECT_TRUE(amphi_test::says(fails({6, 3}), {"room for 3 rows", "has 4"}));
}

// Each part of a picture, copied into the array that it is a part of.
TEST(array2, copies_out_of_its_own_memory) {
  for (const std::int64_t nx : {1, 5, 33})
    for (const std::int64_t ny : {1, 4})
      for (const std::int64_t x0 : {0, 1, 6})
        for (const std::int64_t y0 : {0, 3}) {
          array2<int> a({40, 8}, amphi::memory_space::pageable);
          const view2<int> w = a.host_write();
          for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 40; ++x) w(x, y) = 100 * y + x;
          a.copy_from(a.host_read().subview({{x0, y0}, {x0 + nx, y0 + ny}}));
          ASSERT_EQ(a.extent(), extent2(nx, ny));
          EXPECT_EQ(a.pitch(), (nx + 31) / 32 * 32);
          const view2<const int> r = a.host_read();
          for (std::int64_t y = 0; y < ny; ++y)
            for (std::int64_t x = 0; x < nx; ++x) ASSERT_EQ(r(x, y), 100 * (y + y0) + x + x0);
        }
  array2<int> a({3, 3}, 1);
  a.copy_from(a.host_read());
  EXPECT_EQ(a.host_read()(2, 2), 1);
  EXPECT_THROW(a.copy_from(view2<const int>(a.host_read().data(), extent2{-1, 3})), amphi::memory_error);
  EXPECT_EQ(a.extent(), extent2(3, 3));
  EXPECT_EQ(a.host_read()(2, 2), 1);
}

TEST(array2, clones_moves_and_swaps) {
  array2<int> a({3, 3}, 1), b = a.clone();
  b.host_read_write()(1, 1) = 5;
  EXPECT_EQ(a.host_read()(1, 1), 1);
  swap(a, b);
  EXPECT_EQ(a.host_read()(1, 1), 5);
  array2<int> c = std::move(a);
  EXPECT_EQ(a.extent(), extent2());
  EXPECT_EQ(a.pitch(), 0);
  EXPECT_EQ(c.host_read()(1, 1), 5);
  b = std::move(c);
  EXPECT_EQ(b.host_read()(1, 1), 5);
  b.to_device().synchronize();
  b.to_host().synchronize();
  EXPECT_EQ(b.host_read()(2, 2), 1);
}

TEST(array2, refuses_sizes_that_no_memory_has) {
  const auto fails = [](auto make) { return amphi_test::message_of<amphi::memory_error>(make); };
  EXPECT_TRUE(amphi_test::says(fails([] { array2<int>({-1, 4}); }), {"-1 x 4", "least is 0"}));
  EXPECT_TRUE(amphi_test::says(fails([] { array2<int>({4, -1}); }), {"4 x -1"}));
  EXPECT_TRUE(amphi_test::says(fails([] {
                                 array2<int>::with_pitch({5, 4}, 4);
                               }),
                               {"rows 4 elements apart", "least is 5"}));
  EXPECT_TRUE(amphi_test::says(fails([] {
                                 array2<int>({std::int64_t{1} << 40, std::int64_t{1} << 40});
                               }),
                               {"larger than any memory"}));
  EXPECT_TRUE(amphi_test::says(fails([] { array2<int>({INT64_MAX, 1}); }), {"larger than any memory"}));
}

}  // namespace
