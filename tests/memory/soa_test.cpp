// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/soa.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/algorithm/reduce.hpp"
#include "amphi/core/error.hpp"
#include "amphi/core/vector.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/stream.hpp"
#include "support/paths.hpp"

namespace {

using amphi::soa;
using amphi::soa_view;
using amphi::vec3;

template <template <class> class F>
struct body_fields {
  F<double> mass;
  F<vec3<float>> position;
  F<std::uint8_t> kind = 3;
};
using body = body_fields<amphi::as_value>;

static_assert(std::is_nothrow_move_constructible_v<soa<body>> &&
              std::is_nothrow_move_assignable_v<soa<body>>);
static_assert(!std::is_copy_constructible_v<soa<body>> && !std::is_copy_assignable_v<soa<body>>);
static_assert(std::is_same_v<decltype(soa<body>().columns().mass), amphi::array<double>>);

body number(int i) { return {i + 0.5, {static_cast<float>(i), 1, 2}, static_cast<std::uint8_t>(i % 200)}; }

bool equal(const body& a, const body& b) {
  return a.mass == b.mass && a.position == b.position && a.kind == b.kind;
}

AMPHI_LAUNCHABLE void advance(int i, float dt, soa_view<body> p) {
  p[i].position.x += dt;
  p[i].mass *= 2;
}
AMPHI_LAUNCHABLE void write_all(int i, soa_view<body> p) {
  p[i] = body{.mass = 1.0 * i, .position = {0, 0, 1}, .kind = 9};
}
AMPHI_LAUNCHABLE void copy_x(int i, soa_view<const body> p, float* x) { x[i] = p[i].position.x; }
AMPHI_LAUNCHABLE void halve(int i, double* mass) { mass[i] /= 2; }

TEST(soa, is_read_and_written_on_every_path) {
  constexpr int n = 1003;
  for (const amphi_test::path& path : amphi_test::all_paths()) {
    SCOPED_TRACE(path.name);
    soa<body> s(n);
    const soa_view<body> start = s.host_write();
    for (int i = 0; i < n; ++i) start[i] = number(i);
    amphi::array<float> x(n);
    amphi::parallel_for<advance>(path.policy, 0, n, 4.0f, s.read_write(path.policy));
    amphi::parallel_for<copy_x>(path.policy, 0, n, s.read(path.policy), x.write(path.policy));
    const soa_view<const body> result = s.host_read();
    ASSERT_EQ(result.size(), std::size_t{n});
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(result[i].mass, 2 * (i + 0.5));
      ASSERT_EQ(result[i].position, (vec3<float>{static_cast<float>(i + 4), 1, 2}));
      ASSERT_EQ(result[i].kind, i % 200);
      ASSERT_EQ(x.host_read()[i], static_cast<float>(i + 4));
    }
    amphi::parallel_for<write_all>(path.policy, 0, n, s.write(path.policy));
    for (int i = 0; i < n; ++i) ASSERT_TRUE(equal(s.host_read()[i], {1.0 * i, {0, 0, 1}, 9}));
  }
}

TEST(soa, starts_as_a_value_or_unwritten) {
  const soa<body> filled(5, body{1, {2, 3, 4}, 5});
  EXPECT_TRUE(equal(filled.host_read()[4], {1, {2, 3, 4}, 5}));
  const soa<body> unwritten(5);
  EXPECT_THROW((void)unwritten.read(), amphi::memory_error);
  EXPECT_THROW((void)unwritten.host_read(), amphi::memory_error);
  soa<body> none;
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.host_read().empty());
  EXPECT_THROW(soa<body>(-1), amphi::memory_error);
}

