// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm/reference.hpp"
#include "amphi/algorithm/sort.hpp"
#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

// Sorting by comparisons: elements of every size, tiles that are not full, runs without a partner.

namespace {

using namespace amphi_test;

// `Bytes` of which the first two are compared; no default constructor.
template <int Bytes, int Align = 2>
struct alignas(Align) record {
  static_assert(Bytes % 2 == 0);
  std::uint16_t key, rest[Bytes / 2 - 1];
  AMPHI_HOST_DEVICE explicit record(unsigned k) : key(static_cast<std::uint16_t>(k)), rest{} {}
  bool operator==(const record&) const = default;
};
struct by_key {
  template <class T>
  AMPHI_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

template <class T>
std::vector<T> records_of(std::size_t n, unsigned keys) {
  std::mt19937 generator(static_cast<unsigned>(n));
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.emplace_back(static_cast<unsigned>(generator() % keys));
    std::size_t number = i;
    for (auto& r : x.back().rest) r = static_cast<std::uint16_t>(number), number >>= 16;
  }
  return x;
}

// By the places of the elements: std::stable_sort has no room for types that are aligned to more than 16
// bytes.
template <class T>
std::vector<T> sorted(const std::vector<T>& x) {
  std::vector<std::size_t> places(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return by_key()(x[a], x[b]); });
  std::vector<T> result;
  for (const std::size_t i : places) result.push_back(x[i]);
  return result;
}

std::vector<path> quick_paths() {
  return {
      {"automatic", {}}, {"cpu", {.backend = backend::cpu}}, {"<<<40,256>>>", {.grid = 40, .block = 256}}};
}

template <class T>
void check_records() {
  using amphi::detail::sort_shape;
  constexpr int tile = sort_shape<std::conditional_t<sort_shape<T>::fits, T, std::uint32_t>>::tile;
  for (const int n :
       {1, 2, 3, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 3 * tile, 5 * tile - 7, 100003}) {
    for (const unsigned keys : {3u, 60000u}) {
      const std::vector<T> x = records_of<T>(static_cast<std::size_t>(n), keys);
      const std::vector<T> expected = sorted(x);
      for (const path& p : quick_paths()) {
        SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
        shared_data<T> a(x);
        amphi::sort(p.policy, amphi::view(a.data(), n), by_key());
        EXPECT_EQ(a.on_host(), expected);
      }
    }
  }
}
TEST(merge_sort, records_of_4_bytes) { check_records<record<4>>(); }
TEST(merge_sort, records_of_6_bytes) { check_records<record<6>>(); }
TEST(merge_sort, records_of_16_bytes) { check_records<record<16, 8>>(); }
TEST(merge_sort, records_of_32_bytes_aligned_to_32) { check_records<record<32, 32>>(); }
TEST(merge_sort, records_of_64_bytes) { check_records<record<64, 16>>(); }
// Tiles don't hold these: their numbers are sorted.
TEST(merge_sort, records_of_70_bytes) { check_records<record<70>>(); }
TEST(merge_sort, records_of_104_bytes) { check_records<record<104, 8>>(); }
TEST(merge_sort, records_of_128_bytes_aligned_to_64) { check_records<record<128, 64>>(); }

struct by_remainder {
  AMPHI_HOST_DEVICE bool operator()(std::uint8_t a, std::uint8_t b) const { return a % 7 < b % 7; }
};
void check_bytes() {
  std::vector<std::uint8_t> x(300001);
  std::mt19937 generator(3);
  for (auto& v : x) v = static_cast<std::uint8_t>(generator());
  std::vector<std::uint8_t> expected = x;
  std::stable_sort(expected.begin(), expected.end(), by_remainder());
  for (const path& p : quick_paths()) {
    shared_data<std::uint8_t> a(x);
    amphi::sort(p.policy, amphi::view(a.data(), x.size()), by_remainder());
    EXPECT_TRUE(same_bits(a.on_host(), expected)) << p.name;
  }
}
TEST(merge_sort, bytes) { check_bytes(); }

