// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/sort.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/scan.hpp"
#include "amphi/core/error.hpp"
#include "amphi/core/half.hpp"
#include "amphi/runtime/launch_observer.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

std::vector<int> sort_sizes() {
  return {0, 1, 2, 31, 32, 33, 63, 65, 128, 256, 257, 512, 513, 1025, 4097, 33000, 200003};
}

bool too_slow(const path& p, std::size_t n) {
  return on_gpu() && n > 5000 && (p.name == "<<<1,1>>>" || p.name == "<<<3,32>>>");
}

// The rule once more, by comparisons: numbers, with NaNs of negative sign before and others behind, by bits.
template <class T>
bool plainly_before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto place = [](T v) { return v == v ? 0 : std::signbit(v) ? -1 : 1; };
    if (place(a) != place(b)) return place(a) < place(b);
    if (place(a) != 0) {
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> x, y;
      std::memcpy(&x, &a, sizeof(T));
      std::memcpy(&y, &b, sizeof(T));
      return place(a) < 0 ? y < x : x < y;
    }
  }
  return a < b;
}

template <class T>
void check_numbers(const std::vector<T>& x) {
  std::vector<T> up = x, down = x;
  std::stable_sort(up.begin(), up.end(), plainly_before<T>);
  std::stable_sort(down.begin(), down.end(), [](T a, T b) { return plainly_before(b, a); });
  for (const path& p : all_paths()) {
    if (too_slow(p, x.size())) continue;
    SCOPED_TRACE(p.name + ", n = " + std::to_string(x.size()));
    shared_data<T> a(x), b(x);
    amphi::sort(p.policy, amphi::view(a.data(), x.size()));
    EXPECT_TRUE(same_bits(a.on_host(), up));
    amphi::sort(p.policy, amphi::view(b.data(), x.size()), amphi::greater{});
    EXPECT_TRUE(same_bits(b.on_host(), down));
  }
}

template <class T>
class sort_of_numbers : public ::testing::Test {};
using numbers = ::testing::Types<char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                 std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(sort_of_numbers, numbers);
TYPED_TEST(sort_of_numbers, has_one_result_on_every_path) {
  for (const int n : sort_sizes())
    check_numbers(reference::values<TypeParam>(static_cast<std::size_t>(n), 5));
}

TEST(sort, bools) {
  for (const path& p : all_paths()) {
    shared_data<bool> x(30001);
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = i % 3 == 1;
    amphi::sort(p.policy, amphi::view(x.data(), x.size()));
    const std::vector<bool> sorted = x.on_host();
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end())) << p.name;
    EXPECT_EQ(std::count(sorted.begin(), sorted.end(), true), 10000) << p.name;
  }
}

TEST(sort, zeros_nans_and_infinities_stand_where_the_rule_says) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {nan, 1.0f, -0.0f, inf, 0.0f, -nan, -inf, -0.0f, -1.0f, 1e-45f, -1e-45f, nan};
  const std::vector<float> expected = {-nan,  -inf,   -1.0f, -1e-45f, -0.0f, 0.0f,
                                       -0.0f, 1e-45f, 1.0f,  inf,     nan,   nan};
  for (const path& p : all_paths()) {
    shared_data<float> a(x);
    amphi::sort(p.policy, amphi::view(a.data(), x.size()));
    EXPECT_TRUE(same_bits(a.on_host(), expected)) << p.name;
  }
}

#if !AMPHI_CUDA  // a device has no long double
// A NaN with the sign and the payload, in the 64 bits of the x87 format; elsewhere as nanl() makes it.
long double nan_with(const char* payload, bool sign) {
  return std::copysign(__builtin_nanl(payload), sign ? -1.0L : 1.0L);
}

