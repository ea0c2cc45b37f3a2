// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/soa_view.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/core/vector.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "support/paths.hpp"

namespace {

using amphi::soa_view;
using amphi::vec3;
using amphi::view;

template <template <class> class F>
struct particle_fields {
  F<float> mass = 2.5f;
  F<vec3<float>> position, velocity;
  F<std::int16_t> kind;

  AMPHI_HOST_DEVICE float momentum() const { return mass * velocity.x; }
};
using particle = particle_fields<amphi::as_value>;

template <template <class> class F>
struct one_field {
  F<double> only;
};
using single = one_field<amphi::as_value>;

template <template <class> class F>
struct many_fields {
  F<int> a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
};
using many = many_fields<amphi::as_value>;

// Names that the library uses itself.
template <template <class> class F>
struct awkward_fields {
  F<int> value, other, size, data, f, fields, value_type, T;
};
using awkward = awkward_fields<amphi::as_value>;

static_assert(std::is_trivially_copyable_v<soa_view<particle>> &&
              std::is_trivially_copyable_v<soa_view<const particle>>);
static_assert(sizeof(soa_view<particle>) == 5 * sizeof(void*));
static_assert(sizeof(particle) == 32 && std::is_aggregate_v<particle>, "an ordinary struct");
static_assert(std::is_convertible_v<soa_view<particle>, soa_view<const particle>>);
static_assert(!std::is_convertible_v<soa_view<const particle>, soa_view<particle>>);
static_assert(!std::is_constructible_v<soa_view<single>, soa_view<particle>>);
static_assert(std::is_convertible_v<soa_view<const particle>::reference, particle>);
static_assert(std::is_assignable_v<soa_view<particle>::reference, particle>);
static_assert(std::is_assignable_v<soa_view<particle>::reference, soa_view<const particle>::reference>);
static_assert(!std::is_assignable_v<soa_view<const particle>::reference, particle>);
static_assert(
    !std::is_assignable_v<soa_view<const particle>::reference, soa_view<const particle>::reference>);
static_assert(std::is_same_v<decltype(std::declval<soa_view<const particle>>()[0].mass), const float&>);

// Columns in ordinary memory.
struct columns {
  std::vector<float> mass;
  std::vector<vec3<float>> position, velocity;
  std::vector<std::int16_t> kind;