TEST(soa, turns_arrays_of_structures_around) {
  std::vector<body> bodies;
  for (int i = 0; i < 1000; ++i) bodies.push_back(number(i));
  soa<body> s{std::span<const body>(bodies)};
  amphi::parallel_for<advance>(0, 1000, 0.0f, s.read_write());
  std::vector<body> back(1001, body{});
  s.copy_to(back);
  for (std::size_t i = 0; i < 1000; ++i) {
    bodies[i].mass *= 2;
    ASSERT_TRUE(equal(back[i], bodies[i])) << i;
  }
  EXPECT_TRUE(equal(back[1000], body{}));
  const std::string text =
      amphi_test::message_of<amphi::bounds_error>([&] { s.copy_to(std::span<body>(back).first(999)); });
  EXPECT_TRUE(amphi_test::says(text, {"room for 999 elements", "has 1000"}));
  s.copy_from(std::span<const body>(bodies).first(7));
  EXPECT_EQ(s.size(), 7u);
  EXPECT_TRUE(equal(s.host_read()[6], bodies[6]));
}

TEST(soa, gives_single_columns) {
  soa<body> s(100, body{3, {}, 1});
  amphi::parallel_for<halve>(0, 100, s.columns().mass.read_write());
  EXPECT_EQ(s.host_read()[99].mass, 1.5);
  EXPECT_EQ(amphi::reduce(s.read().columns().mass, 0.0), 150.0);
  // Only what is used must have been written.
  soa<body> part(10);
  amphi::parallel_for<halve>(0, 10, part.columns().mass.write());
  (void)part.columns().mass.host_read();
  EXPECT_THROW((void)part.host_read(), amphi::memory_error);
  EXPECT_THROW((void)part.columns().kind.host_read(), amphi::memory_error);
}

TEST(soa, refuses_columns_of_different_sizes) {
  soa<body> s(100, body{});
  s.columns().position.resize(99);
  const std::string text = amphi_test::message_of<amphi::memory_error>([&] { (void)s.write(); });
  EXPECT_TRUE(amphi_test::says(text, {"100 and 99 elements", "resize the soa"}));
  EXPECT_THROW((void)s.host_write(), amphi::memory_error);
  s.resize(100);  // is 100 by its first column
  s.columns().position.resize(100);
  EXPECT_EQ(s.write().size(), 100u);
}

TEST(soa, clones_moves_swaps_and_resizes) {
  soa<body> a(10, number(1));
  soa<body> b = a.clone();
  amphi::parallel_for<advance>(0, 10, 1.0f, b.read_write());
  EXPECT_EQ(a.host_read()[3].position.x, 1);
  EXPECT_EQ(b.host_read()[3].position.x, 2);
  swap(a, b);
  EXPECT_EQ(a.host_read()[3].position.x, 2);
  soa<body> c = std::move(a);
  EXPECT_EQ(a.size(), 0u);
  EXPECT_EQ(c.size(), 10u);
  a.copy_from(c);
  EXPECT_EQ(a.host_read()[9].mass, 3);
  a.copy_from(a);
  EXPECT_EQ(a.size(), 10u);
  a.resize(12);
  EXPECT_EQ(a.size(), 12u);
  EXPECT_THROW((void)a.read(), amphi::memory_error);
  EXPECT_THROW(c.resize(-5), amphi::memory_error);
  EXPECT_THROW(c.resize(SIZE_MAX / 8), amphi::memory_error);  // too large for the wider columns only
  EXPECT_EQ(c.host_read()[9].mass, 3) << "a refused resize changes nothing";
  const double* const mass = c.host_read().pointers().mass;
  c.resize(10);
  EXPECT_EQ(c.host_read().pointers().mass, mass);
}

TEST(soa, follows_streams) {
  constexpr int n = 4097;
  const amphi::stream first, second;
  const amphi::policy on_first{.stream = first}, on_second{.stream = second};
  soa<body> s(n);
  amphi::array<float> x(n);
  amphi::parallel_for<write_all>(on_first, 0, n, s.write(on_first));
  amphi::parallel_for<advance>(on_second, 0, n, 2.0f, s.read_write(on_second));
  amphi::parallel_for<copy_x>(on_first, 0, n, s.read(on_first), x.write(on_first));
  for (int i = 0; i < n; ++i) ASSERT_EQ(x.host_read()[i], 2);
  s.to_device(first).synchronize();
  s.to_host(second).synchronize();
  for (int i = 0; i < n; ++i) ASSERT_EQ(s.host_read()[i].mass, 2.0 * i);
}

}  // namespace