TEST(sort, long_doubles_stand_where_the_rule_says) {
  const long double inf = std::numeric_limits<long double>::infinity();
  const long double tiny = std::numeric_limits<long double>::denorm_min();
  // In order; the zeros are equal.
  const std::vector<long double> order = {nan_with("5", true),
                                          nan_with("3", true),
                                          -inf,
                                          -1.0L - std::numeric_limits<long double>::epsilon(),
                                          -1.0L,
                                          -tiny,
                                          -0.0L,
                                          tiny,
                                          1.0L,
                                          1.0L + std::numeric_limits<long double>::epsilon(),
                                          inf,
                                          nan_with("3", false),
                                          nan_with("5", false)};
  for (const int n : {13, 2000, 30011}) {
    std::vector<std::size_t> ranks(static_cast<std::size_t>(n));
    std::mt19937 generator(17);
    for (auto& r : ranks) r = generator() % order.size();
    std::vector<int> places(ranks.size());
    std::iota(places.begin(), places.end(), 0);
    std::vector<int> up = places, down = places;
    const auto rank = [&](int i) { return ranks[static_cast<std::size_t>(i)]; };
    std::stable_sort(up.begin(), up.end(), [&](int a, int b) { return rank(a) < rank(b); });
    std::stable_sort(down.begin(), down.end(), [&](int a, int b) { return rank(b) < rank(a); });
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name + ", " + std::to_string(n));
      std::vector<long double> keys, other;
      for (const std::size_t r : ranks) keys.push_back(order[r]);
      other = keys;
      std::vector<int> moved = places, moved_down = places;
      amphi::sort_by_key(p.policy, keys, moved);
      EXPECT_TRUE(same_bits(moved, up));
      amphi::sort_by_key(p.policy, other, moved_down, amphi::descending());
      EXPECT_TRUE(same_bits(moved_down, down));
    }
  }
  EXPECT_FALSE(amphi::ascending()(-0.0L, 0.0L) || amphi::ascending()(0.0L, -0.0L));
}
#endif

TEST(sort, special_values_among_many) {
  const double special[] = {0.0,
                            -0.0,
                            std::numeric_limits<double>::quiet_NaN(),
                            -std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(),
                            5e-324,
                            -5e-324,
                            1.0};
  std::mt19937 generator(7);
  for (const std::size_t n : {std::size_t{300}, std::size_t{3000}, std::size_t{9001}, std::size_t{50001}}) {
    std::vector<double> x(n);
    for (double& v : x) v = special[generator() % 8];
    check_numbers(x);
    for (double& v : x) v = special[3 + generator() % 5];  // without zeros and NaNs of positive sign
    check_numbers(x);
  }
}

// Zeros of negative sign among tiny negative numbers and nothing else: as bits all of them begin alike, in
// their order they do not. The longer ones are sorted by passes over all, where workers are few.
template <class T>
void check_minus_zeros(const T& minus_zero, const T& tiny) {
  std::mt19937 generator(11);
  for (const int n : {3000, 150001}) {
    std::vector<T> x;
    int zeros = 0;
    for (int i = 0; i < n; ++i) {
      const bool zero = generator() % 2 == 0;
      x.push_back(zero ? minus_zero : tiny);
      zeros += zero ? 1 : 0;
    }
    std::vector<T> up(static_cast<std::size_t>(n - zeros), tiny);
    up.resize(x.size(), minus_zero);
    const std::vector<T> down(up.rbegin(), up.rend());
    for (const path& p : all_paths()) {
      if (too_slow(p, x.size())) continue;
      SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
      shared_data<T> a(x), b(x);
      amphi::sort(p.policy, amphi::view(a.data(), n));
      EXPECT_TRUE(same_bits(a.on_host(), up));
      amphi::sort(p.policy, amphi::view(b.data(), n), amphi::descending());
      EXPECT_TRUE(same_bits(b.on_host(), down));
    }
  }
}

TEST(sort, minus_zeros_among_tiny_numbers) {
  check_minus_zeros(-0.0f, -std::numeric_limits<float>::denorm_min());
  check_minus_zeros(-0.0, -std::numeric_limits<double>::denorm_min());
  check_minus_zeros(amphi::half::from_bits(0x8000), amphi::half::from_bits(0x8001));
}

// Every half there is, in random order, with some twice.
void check_halves() {
  std::vector<amphi::half> x;
  for (std::uint32_t bits = 0; bits < 70000; ++bits)
    x.push_back(amphi::half::from_bits(static_cast<std::uint16_t>(bits)));
  std::mt19937 generator(11);
  std::shuffle(x.begin(), x.end(), generator);
  for (const std::size_t n : {std::size_t{1000}, x.size()}) {
    std::vector<std::pair<amphi::half, int>> up(n);
    for (std::size_t i = 0; i < n; ++i) up[i] = {x[i], static_cast<int>(i)};
    std::vector<std::pair<amphi::half, int>> down = up;
    std::stable_sort(up.begin(), up.end(),
                     [](const auto& a, const auto& b) { return plainly_before<float>(a.first, b.first); });
    std::stable_sort(down.begin(), down.end(),
                     [](const auto& a, const auto& b) { return plainly_before<float>(b.first, a.first); });
    for (const path& p : all_paths()) {
      if (too_slow(p, n)) continue;
      SCOPED_TRACE(p.name);
      const std::vector<amphi::half> part(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
      shared_data<amphi::half> keys(part), other(part);
      shared_data<int> places(n);
      for (std::size_t i = 0; i < n; ++i) places.data()[i] = static_cast<int>(i);
      amphi::sort_by_key(p.policy, amphi::view(keys.data(), n), amphi::view(places.data(), n));
      amphi::sort(p.policy, amphi::view(other.data(), n), amphi::greater{});
      const auto got = keys.on_host(), got_down = other.on_host();
      const auto moved = places.on_host();
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(got[i].bits, up[i].first.bits) << i;
        ASSERT_EQ(moved[i], up[i].second) << i;
        ASSERT_EQ(got_down[i].bits, down[i].first.bits) << i;
      }
    }
  }
}
TEST(sort, halves) { check_halves(); }

