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

// --- tiles of a GPU

// Not held in registers: its size is no power of two.
struct triple {
  float a;
  int value;
  float b;
  triple() = default;
  AMPHI_HOST_DEVICE explicit triple(int v) : a(static_cast<float>(v)), value(v), b(-1.5f) {}
  AMPHI_HOST_DEVICE explicit operator int() const { return value; }
};
struct is_odd {
  template <class T>
  AMPHI_HOST_DEVICE bool operator()(const T& v) const {
    return static_cast<int>(v) % 2 != 0;
  }
};
struct same_run {
  template <class T>
  AMPHI_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return (static_cast<int>(a) + 5) / 14 == (static_cast<int>(b) + 5) / 14;
  }
};

template <class T, class Out>
void check_tiling() {
  using shape = amphi::detail::select_shape<const T*, Out>;
  std::vector<T> memory(64);
  for (std::size_t skip = 0; skip < 20; ++skip)
    for (const std::int64_t n : {0, 1, 2047, 2048, 16384, 16385, 70000, 1 << 20, 100000003})
      for (const std::int64_t blocks : {1, 5, 263}) {
        const T* const x = memory.data() + skip;
        const auto t = amphi::detail::select_tiling::of<shape>(x, n, blocks);
        SCOPED_TRACE("n = " + std::to_string(n) + ", skipping " + std::to_string(skip) + ", blocks " +
                     std::to_string(blocks));
        const std::int64_t length = std::int64_t{t.rows} * shape::layer;
        EXPECT_GE(t.rows, 1);
        EXPECT_LE(t.rows, shape::most_rows);
        EXPECT_GE(t.tiles * length, n + t.pad);
        EXPECT_LT((t.tiles - 1) * length, n + t.pad);
        EXPECT_TRUE(t.rows == shape::most_rows || t.tiles <= blocks);
        EXPECT_TRUE(!t.packed ||
                    reinterpret_cast<std::uintptr_t>(x - t.pad) % (shape::width * sizeof(T)) == 0);
      }
}
TEST(select, tiles_hold_all_elements) {
  check_tiling<int, int>();
  check_tiling<signed char, std::int64_t>();
  check_tiling<double, float>();
  check_tiling<triple, triple>();
}

enum class pattern { all, none, alternating, random, runs };

// Element i is odd if it is to be kept; its place can be told from its value as far as T holds it.
template <class T>
std::vector<T> patterned(std::size_t n, pattern which) {
  std::mt19937 generator(7);
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) {
    const bool odd = which == pattern::all           ? true
                     : which == pattern::none        ? false
                     : which == pattern::alternating ? i % 2 == 1
                     : which == pattern::random      ? generator() % 3 == 0
                                                     : i / 3000 % 2 == 0;
    x.push_back(static_cast<T>(static_cast<int>(i % (sizeof(T) == 1 ? 60 : 100000000)) * 2 + odd));
  }
  return x;
}

// The n elements from element `skip` on. Others: partition and unique too.
template <class T, class Out, bool Others>
void check_tiles(std::size_t n, std::size_t skip, pattern which) {
  const std::vector<T> x = patterned<T>(n + skip, which);
  std::vector<Out> kept, parted, first;
  for (std::size_t i = skip; i < x.size(); ++i) {
    if (is_odd()(x[i])) kept.push_back(static_cast<Out>(x[i]));
    if (i == skip || !same_run()(x[i - 1], x[i])) first.push_back(static_cast<Out>(x[i]));
  }
  parted = kept;
  for (std::size_t i = skip; i < x.size(); ++i)
    if (!is_odd()(x[i])) parted.push_back(static_cast<Out>(x[i]));
  const auto count = static_cast<std::int64_t>(kept.size());
  shared_data<T> in(x);
  shared_data<Out> out(n + 9);
  shared_data<std::int64_t> number(1);
  const amphi::view source(in.data() + skip, n);
  const auto to = [&] {
    std::fill(out.data(), out.data() + n + 9, static_cast<Out>(-1));
    number.data()[0] = -7;
    return amphi::view(out.data() + 2, n);
  };
  const auto holds = [&](std::vector<Out> expected) {
    expected.insert(expected.begin(), 2, static_cast<Out>(-1));
    expected.resize(n + 9, static_cast<Out>(-1));
    return same_bits(out.on_host(), expected);
  };
  for (const path& p : {path{"automatic", {}}, path{"cpu", {.backend = backend::cpu}}}) {
    if (p.policy.backend == backend::cpu && !on_gpu() && n > 100000) continue;  // the same once more
    SCOPED_TRACE(p.name + ", n = " + std::to_string(n) + ", skipping " + std::to_string(skip) + ", pattern " +
                 std::to_string(static_cast<int>(which)));
    amphi::copy_if_into(p.policy, source, to(), number.data(), is_odd());
    EXPECT_TRUE(holds(kept));
    EXPECT_EQ(number.on_host()[0], count);
    if constexpr (Others) {
      amphi::partition_into(p.policy, source, to(), number.data(), is_odd());
      EXPECT_TRUE(holds(parted));
      EXPECT_EQ(number.on_host()[0], count);
      EXPECT_EQ(amphi::unique(p.policy, source, to(), same_run()), static_cast<std::int64_t>(first.size()));
      EXPECT_TRUE(holds(first));
    }
  }
}

template <class T, class Out, bool Others>
void check_tiles_of(std::size_t tile) {
  using enum pattern;
  for (const pattern which : {all, none, alternating, random, runs}) {
    for (const std::size_t n : {tile - 1, tile, tile + 1, 3 * tile + 77})
      check_tiles<T, Out, Others>(n, 0, which);
    check_tiles<T, Out, Others>(5 * tile, 1, which);
  }
  for (const std::size_t skip : {1u, 2u, 3u, 5u})
    for (const std::size_t n : {std::size_t{1}, std::size_t{300}, tile - 2, 2 * tile + 1})
      check_tiles<T, Out, Others>(n, skip, random);
}
TEST(select, fits_tiles_of_each_element_type) {
  check_tiles_of<int, int, true>(16384);
  check_tiles_of<triple, triple, true>(4096);
  check_tiles_of<signed char, std::int64_t, false>(8192);
}

// More than 300 tiles, so that blocks have several.
TEST(select, fits_many_tiles) {
  for (const pattern which : {pattern::random, pattern::runs}) {
    check_tiles<int, int, true>(310 * 16384 + 5, 3, which);
    check_tiles<triple, triple, true>(310 * 4096 - 1, 0, which);
  }
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