struct by_last_digits {
  AMPHI_HOST_DEVICE bool operator()(int a, int b) const { return a % 1000 < b % 1000; }
};
struct three {
  int a, b, c;
};
struct many {
  double x[10];
};
template <class V>
void check_pairs(const std::vector<int>& sizes, auto make) {
  for (const int n : sizes) {
    const auto count = static_cast<std::size_t>(n);
    std::mt19937 generator(static_cast<unsigned>(n));
    std::vector<std::pair<int, V>> x;
    for (int i = 0; i < n; ++i) x.emplace_back(static_cast<int>(generator() % 100000), make(i));
    std::vector<int> keys(count), sorted_keys(count);
    std::vector<V> values(count), sorted_values(count);
    for (std::size_t i = 0; i < count; ++i) keys[i] = x[i].first, values[i] = x[i].second;
    std::stable_sort(x.begin(), x.end(),
                     [](const auto& a, const auto& b) { return by_last_digits()(a.first, b.first); });
    for (std::size_t i = 0; i < count; ++i) sorted_keys[i] = x[i].first, sorted_values[i] = x[i].second;
    for (const path& p : quick_paths()) {
      SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
      shared_data<int> k(keys);
      shared_data<V> v(values);
      amphi::sort_by_key(p.policy, amphi::view(k.data(), n), amphi::view(v.data(), n), by_last_digits());
      EXPECT_TRUE(same_bits(k.on_host(), sorted_keys));
      EXPECT_TRUE(same_bits(v.on_host(), sorted_values));
    }
  }
}
TEST(merge_sort, values_move_with_their_keys) {
  check_pairs<int>({5, 2304, 2305, 70000, 2000001}, [](int i) { return i; });
  check_pairs<three>({5, 1280, 1281, 70001}, [](int i) { return three{i, -i, 7}; });
  check_pairs<many>({5, 8704, 8705, 70001}, [](int i) {
    many v{};
    v.x[4] = i;
    return v;
  });
}

// An order that contradicts itself: elements come out, and nothing outside is touched.
struct no_order {
  AMPHI_HOST_DEVICE bool operator()(int a, int b) const { return ((a ^ (b * 5)) & 4) != 0; }
};
void check_no_order() {
  for (const int n : {100, 4000, 50000, 1000000}) {
    std::vector<int> x(static_cast<std::size_t>(n) + 64, -7);
    std::mt19937 generator(4);
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i) + 32] = static_cast<int>(generator() % 1000);
    for (const path& p : quick_paths()) {
      shared_data<int> a(x);
      amphi::sort(p.policy, amphi::view(a.data() + 32, n), no_order());
      const std::vector<int> got = a.on_host();
      for (std::size_t i = 0; i < 32; ++i)
        ASSERT_TRUE(got[i] == -7 && got[got.size() - 1 - i] == -7) << p.name;
      ASSERT_TRUE(std::all_of(got.begin() + 32, got.end() - 32, [](int v) { return v >= 0 && v < 1000; }));
    }
  }
}
TEST(merge_sort, an_order_that_is_none_does_no_harm) { check_no_order(); }

// The body of the GPU's kernel, thread by thread on the CPU.
template <class T>
void check_tiles() {
  using shape = amphi::detail::sort_shape<T>;
  using amphi::thread_order;
  using amphi::detail::records;
  const std::size_t n = 3 * static_cast<std::size_t>(shape::tile) - 100;
  const std::vector<T> x = records_of<T>(n, 200);
  std::vector<T> expected = x;
  for (std::size_t i = 0; i < n; i += static_cast<std::size_t>(shape::tile))
    std::stable_sort(expected.begin() + static_cast<std::ptrdiff_t>(i),
                     expected.begin() + static_cast<std::ptrdiff_t>(
                                            (std::min)(n, i + static_cast<std::size_t>(shape::tile))),
                     by_key());
  for (const auto order : {thread_order::forward, thread_order::reverse, thread_order::random(5)}) {
    shared_data<T> in(x), out(x);
    const amphi::policy p{
        .grid = 3, .block = shape::threads, .backend = backend::cpu, .workers = 2, .order = order};
    using body = amphi::detail::sort_tiles<records<T>, records<T>, T, by_key>;
    amphi::launch(p, body{{in.data(), nullptr}, {out.data(), nullptr}, static_cast<std::int64_t>(n), {}});
    EXPECT_EQ(out.on_host(), expected);
  }
}
TEST(merge_sort, bodies_for_gpus_sort_tiles) {
  check_tiles<record<4>>();
  check_tiles<record<16, 8>>();
  check_tiles<record<64, 16>>();
}

}  // namespace