// Digits that all keys share are not moved.
TEST(sort, keys_with_few_different_digits) {
  std::vector<std::uint64_t> x(30000);
  std::mt19937 generator(8);
  for (const int shift : {0, 8, 24, 56}) {
    for (auto& v : x) v = 0x0102030405060708u + (std::uint64_t{generator() % 7} << shift);
    check_numbers(x);
  }
}

template <class K, class V>
void check_by_key(int keys, auto make_value) {
  for (const int n : sort_sizes()) {
    const auto count = static_cast<std::size_t>(n);
    std::mt19937 generator(9);
    std::vector<std::pair<K, V>> x(count);
    for (std::size_t i = 0; i < count; ++i)
      x[i] = {static_cast<K>(generator() % static_cast<unsigned>(keys)), make_value(i)};
    std::vector<K> k(count);
    std::vector<V> v(count);
    for (std::size_t i = 0; i < count; ++i) k[i] = x[i].first, v[i] = x[i].second;
    std::stable_sort(x.begin(), x.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<K> sorted_keys(count);
    std::vector<V> sorted_values(count);
    for (std::size_t i = 0; i < count; ++i) sorted_keys[i] = x[i].first, sorted_values[i] = x[i].second;
    for (const path& p : all_paths()) {
      if (too_slow(p, count)) continue;
      shared_data<K> a(k);
      shared_data<V> b(v);
      amphi::sort_by_key(p.policy, amphi::view(a.data(), n), amphi::view(b.data(), n));
      EXPECT_TRUE(same_bits(a.on_host(), sorted_keys)) << p.name << n;
      EXPECT_TRUE(same_bits(b.on_host(), sorted_values)) << p.name << n;
    }
  }
}
struct three {
  int a, b, c;
};
TEST(sort, values_of_equal_keys_keep_their_order) {
  check_by_key<int, std::int64_t>(50, [](std::size_t i) { return static_cast<std::int64_t>(i); });
  check_by_key<float, three>(1000, [](std::size_t i) { return three{static_cast<int>(i), 1, 2}; });
}

// Words of 4 and 8 bytes move with their keys, smaller values in words, larger ones by their numbers.
template <int Bytes>
struct bytes_of {
  std::uint8_t b[Bytes];
};
template <int Bytes>
bytes_of<Bytes> bytes_from(std::size_t i) {
  bytes_of<Bytes> v{};
  for (int k = 0; k < Bytes && k < 8; ++k) v.b[k] = static_cast<std::uint8_t>(i >> (8 * k));
  return v;
}
TEST(sort, values_of_every_size) {
  check_by_key<int, bytes_of<1>>(300, bytes_from<1>);
  check_by_key<double, std::int16_t>(7, [](std::size_t i) { return static_cast<std::int16_t>(i); });
  check_by_key<std::int8_t, bytes_of<3>>(100, bytes_from<3>);
  check_by_key<std::uint32_t, bytes_of<8>>(1000, bytes_from<8>);
  check_by_key<std::int64_t, bytes_of<5>>(1000, bytes_from<5>);
  check_by_key<std::uint16_t, bytes_of<40>>(1000, bytes_from<40>);
}
// Values whose type is as long as a word, but that do not stand where words do.
void check_values_between_words() {
  std::vector<int> keys(50001), sorted_keys;
  std::vector<bytes_of<8>> values(50002), sorted_values;
  std::vector<std::pair<int, std::size_t>> x;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<int>(i * 7919 % 1009), values[i] = bytes_from<8>(i);
    x.emplace_back(keys[i], i);
  }
  std::stable_sort(x.begin(), x.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, i] : x) sorted_keys.push_back(key), sorted_values.push_back(values[i]);
  for (const path& p : fast_paths()) {
    shared_data<int> k(keys);
    shared_data<std::uint8_t> room(8 * values.size());
    auto* const v = reinterpret_cast<bytes_of<8>*>(room.data() + 3);
    std::copy_n(values.begin(), keys.size(), v);
    amphi::sort_by_key(p.policy, amphi::view(k.data(), keys.size()), amphi::view(v, keys.size()));
    amphi::synchronize();
    EXPECT_TRUE(same_bits(k.on_host(), sorted_keys)) << p.name;
    EXPECT_TRUE(same_bits(std::vector<bytes_of<8>>(v, v + keys.size()), sorted_values)) << p.name;
  }
}
TEST(sort, values_between_words) { check_values_between_words(); }

