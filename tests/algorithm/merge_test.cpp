// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/merge.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <tuple>

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

// The fast way of each backend.
// `a_shift`, `b_shift`, `out_shift`: elements between the memory's beginning and the ranges. What stands
// around the results must stay as it is.
template <class T>
void check_merge(const std::vector<T>& a, const std::vector<T>& b, auto before,
                 const std::vector<path>& paths = all_paths(), std::size_t a_shift = 0,
                 std::size_t b_shift = 0, std::size_t out_shift = 0) {
  const std::size_t n = a.size() + b.size();
  std::vector<T> expected(out_shift + n + 1, T{});
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             expected.begin() + static_cast<std::ptrdiff_t>(out_shift), before);
  shared_data<T> x(a_shift + a.size()), y(b_shift + b.size());
  std::copy(a.begin(), a.end(), x.data() + a_shift);
  std::copy(b.begin(), b.end(), y.data() + b_shift);
  for (const path& p : paths) {
    shared_data<T> out(expected.size(), T{});
    amphi::merge(p.policy, amphi::view(x.data() + a_shift, a.size()),
                 amphi::view(y.data() + b_shift, b.size()), amphi::view(out.data() + out_shift, n + 1),
                 before);
    EXPECT_TRUE(same_bits(out.on_host(), expected))
        << p.name << ": " << a.size() << ", " << b.size() << " at " << a_shift << ", " << b_shift << ", "
        << out_shift;
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

// Elements of Bytes bytes: a key, then where it came from in all words that are left.
template <int Bytes>
struct element {
  std::int32_t key;
  std::int32_t from[Bytes / 4 - 1];
};
template <>
struct element<4> {
  std::int32_t key;
};
struct by_element_key {
  template <class E>
  AMPHI_HOST_DEVICE bool operator()(const E& a, const E& b) const {
    return a.key < b.key;
  }
};
template <int Bytes>
std::vector<element<Bytes>> elements(std::size_t n, int first_key, std::size_t run,
                                     [[maybe_unused]] int from) {
  std::vector<element<Bytes>> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i].key = first_key + static_cast<int>(i / run);
    if constexpr (Bytes > 4)
      for (std::int32_t& f : x[i].from) f = from++;
  }
  return x;
}

// How far the two ranges overlap: not at all, in either order; wholly; and one key for all.
template <int Bytes>
void check_overlaps(std::size_t n, std::size_t m, const std::vector<path>& paths) {
  const auto last = static_cast<int>(n + m);
  const std::tuple<int, int, std::size_t> cases[] = {{0, last, 1}, {last, 0, 1},     {0, 0, 1},
                                                     {0, 0, 7},    {0, last / 3, 2}, {0, 0, 1000000000}};
  for (const auto& [a_key, b_key, run] : cases)
    check_merge(elements<Bytes>(n, a_key, run, 0), elements<Bytes>(m, b_key, run, 1000000000),
                by_element_key(), paths);
}

// A GPU's block merges a tile at a time.
template <int Bytes>
void check_tile_borders() {
  constexpr auto tile = static_cast<std::size_t>(amphi::detail::merge_shape<element<Bytes>>::tile);
  for (const std::size_t n : {tile - 1, tile, tile + 1, 3 * tile + 5})
    for (const std::size_t of_a : {std::size_t{0}, std::size_t{1}, n / 2, tile - 1, n})
      check_overlaps<Bytes>(of_a, n - of_a, fast_paths());
}
TEST(merge, tiles_end_anywhere) {
  check_tile_borders<4>();
  check_tile_borders<8>();
  check_tile_borders<12>();
  check_tile_borders<16>();
  check_tile_borders<24>();
  check_tile_borders<56>();
}

// So many that each block of a GPU goes through several tiles.
TEST(merge, several_tiles_of_a_block) {
  check_overlaps<56>(160003, 140001, fast_paths());
  check_overlaps<56>(1, 300000, fast_paths());
  // One range is used up in the middle of a block's part.
  check_merge(elements<4>(2999999, 0, 1, 0), elements<4>(3000005, 4000000, 1, 0), by_element_key(),
              fast_paths(), 1);
  check_merge(elements<4>(2999999, 2000000, 1, 0), elements<4>(1900005, 0, 1, 0), by_element_key(),
              fast_paths());
}
TEST(merge, millions) {
  check_merge(items(2000003, 1 << 30, 0, 1), items(1700001, 1 << 30, 1 << 30, 2), by_key(), fast_paths());
  check_merge(items(3000003, 50, 0, 1), items(700001, 50, 1 << 30, 2), by_key(), fast_paths());
}

