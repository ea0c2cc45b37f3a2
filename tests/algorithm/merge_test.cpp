// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/merge.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>

#include "algorithm/reference.hpp"
#include "amphi/core/error.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

// A key and where it came from.
struct item {
  int key;
  int from;
};
struct by_key {
  AMPHI_HOST_DEVICE bool operator()(const item& a, const item& b) const { return a.key < b.key; }
};

template <class T>
void check_merge(const std::vector<T>& a, const std::vector<T>& b, auto before) {
  std::vector<T> expected(a.size() + b.size() + 1, T{});
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), before);
  shared_data<T> x(a), y(b);
  for (const path& p : all_paths()) {
    shared_data<T> out(a.size() + b.size() + 1, T{});
    amphi::merge(p.policy, amphi::view(x.data(), a.size()), amphi::view(y.data(), b.size()),
                 amphi::view(out.data(), a.size() + b.size()), before);
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << p.name << ": " << a.size() << ", " << b.size();
  }
}

// Few different keys, so that most have equals.
std::vector<item> items(std::size_t n, int keys, int from, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<item> x(n);
  for (item& i : x) i.key = static_cast<int>(generator() % static_cast<unsigned>(keys));
  std::stable_sort(x.begin(), x.end(), by_key());
  for (item& i : x) i.from = from++;
  return x;
}

TEST(merge, equal_elements_keep_their_order_on_every_path) {
  const std::pair<std::size_t, std::size_t> cases[] = {{0, 0},      {0, 5},        {5, 0},       {1, 1000},
                                                       {1000, 1},   {1025, 1023},  {3840, 3840}, {20011, 77},
                                                       {77, 20011}, {40000, 60003}};
  for (const auto& [n, m] : cases)
    for (const int keys : {1, 3, 1000})
      check_merge(items(n, keys, 0, 1), items(m, keys, 1000000, 2), by_key());
}

TEST(merge, a_b_and_c) { check_merge<item>({{3, 'a'}, {3, 'b'}}, {{3, 'c'}}, by_key()); }

template <class T>
void check_numbers() {
  auto a = reference::values<T>(5000, 3), b = reference::values<T>(3333, 4);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  check_merge(a, b, amphi::ascending());
  std::reverse(a.begin(), a.end());
  std::reverse(b.begin(), b.end());
  check_merge(a, b, amphi::descending());
}
TEST(merge, numbers) {
  check_numbers<float>();
  check_numbers<double>();
  check_numbers<std::int8_t>();
  check_numbers<std::uint64_t>();
}

// 56 bytes: no tile of shared memory holds many.
struct wide {
  double key;
  int rest[12];
};
struct by_wide_key {
  AMPHI_HOST_DEVICE bool operator()(const wide& a, const wide& b) const { return a.key < b.key; }
};
TEST(merge, structs) {
  std::vector<wide> a(700), b(900);
  for (int i = 0; i < 700; ++i) a[static_cast<std::size_t>(i)] = {i / 3 * 1.0, {i}};
  for (int i = 0; i < 900; ++i) b[static_cast<std::size_t>(i)] = {i / 5 * 1.0, {-i}};
  check_merge(a, b, by_wide_key());
}

// Both inputs end at a page that nobody may touch, and begin behind one.
TEST(merge, reads_nothing_outside) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr int n = 300;
  for (const bool at_end : {true, false}) {
    int* ranges[2];
    for (int*& range : ranges) {
      auto* const memory = static_cast<char*>(
          mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      ASSERT_NE(memory, MAP_FAILED);
      mprotect(memory, page, PROT_NONE);
      mprotect(memory + 2 * page, page, PROT_NONE);
      range = reinterpret_cast<int*>(memory + (at_end ? 2 * page - n * sizeof(int) : page));
    }
    std::vector<int> out(2 * n);
    for (const path& p : cpu_paths()) {
      for (const int shift : {-1000, 0, 1000}) {
        for (int i = 0; i < n; ++i) ranges[0][i] = i, ranges[1][i] = i + shift;
        amphi::merge(p.policy, amphi::view(ranges[0], n), amphi::view(ranges[1], n), out);
        EXPECT_TRUE(std::is_sorted(out.begin(), out.end())) << p.name;
      }
    }
    for (int* range : ranges)
      munmap(reinterpret_cast<char*>(range) - (at_end ? 2 * page - n * sizeof(int) : page), 3 * page);
  }
}

TEST(merge, bad_calls_are_named) {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> a(10), b(10), out(19);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::merge(cpu, a, b, out); }),
                   {"amphi::merge", "19", "20"}));
  out.resize(40);
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { amphi::merge(cpu, amphi::view(out.data(), 10), b, out); }),
           {"amphi::merge", "overlaps"}));
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { amphi::merge(cpu, amphi::view(a.data(), -1), b, out); }),
           {"amphi::merge", "negative"}));
}

}  // namespace