  explicit columns(std::size_t n) : mass(n), position(n), velocity(n), kind(n) {}
  soa_view<particle> view() {
    return {{mass.data(), position.data(), velocity.data(), kind.data()}, mass.size()};
  }
};

particle number(int i) {
  const auto x = static_cast<float>(i);
  return {x, {x + 1, x + 2, x + 3}, {x + 4, x + 5, x + 6}, static_cast<std::int16_t>(i + 7)};
}

::testing::AssertionResult equal(const particle& got, const particle& expected) {
  if (got.mass == expected.mass && got.position == expected.position && got.velocity == expected.velocity &&
      got.kind == expected.kind)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "mass " << got.mass << " instead of " << expected.mass << ", x "
                                       << got.position.x << " instead of " << expected.position.x;
}

TEST(soa_view, reads_and_writes_fields_in_place) {
  columns c(3);
  const soa_view<particle> p = c.view();
  p[1].mass = 4;
  p[2].position = {1, 2, 3};
  p[2].position.y += 40;
  ++p[0].kind;
  EXPECT_EQ(c.mass, (std::vector<float>{0, 4, 0}));
  EXPECT_EQ(c.position[2], (vec3<float>{1, 42, 3}));
  EXPECT_EQ(c.kind[0], 1);
  EXPECT_EQ(&p[1].mass, &c.mass[1]);
  const soa_view<const particle> read = p;
  EXPECT_EQ(read[2].position.y, 42);
  EXPECT_EQ(&read[1].velocity, &c.velocity[1]);
}

TEST(soa_view, assigns_and_copies_whole_elements) {
  columns c(4);
  const soa_view<particle> p = c.view();
  for (int i = 0; i < 3; ++i) p[i] = number(i);
  const particle copy = p[1];
  EXPECT_TRUE(equal(copy, number(1)));
  p[3] = p[1];
  EXPECT_TRUE(equal(p[3], number(1)));
  p[1] = soa_view<const particle>(p)[2];
  EXPECT_TRUE(equal(p[1], number(2)));
  EXPECT_TRUE(equal(copy, number(1)));
  p[2] = particle{.mass = 9, .position = {}, .velocity = {1, 0, 0}, .kind = 3};
  EXPECT_EQ(c.velocity[2].x, 1);
  p[0] = p[0];
  EXPECT_TRUE(equal(p[0], number(0)));
}

TEST(soa_view, names_an_element_by_auto_and_decomposes_it) {
  columns c(2);
  const soa_view<particle> p = c.view();
  p[0] = number(5);
  const auto r = p[0];
  r.mass = 1;
  EXPECT_EQ(c.mass[0], 1);
  auto [mass, position, velocity, kind] = p[0];
  mass = 2, position.z = 3, velocity.x = 4;
  EXPECT_EQ(c.mass[0], 2);
  EXPECT_EQ(c.position[0].z, 3);
  EXPECT_EQ(kind, 12);
  EXPECT_EQ(p[0].momentum(), 8);
}

TEST(soa_view, swaps_elements) {
  columns c(2);
  const soa_view<particle> p = c.view();
  p[0] = number(1), p[1] = number(2);
  swap(p[0], p[1]);
  EXPECT_TRUE(equal(p[0], number(2)));
  EXPECT_TRUE(equal(p[1], number(1)));
  auto a = p[0], b = p[1];
  using std::swap;
  swap(a, b);
  EXPECT_TRUE(equal(p[0], number(1)));
  EXPECT_TRUE(equal(p[1], number(2)));
}

TEST(soa_view, gives_columns_and_parts) {
  columns c(10);
  const soa_view<particle> p = c.view();
  for (int i = 0; i < 10; ++i) p[i] = number(i);
  const view<float> mass = p.columns().mass;
  EXPECT_EQ(mass.data(), c.mass.data());
  EXPECT_EQ(mass.size(), 10u);
  const view<const vec3<float>> velocity = soa_view<const particle>(p).columns().velocity;
  EXPECT_EQ(velocity.data(), c.velocity.data());
  const soa_view<particle> part = p.subview(2, std::int64_t{5});
  EXPECT_EQ(part.size(), 5u);
  EXPECT_EQ(&part[4].kind, &c.kind[6]);
  EXPECT_EQ(&p.first(3u)[2].mass, &c.mass[2]);
  EXPECT_EQ(&p.last(4)[0].position, &c.position[6]);
  EXPECT_TRUE(p.subview(10, 0).empty());
}

TEST(soa_view, takes_any_integral_index) {
  columns c(300);
  const soa_view<particle> p = c.view();
  EXPECT_EQ(&p[short{7}].mass, &c.mass[7]);
  EXPECT_EQ(&p[static_cast<unsigned char>(255)].mass, &c.mass[255]);
  EXPECT_EQ(&p[std::size_t{12}].mass, &c.mass[12]);
  EXPECT_EQ(&p[std::int64_t{13}].mass, &c.mass[13]);
  EXPECT_EQ(&p['0'].mass, &c.mass['0']);
}

TEST(soa_view, is_empty_when_made_of_nothing) {
  const soa_view<particle> p;
  EXPECT_TRUE(p.empty());
  EXPECT_EQ(p.pointers().mass, nullptr);
  EXPECT_EQ(p.pointers().kind, nullptr);
}

TEST(soa_view, takes_one_field_and_sixteen) {
  std::vector<double> only(3);
  const soa_view<single> s({only.data()}, 3);
  s[2] = single{1.5};
  s[0].only = 2;
  EXPECT_EQ(only, (std::vector<double>{2, 0, 1.5}));
  const single copy = s[2];
  EXPECT_EQ(copy.only, 1.5);

  std::vector<int> v(32);
  const auto at = [&](int k) { return v.data() + 2 * k; };
  const soa_view<many> m({at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10),
                          at(11), at(12), at(13), at(14), at(15)},
                         2);
  m[1] = many{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  m[0] = m[1];
  for (int k = 0; k < 32; ++k) EXPECT_EQ(v[static_cast<std::size_t>(k)], k / 2);
  EXPECT_EQ(m[0].p, 15);
}

TEST(soa_view, takes_any_names) {
  std::vector<int> v(8);
  const auto at = [&](int k) { return v.data() + k; };
  const soa_view<awkward> s({at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)}, 1);
  s[0] = awkward{1, 2, 3, 4, 5, 6, 7, 8};
  s[0].value_type += s[0].size;
  s[0].value = s[0].T;
  EXPECT_EQ(v, (std::vector<int>{8, 2, 3, 4, 5, 6, 10, 8}));
}

constexpr int sum_at_compile_time() {
  double values[3] = {1, 2, 3};
  const soa_view<single> s({values}, 3);
  s[1].only = 10;
  s[2] = s[0];
  const single first = s[0];
  return static_cast<int>(first.only + s[1].only + s.columns().only[2]);
}
static_assert(sum_at_compile_time() == 12);

