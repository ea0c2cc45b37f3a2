// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm/reference.hpp"
#include "amphi/algorithm/copy_if.hpp"
#include "amphi/algorithm/partition.hpp"
#include "amphi/algorithm/unique.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

struct below {
  int limit;
  AMPHI_HOST_DEVICE bool operator()(int v) const { return v < limit; }
};

std::vector<int> small_values(int n, unsigned range) {
  std::mt19937 generator(static_cast<unsigned>(n) + range);
  std::vector<int> x(static_cast<std::size_t>(n));
  for (int& v : x) v = static_cast<int>(generator() % range);
  return x;
}

bool too_slow(const path& p, int n) { return on_gpu() && n > 200000 && p.name == "<<<1,1>>>"; }

// Expected elements, and −1 where nothing was to be written.
std::vector<int> padded(std::vector<int> x, std::size_t n) {
  x.resize(n, -1);
  return x;
}

void check_copy_if(int n, int limit) {
  const std::vector<int> x = small_values(n, 100);
  std::vector<int> kept, parted;
  std::copy_if(x.begin(), x.end(), std::back_inserter(kept), below{limit});
  parted = kept;
  std::copy_if(x.begin(), x.end(), std::back_inserter(parted), [=](int v) { return v >= limit; });
  const auto count = static_cast<std::int64_t>(kept.size());
  shared_data<int> in(x);
  const std::size_t room = x.size() + 3;
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    SCOPED_TRACE(p.name + ", n = " + std::to_string(n) + ", below " + std::to_string(limit));
    shared_data<int> out(room, -1), other(room, -1), third(room, -1), numbers(2, -7);
    const amphi::view source(in.data(), n);
    EXPECT_EQ(amphi::copy_if(p.policy, source, amphi::view(out.data(), room), below{limit}), count);
    EXPECT_TRUE(same_bits(out.on_host(), padded(kept, room)));
    EXPECT_EQ(amphi::partition(p.policy, source, amphi::view(other.data(), n), below{limit}), count);
    EXPECT_TRUE(same_bits(other.on_host(), padded(parted, room)));
    amphi::copy_if_into(p.policy, source, amphi::view(third.data(), n), numbers.data(), below{limit});
    EXPECT_TRUE(same_bits(third.on_host(), padded(kept, room)));
    amphi::partition_into(p.policy, source, amphi::view(third.data(), n), amphi::view(numbers.data() + 1, 1),
                          below{limit});
    EXPECT_TRUE(same_bits(third.on_host(), padded(parted, room)));
    EXPECT_TRUE(same_bits(numbers.on_host(), {static_cast<int>(count), static_cast<int>(count)}));
  }
}
TEST(copy_if, keeps_the_order_on_every_path) {
  for (const int n : sizes()) check_copy_if(n, 37);
  for (const int limit : {0, 1, 100}) check_copy_if(20000, limit);
}

struct multiple_of_7 {
  AMPHI_HOST_DEVICE bool operator()(std::int64_t i) const { return i % 7 == 0; }
};
TEST(copy_if, takes_indices) {
  for (const path& p : all_paths()) {
    shared_data<std::int64_t> out(10000);
    ASSERT_EQ(amphi::copy_if(p.policy, amphi::index_range(-700, std::int64_t{9300}),
                             amphi::view(out.data(), 10000), multiple_of_7()),
              1429)
        << p.name;
    const auto found = out.on_host();
    for (std::size_t i = 0; i < 1429; ++i)
      ASSERT_EQ(found[i], -700 + 7 * static_cast<std::int64_t>(i)) << p.name;
  }
}

struct same_tens {
  AMPHI_HOST_DEVICE bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
template <class Equal>
void check_unique(int n, unsigned range, Equal equal) {
  const std::vector<int> x = small_values(n, range);
  std::vector<int> kept;
  std::unique_copy(x.begin(), x.end(), std::back_inserter(kept), [&](int a, int b) { return equal(a, b); });
  // Neighbours are compared, not each element with the last one kept: the same for an equivalence.
  shared_data<int> in(x);
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
    shared_data<int> out(x.size(), -1), again(x.size(), -1);
    shared_data<std::uint64_t> number(1, 99);
    EXPECT_EQ(amphi::unique(p.policy, amphi::view(in.data(), n), amphi::view(out.data(), n), equal),
              static_cast<std::int64_t>(kept.size()));
    EXPECT_TRUE(same_bits(out.on_host(), padded(kept, x.size())));
    amphi::unique_into(p.policy, amphi::view(in.data(), n), amphi::view(again.data(), n), number.data(),
                       equal);
    EXPECT_TRUE(same_bits(again.on_host(), padded(kept, x.size())));
    EXPECT_EQ(number.on_host()[0], kept.size());
  }
}
TEST(unique, keeps_the_first_of_each_run) {
  for (const int n : sizes()) {
    check_unique(n, 3, amphi::equal_to{});
    check_unique(n, 40, same_tens());
  }
  check_unique(5000, 1, amphi::equal_to{});
}

TEST(copy_if, bad_calls_are_named) {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> x(10), y(9);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { (void)amphi::copy_if(cpu, x, y, below{1}); }),
                   {"amphi::copy_if", "9", "10"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { (void)amphi::partition(cpu, x, x, below{1}); }),
                   {"amphi::partition", "overlaps"}));
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { (void)amphi::unique(cpu, amphi::view(x.data(), -1), y); }),
           {"amphi::unique", "negative"}));
}

}  // namespace