template <int Bytes>
void check_shifts(std::size_t most) {
  for (std::size_t shift = 0; shift < most * most * most; ++shift)
    check_merge(elements<Bytes>(5003, 0, 3, 0), elements<Bytes>(4001, 100, 2, 1000000000), by_element_key(),
                fast_paths(), shift % most, shift / most % most, shift / most / most);
}
template <class T>
void check_shifts_of_numbers() {
  auto a = reference::values<T>(20011, 3), b = reference::values<T>(9001, 4);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  for (const std::size_t shift : {1u, 2u, 7u, 8u, 15u})
    check_merge(a, b, amphi::ascending(), fast_paths(), shift, 16 - shift, shift / 2);
}
TEST(merge, ranges_begin_anywhere) {
  check_shifts<4>(4);
  check_shifts<8>(2);
  check_shifts<12>(4);
  check_shifts<24>(2);
  check_shifts_of_numbers<std::int8_t>();
  check_shifts_of_numbers<std::int16_t>();
}

// Elements of 16 bytes that begin in the middle of 16 bytes, all of one range before all of the other.
struct two {
  double key, from;
};
struct by_first {
  AMPHI_HOST_DEVICE bool operator()(const two& a, const two& b) const { return a.key < b.key; }
};
void check_halfway() {
  constexpr std::size_t n = 1001;
  shared_data<double> a(2 * n + 1), b(2 * n + 1);
  std::vector<double> expected;
  for (std::size_t i = 1; i <= 2 * n; ++i) {
    a.data()[i] = static_cast<double>(i / 2);
    b.data()[i] = static_cast<double>(n + i / 2);
  }
  expected.assign(a.data() + 1, a.data() + 2 * n + 1);
  expected.insert(expected.end(), b.data() + 1, b.data() + 2 * n + 1);
  const auto range = [](double* from, std::size_t count) {
    return amphi::view(reinterpret_cast<two*>(from + 1), count);
  };
  for (const path& p : fast_paths()) {
    shared_data<double> out(4 * n + 1, -1.0);
    amphi::merge(p.policy, range(a.data(), n), range(b.data(), n), range(out.data(), 2 * n), by_first());
    const std::vector<double> all = out.on_host();
    EXPECT_TRUE(same_bits(std::vector<double>(all.begin() + 1, all.end()), expected)) << p.name;
  }
}
TEST(merge, elements_halfway_between_words) { check_halfway(); }

// 72 bytes: no tile of shared memory holds many.
TEST(merge, large_elements) { check_overlaps<72>(700, 900, all_paths()); }

template <class T>
void check_special_numbers(std::size_t nans) {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T special[] = {T(-0.0), T(0), inf, -inf, std::numeric_limits<T>::denorm_min(), T(1)};
  for (const bool of_a : {true, false}) {
    std::vector<T> x[2];
    std::mt19937 generator(12);
    for (auto& range : x)
      for (int i = 0; i < 15000; ++i) range.push_back(special[generator() % 6]);
    auto& with = x[of_a ? 0 : 1];
    for (std::size_t i = 0; i < nans; ++i) with.push_back(i % 3 == 0 ? nan : -nan);
    for (auto& range : x) std::stable_sort(range.begin(), range.end(), amphi::ascending());
    check_merge(x[0], x[1], amphi::ascending(), fast_paths());
    for (auto& range : x) std::stable_sort(range.begin(), range.end(), amphi::descending());
    check_merge(x[0], x[1], amphi::descending(), fast_paths());
  }
}
TEST(merge, zeros_nans_and_infinities) {
  for (const std::size_t nans : {0u, 1u, 2u, 3u, 10000u}) {
    check_special_numbers<float>(nans);
    check_special_numbers<double>(nans);
  }
}

// Ranges that are not sorted: elements of a and b come out, in some order, and nothing outside is read.
TEST(merge, unsorted_ranges_do_no_harm) {
  std::mt19937 generator(13);
  for (const std::size_t n : {300u, 20000u, 1300000u}) {
    shared_data<int> a(n), b(n / 2);
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = 1 + static_cast<int>(generator() % 1000);
    for (std::size_t i = 0; i < b.size(); ++i) b.data()[i] = 1 + static_cast<int>(generator() % 1000);
    for (const path& p : n < 1000 ? all_paths() : fast_paths()) {
      shared_data<int> out(n + n / 2, 0);
      amphi::merge(p.policy, amphi::view(a.data(), n), amphi::view(b.data(), n / 2),
                   amphi::view(out.data(), out.size()));
      const std::vector<int> got = out.on_host();
      EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](int v) { return v >= 1 && v <= 1000; }))
          << p.name << n;
    }
  }
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