// One kernel for both layouts.
template <class Particles>
AMPHI_LAUNCHABLE void move(int i, float dt, Particles p) {
  p[i].position = p[i].position + dt * p[i].velocity;
  p[i].mass *= 0.5f;
  particle q = p[i];
  q.kind = static_cast<std::int16_t>(q.kind + 1);
  q.velocity.x = p[i].momentum();
  p[i] = q;
}

TEST(soa_view, has_the_syntax_of_an_array_of_structures_in_kernels) {
  constexpr int n = 1003;
  std::vector<particle> expected;
  for (int i = 0; i < n; ++i) {
    particle q = number(i);
    q.position.x += 0.25f * q.velocity.x, q.position.y += 0.25f * q.velocity.y;
    q.position.z += 0.25f * q.velocity.z;
    q.mass *= 0.5f;
    q.kind = static_cast<std::int16_t>(q.kind + 1);
    q.velocity.x = q.mass * q.velocity.x;
    expected.push_back(q);
  }
  for (const amphi_test::path& path : amphi_test::all_paths()) {
    SCOPED_TRACE(path.name);
    amphi::array<particle> aos(n);
    amphi::array<float> mass(n);
    amphi::array<vec3<float>> position(n), velocity(n);
    amphi::array<std::int16_t> kind(n);
    const soa_view<particle> start({mass.host_write().data(), position.host_write().data(),
                                    velocity.host_write().data(), kind.host_write().data()},
                                   n);
    const view<particle> start_aos = aos.host_write();
    for (int i = 0; i < n; ++i) start[i] = start_aos[i] = number(i);

    const amphi::policy& p = path.policy;
    const soa_view<particle> soa({mass.read_write(p).data(), position.read_write(p).data(),
                                  velocity.read_write(p).data(), kind.read_write(p).data()},
                                 n);
    amphi::parallel_for<move<soa_view<particle>>>(p, 0, n, 0.25f, soa);
    amphi::parallel_for<move<view<particle>>>(p, 0, n, 0.25f, aos.read_write(p));
    const soa_view<const particle> result({mass.host_read().data(), position.host_read().data(),
                                           velocity.host_read().data(), kind.host_read().data()},
                                          n);
    const view<const particle> result_aos = aos.host_read();
    for (int i = 0; i < n; ++i) {
      ASSERT_TRUE(equal(result[i], expected[static_cast<std::size_t>(i)])) << "soa, element " << i;
      ASSERT_TRUE(equal(result_aos[i], expected[static_cast<std::size_t>(i)])) << "aos, element " << i;
    }
  }
}

#if AMPHI_CHECKED
TEST(checked_soa_view, names_index_size_and_place) {
  columns c(10);
  const soa_view<particle> p = c.view();
  const auto fails = [](auto f) { return amphi_test::message_of<amphi::bounds_error>(f); };
  const int line = __LINE__ + 1;
  const std::string text = fails([&] { p[10].mass = 1; });
  EXPECT_TRUE(amphi_test::says(
      text, {"index 10 is outside [0, 10) of a soa_view", "soa_view_test.cpp:" + std::to_string(line)}));
  EXPECT_TRUE(amphi_test::says(fails([&] { p[-1] = particle{}; }), {"index -1"}));
  EXPECT_TRUE(amphi_test::says(fails([&] { (void)p.subview(4, 7); }), {"subview's size"}));
  EXPECT_TRUE(amphi_test::says(fails([&] { (void)p.last(11); }), {"subview's begin"}));
}

AMPHI_LAUNCHABLE void one_too_far(soa_view<particle> p) {
  if (amphi::block_index().x == 1 && amphi::thread_index().x == 3) p[p.size()] = particle{};
}

TEST(checked_soa_view, names_kernel_block_and_thread) {
  amphi_test::shared_data<float> mass(4, 0.0f);
  amphi_test::shared_data<vec3<float>> position(4, {}), velocity(4, {});
  amphi_test::shared_data<std::int16_t> kind(4, 0);
  const soa_view<particle> p({mass.data(), position.data(), velocity.data(), kind.data()}, 4);
  const std::string text = amphi_test::message_of<amphi::bounds_error>([&] {
    amphi::launch<one_too_far>({.grid = 2, .block = 4}, p);
    amphi::synchronize();
  });
  EXPECT_TRUE(amphi_test::says(text, {"index 4 is outside [0, 4) of a soa_view", "block (1, 0, 0)",
                                      "thread (3, 0, 0)", "soa_view_test.cpp:"}));
  amphi::synchronize();  // reported once
}
#endif

}  // namespace
