// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <vector>

#include "amphi/algorithm/copy.hpp"
#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/fill.hpp"
#include "amphi/algorithm/for_each.hpp"
#include "amphi/algorithm/gather.hpp"
#include "amphi/algorithm/histogram.hpp"
#include "amphi/algorithm/iota.hpp"
#include "amphi/algorithm/merge.hpp"
#include "amphi/algorithm/partition.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/algorithm/segmented_reduce.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/algorithm/unique.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

// Where algorithms may not write, and what has no memory: refused before anything is touched.

namespace {

using namespace amphi_test;

constexpr policy cpu{.backend = backend::cpu};

struct is_odd {
  AMPHI_HOST_DEVICE bool operator()(int v) const { return v % 2 != 0; }
};
struct ignores {
  AMPHI_HOST_DEVICE void operator()(int) const {}
};

TEST(algorithms, refuse_results_in_their_output_or_input) {
  const std::vector<int> before = {5, 4, 3, 2, 1, 0, 7, 8};
  for (const int at : {0, 3, 7}) {
    std::vector<int> in = before, out(8, 9);
    const std::vector<int> out_before = out;
    int* const inside = out.data() + at;
    const auto refused = [&](const char* name, auto call) {
      EXPECT_TRUE(
          says(message_of<amphi::bounds_error>(call), {name, "lies in the output", "a place of its own"}));
      EXPECT_EQ(in, before);
      EXPECT_EQ(out, out_before);
    };
    refused("amphi::inclusive_scan", [&] { amphi::inclusive_scan(cpu, in, out, amphi::plus{}, 0, inside); });
    refused("amphi::exclusive_scan", [&] { amphi::exclusive_scan(cpu, in, out, 0, amphi::plus{}, inside); });
    refused("amphi::copy_if", [&] { amphi::copy_if_into(cpu, in, out, inside, is_odd()); });
    refused("amphi::partition", [&] { amphi::partition_into(cpu, in, out, inside, is_odd()); });
    refused("amphi::unique", [&] { amphi::unique_into(cpu, in, out, inside); });
    int* const read = in.data() + at;
    EXPECT_TRUE(
        says(message_of<amphi::bounds_error>([&] { amphi::copy_if_into(cpu, in, out, read, is_odd()); }),
             {"amphi::copy_if", "overlaps the input", "apart"}));
    EXPECT_EQ(in, before);
  }
  // Right behind the output: n counts become n + 1 offsets.
  const std::vector<int> in = before;
  std::vector<int> offsets(9);
  amphi::exclusive_scan(cpu, in, amphi::view(offsets.data(), 8), 0, amphi::plus{}, offsets.data() + 8);
  EXPECT_EQ(offsets, (std::vector<int>{0, 5, 9, 12, 14, 15, 15, 22, 30}));
}

TEST(algorithms, need_gather_and_scatter_apart) {
  std::vector<int> x = {3, 2, 1, 0};
  const std::vector<int> index = {0, 1, 2, 3}, before = x;
  const auto refused = [&](const char* name, auto call) {
    EXPECT_TRUE(says(message_of<amphi::bounds_error>(call), {name, "overlaps", "needs them apart"}));
    EXPECT_EQ(x, before);
  };
  refused("amphi::gather", [&] { amphi::gather(cpu, x, index, x); });
  refused("amphi::gather", [&] { amphi::gather(cpu, index, x, x); });
  refused("amphi::scatter", [&] { amphi::scatter(cpu, x, index, x); });
  refused("amphi::scatter", [&] { amphi::scatter(cpu, index, x, x); });
}

TEST(algorithms, refuse_ranges_without_memory) {
  const amphi::view<int> none(nullptr, 5);
  std::vector<int> x(5, 1), y(10, 7);
  const std::vector<int> before = y;
  const auto refused = [&](const char* name, auto call) {
    EXPECT_TRUE(says(message_of<amphi::memory_error>(call), {name, "5 elements", "null pointer"})) << name;
    EXPECT_EQ(y, before) << name;
  };
  refused("amphi::copy", [&] { amphi::copy(cpu, none, y); });
  refused("amphi::copy", [&] { amphi::copy(cpu, x, none); });
  refused("amphi::fill", [&] { amphi::fill(cpu, none, 1); });
  refused("amphi::iota", [&] { amphi::iota(cpu, none, 1); });
  refused("amphi::for_each", [&] { amphi::for_each(cpu, none, ignores()); });
  refused("amphi::gather", [&] { amphi::gather(cpu, x, none, y); });
  refused("amphi::reduce", [&] { (void)amphi::reduce(cpu, none, 0); });
  refused("amphi::inclusive_scan", [&] { amphi::inclusive_scan(cpu, none, y); });
  refused("amphi::exclusive_scan", [&] { amphi::exclusive_scan(cpu, x, none, 0); });
  refused("amphi::copy_if", [&] { (void)amphi::copy_if(cpu, none, y, is_odd()); });
  refused("amphi::unique", [&] { (void)amphi::unique(cpu, x, none); });
  refused("amphi::merge", [&] { amphi::merge(cpu, none, x, y); });
  refused("amphi::sort", [&] { amphi::sort(cpu, none); });
  refused("amphi::sort_by_key", [&] { amphi::sort_by_key(cpu, x, none); });
  refused("amphi::histogram", [&] { amphi::histogram(cpu, none, y); });
  refused("amphi::segmented_reduce", [&] { amphi::segmented_reduce(cpu, x, none, y); });
  refused("amphi::scatter_plan", [&] { const amphi::scatter_plan plan(cpu, none, 3); });
  // Of no elements a null pointer is as good as any.
  const amphi::view<int> empty(nullptr, 0);
  amphi::copy(cpu, empty, empty);
  amphi::sort(cpu, empty);
  EXPECT_EQ(amphi::reduce(cpu, empty, 3), 3);
}

TEST(algorithms, refuse_results_at_null_pointers) {
  const std::vector<int> x(5, 1);
  std::vector<int> y(5, 7);
  int* const none = nullptr;
  const auto refused = [&](const char* name, auto call) {
    EXPECT_TRUE(says(message_of<amphi::memory_error>(call), {name, "null pointer", "place"})) << name;
    EXPECT_EQ(y, std::vector<int>(5, 7)) << name;
  };
  refused("amphi::reduce", [&] { amphi::reduce_into(cpu, x, none, 0, amphi::plus{}); });
  refused("amphi::inclusive_scan", [&] { amphi::inclusive_scan(cpu, x, y, amphi::plus{}, 0, none); });
  refused("amphi::exclusive_scan", [&] { amphi::exclusive_scan(cpu, x, y, 0, amphi::plus{}, none); });
  refused("amphi::copy_if", [&] { amphi::copy_if_into(cpu, x, y, none, is_odd()); });
  refused("amphi::partition", [&] { amphi::partition_into(cpu, x, y, none, is_odd()); });
  refused("amphi::unique", [&] { amphi::unique_into(cpu, x, y, none); });
}

// What −1 becomes in an unsigned type.
TEST(algorithms, name_indices_that_no_signed_type_holds) {
  const std::vector<std::uint64_t> x = {1, 0, UINT64_MAX};
  std::vector<int> y(3, 7);
  const auto refused = [&](auto call) {
    EXPECT_TRUE(
        says(message_of<amphi::bounds_error>(call), {"9223372036854775807 or more (was it negative?)", "3"}));
  };
  refused([&] { amphi::histogram(cpu, x, y); });
  refused([&] { const amphi::scatter_plan plan(cpu, x, 3); });
  refused([&] {
    amphi::segmented_reduce(cpu, y, std::vector<std::uint64_t>{0, UINT64_MAX}, std::vector<int>(1));
  });
}

}  // namespace
