// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/constant.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/graph.hpp"
#include "memory/constant_units.hpp"
#include "support/paths.hpp"

namespace other {
AMPHI_CONSTANT(table, int[100]);  // has the type of amphi_test::table, and its own elements
}

namespace {

using amphi_test::message_of;
using amphi_test::says;

struct pair {
  int a;
  float b;
};
AMPHI_CONSTANT(grid, float[3][4]);
AMPHI_CONSTANT(one_pair, pair);
AMPHI_CONSTANT(untouched, int[8]);

struct read_grid {
  float* to;
  AMPHI_HOST_DEVICE void operator()(int i) const {
    to[i] = grid[i / 4][i % 4] + one_pair.b + static_cast<float>(one_pair.a);
  }
};

std::vector<amphi_test::path> paths() {
  return {{"automatic", {}}, {"serial", amphi::serial}, {"cpu", {.backend = amphi::backend::cpu}}};
}

std::vector<int> counted(int from) {
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), from);
  return v;
}

TEST(constant, starts_as_zeros) {
  for (const int e : untouched) EXPECT_EQ(e, 0);
}

TEST(constant, every_unit_reads_what_one_wrote) {
  const std::vector<int> values = counted(7);
  amphi::copy_to_constant(amphi_test::table, values);
  amphi::copy_to_constant(amphi_test::scale, 0.5);
  for (const amphi_test::path& p : paths()) {
    SCOPED_TRACE(p.name);
    const std::vector<double> b = amphi_test::read_in_unit_b(p.policy),
                              c = amphi_test::read_in_unit_c(p.policy);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(b[static_cast<std::size_t>(i)], 0.5 * (7 + i));
      ASSERT_EQ(c[static_cast<std::size_t>(i)], 0.5 * (7 + i));
    }
  }
  EXPECT_EQ(amphi_test::host_read_in_plain_unit(99), 0.5 * 106);
  EXPECT_EQ(amphi_test::table[99], 106);
  EXPECT_EQ(other::table[99], 0);  // another namespace, another constant

  // A unit without device code writes for those that have some.
  amphi_test::host_write_in_plain_unit(50, -4);
  for (const amphi_test::path& p : paths()) EXPECT_EQ(amphi_test::read_in_unit_b(p.policy)[50], -2) << p.name;
  EXPECT_EQ(amphi_test::table[50], -4);
}

TEST(constant, parts_of_arrays) {
  const std::vector<int> values = counted(0);
  amphi::copy_to_constant(amphi_test::table, values);
  const int three[] = {-1, -2, -3};
  amphi::copy_to_constant(amphi_test::table, three, 97);
  amphi::copy_to_constant(amphi_test::table, amphi::view<const int>(three).first(1), 0u);
  std::vector<int> got(100), part(4);
  amphi::copy_from_constant(amphi_test::table, got);
  std::vector<int> expected = values;
  expected[0] = -1, expected[97] = -1, expected[98] = -2, expected[99] = -3;
  EXPECT_EQ(got, expected);
  amphi::copy_from_constant(amphi_test::table, part, 95);
  EXPECT_EQ(part, (std::vector<int>{95, 96, -1, -2}));
  // From one part of the constant to another.
  amphi::copy_to_constant(amphi_test::table, amphi::view<const int>(amphi_test::table + 90, 9), 91);
  EXPECT_EQ(amphi_test::table[91], 90);
  EXPECT_EQ(amphi_test::table[99], -2);
}

TEST(constant, arrays_of_arrays_and_structs) {
  std::vector<float> values(12);
  std::iota(values.begin(), values.end(), 1.0f);
  amphi::copy_to_constant(grid, values);
  amphi::copy_to_constant(one_pair, {20, 0.25f});
  for (const amphi_test::path& p : paths()) {
    SCOPED_TRACE(p.name);
    amphi::array<float> to(12);
    amphi::parallel_for(p.policy, 0, 12, read_grid{to.write(p.policy).data()});
    for (int i = 0; i < 12; ++i) EXPECT_EQ(to.host_read()[i], static_cast<float>(i + 1) + 20.25f);
  }
  EXPECT_EQ(grid[2][3], 12);
}

TEST(constant, is_not_written_while_a_stream_is_captured) {
  const amphi::stream s;
  const std::vector<int> values(8, 5);
  const std::string text = amphi_test::message_of<amphi::launch_error>([&] {
    (void)s.capture([&] { amphi::copy_to_constant(untouched, amphi::view(values.data(), 8), 0, s); });
  });
  EXPECT_TRUE(amphi_test::says(text, {"untouched", "captured", "before"}));
  std::vector<int> is(8, -1);
  amphi::copy_from_constant(untouched, is);
  EXPECT_EQ(is, std::vector<int>(8, 0));
}

TEST(constant, wrong_copies_say_what_is_wrong) {
  const std::vector<int> values = counted(0);
  std::vector<int> before(100), after(100), room(4);
  amphi::copy_from_constant(amphi_test::table, before);
  const auto error = [](auto f) { return message_of<amphi::bounds_error>(f); };
  EXPECT_TRUE(says(error([&] { amphi::copy_to_constant(amphi_test::table, values, 1); }),
                   {"table", "100 elements from element 1", "it has 100"}));
  EXPECT_TRUE(says(error([&] { amphi::copy_to_constant(amphi_test::table, values, -1); }), {"table", "-1"}));
  EXPECT_TRUE(says(error([&] { amphi::copy_to_constant(amphi_test::table, values, SIZE_MAX); }),
                   {"from element 9223372036854775807 or more (was it negative?)", "past its end"}));
  EXPECT_TRUE(says(error([&] { amphi::copy_from_constant(amphi_test::table, room, 97); }),
                   {"4 elements from element 97"}));
  EXPECT_TRUE(
      says(error([&] { amphi::copy_to_constant(amphi_test::table, values, INT64_MAX); }), {"past its end"}));
  amphi::copy_from_constant(amphi_test::table, after);
  EXPECT_EQ(before, after);
  const int variable[4] = {};
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { amphi::copy_to_constant(variable, room); }),
                   {"AMPHI_CONSTANT"}));
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] {
                     amphi::copy_to_constant(amphi_test::table, amphi::view<const int>(nullptr, 2));
                   }),
                   {"table", "null"}));
}

}  // namespace