struct item {
  int key, from;
};
struct by_key_down {
  AMPHI_HOST_DEVICE bool operator()(const item& a, const item& b) const { return b.key < a.key; }
};
TEST(sort, structs_by_a_comparison) {
  for (const int n : sort_sizes()) {
    std::mt19937 generator(10);
    std::vector<item> x(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = {static_cast<int>(generator() % 300), i};
    std::vector<item> expected = x;
    std::stable_sort(expected.begin(), expected.end(), by_key_down());
    for (const path& p : all_paths()) {
      if (too_slow(p, x.size())) continue;
      shared_data<item> a(x);
      amphi::sort(p.policy, amphi::view(a.data(), n), by_key_down());
      EXPECT_TRUE(same_bits(a.on_host(), expected)) << p.name << n;
    }
  }
}

struct by_last_digit {
  AMPHI_HOST_DEVICE bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
TEST(sort, numbers_by_a_comparison) {
  std::vector<int> x(10007);
  for (int i = 0; i < 10007; ++i) x[static_cast<std::size_t>(i)] = i * 7 % 1000;
  std::vector<int> expected = x;
  std::stable_sort(expected.begin(), expected.end(), by_last_digit());
  for (const path& p : all_paths()) {
    shared_data<int> a(x);
    amphi::sort(p.policy, amphi::view(a.data(), x.size()), by_last_digit());
    EXPECT_TRUE(same_bits(a.on_host(), expected)) << p.name;
  }
}

// A sort shows in traces and profiles wherever it runs, also where a library does the work.
void note_sorts(const amphi::launch_record& r, void* user) {
  if (std::string(r.kernel).rfind("amphi::sort", 0) != 0) return;
  int* const seen = static_cast<int*>(user);
  ++seen[r.finished];
  if (r.finished && r.milliseconds >= 0) ++seen[2];
}
TEST(sort, is_seen_by_observers) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    shared_data<int> by_digits(2000, 5), by_comparison(2000, 5);
    for (const bool comparison : {false, true}) {
      int seen[3] = {0, 0, 0};  // begun, finished, timed
      amphi::set_launch_observer(&note_sorts, seen, true);
      if (comparison) {
        amphi::sort(p.policy, amphi::view(by_comparison.data(), 2000), by_last_digit());
      } else {
        amphi::sort(p.policy, amphi::view(by_digits.data(), 2000));
      }
      amphi::set_launch_observer(nullptr);
      EXPECT_GE(seen[1], 1);
      EXPECT_EQ(seen[0], seen[1]);
      EXPECT_EQ(seen[2], seen[1]);
    }
  }
}

TEST(sort, bad_calls_are_named) {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> k(10), v(9);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::sort_by_key(cpu, k, v); }),
                   {"amphi::sort_by_key", "10", "9"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::sort_by_key(cpu, amphi::view(k.data(), 5), amphi::view(k.data() + 4, 5));
                   }),
                   {"amphi::sort_by_key", "overlaps"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::sort(cpu, amphi::view(k.data(), -1)); }),
                   {"amphi::sort", "negative"}));
  EXPECT_TRUE(says(
      message_of<amphi::launch_error>([&] { amphi::sort({.shared_bytes = 8, .backend = backend::cpu}, k); }),
      {"amphi::sort", "shared"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>(
                       [&] { amphi::sort({.backend = backend::cpu, .workers = INT64_MAX}, k); }),
                   {"amphi::sort", "workers", "4096"}));
}

// Of static objects, which go after the scratch memory of the thread that ends the program.
struct sorts_at_the_end {
  int sorted = 0;
  void sort() {
    constexpr int n = 300000;
    std::vector<int> x(n), y(n);
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = n - i;
    const amphi::policy cpu{.backend = backend::cpu};
    amphi::sort(cpu, x);
    for (int i = 0; i < n; ++i) sorted += x[static_cast<std::size_t>(i)] == i + 1 ? 1 : 0;
    amphi::inclusive_scan(cpu, x, y, amphi::maximum{});
    for (int i = 0; i < n; ++i) sorted += y[static_cast<std::size_t>(i)] == i + 1 ? 1 : 0;
  }
  ~sorts_at_the_end() {
    sort();
    sort();
    if (sorted == 6 * 300000) _exit(77);
  }
};

TEST(sort, works_in_destructors_of_static_objects) {
  EXPECT_EXIT(
      {
        static sorts_at_the_end last;
        last.sort();
        std::exit(1);
      },
      testing::ExitedWithCode(77), "");
}

}  // namespace
