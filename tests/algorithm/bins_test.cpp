// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm/reference.hpp"
#include "amphi/algorithm/histogram.hpp"
#include "amphi/algorithm/scatter_add.hpp"
#include "amphi/algorithm/scatter_plan.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

std::vector<int> random_bins(int n, int bins) {
  std::mt19937 generator(static_cast<unsigned>(n + bins));
  std::vector<int> x(static_cast<std::size_t>(n));
  // Some bins get many elements, some none.
  for (int& b : x) b = static_cast<int>(generator() % 3 == 0 ? 0 : generator() % static_cast<unsigned>(bins));
  for (int& b : x) b = b % 5 == 4 ? b - 1 : b;
  return x;
}

struct square {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(const T& v) const {
    return v * v;
  }
};

// Of numbers whose sums of squares overflow.
struct square_of_remainder {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(const T& v) const {
    return (v % 1000) * (v % 1000);
  }
};

// Each bin by the reference of reduce.
template <class A, class T, class Op, class F>
std::vector<A> reference_bins(const std::vector<int>& bins, const std::vector<T>& values, std::size_t count,
                              A init, Op op, F f) {
  std::vector<std::vector<A>> lists(count);
  for (std::size_t i = 0; i < bins.size(); ++i)
    lists[static_cast<std::size_t>(bins[i])].push_back(static_cast<A>(f(values[i])));
  std::vector<A> out;
  for (const auto& list : lists) out.push_back(reference::reduce(list, init, op));
  return out;
}

struct shape {
  int n, bins;
};
std::vector<shape> shapes() {
  return {{0, 3},    {1, 1},     {5, 9},     {257, 1},       {1000, 70},     {4096, 5},
          {4097, 2}, {50000, 1}, {50000, 6}, {50000, 40000}, {50000, 70000}, {100000, 1000}};
}

bool too_slow(const path& p, int n) {
  return on_gpu() && n > 5000 && (p.name == "<<<1,1>>>" || p.name == "<<<3,32>>>");
}

template <class T>
void check_sums() {
  for (const auto& [n, bin_count] : shapes()) {
    const auto count = static_cast<std::size_t>(bin_count);
    const std::vector<int> bins = random_bins(n, bin_count);
    const auto values = reference::values<T>(static_cast<std::size_t>(n), 11);
    const auto sums = reference_bins(bins, values, count, T(3), amphi::plus{}, amphi::identity());
    const auto squares = reference_bins(bins, values, count, double{}, amphi::plus{}, square());
    auto added = reference_bins(bins, values, count, T(5), amphi::plus{}, amphi::identity());
    const auto weighted = reference_bins(bins, values, count, T(), amphi::plus{}, amphi::identity());
    shared_data<int> b(bins);
    shared_data<T> v(values);
    for (const path& p : all_paths()) {
      if (too_slow(p, n)) continue;
      SCOPED_TRACE(p.name + ", n = " + std::to_string(n) + ", " + std::to_string(bin_count) + " bins");
      const amphi::view bin_view(b.data(), n);
      const amphi::view value_view(v.data(), n);
      const amphi::scatter_plan plan(p.policy, bin_view, bin_count);
      shared_data<T> out(count, T(-1)), other(count, T(5)), third(count, T(77));
      shared_data<double> two(count, -1.0);
      plan.reduce(p.policy, value_view, amphi::view(out.data(), count), T(3), amphi::plus{});
      plan.reduce(p.policy, value_view, amphi::view(two.data(), count), 0.0, amphi::plus{}, square());
      EXPECT_TRUE(same_bits(out.on_host(), sums));
      EXPECT_TRUE(same_bits(two.on_host(), squares));
      amphi::scatter_add(p.policy, bin_view, value_view, amphi::view(other.data(), count));
      EXPECT_TRUE(same_bits(other.on_host(), added));
      amphi::histogram(p.policy, bin_view, value_view, amphi::view(third.data(), count));
      EXPECT_TRUE(same_bits(third.on_host(), weighted));
    }
  }
}
TEST(scatter_plan, float_sums_have_the_reference_bits_on_every_path) { check_sums<float>(); }
TEST(scatter_plan, double_sums_have_the_reference_bits_on_every_path) { check_sums<double>(); }

// Bins of the lengths at which the work changes hands, a huge one, and many small ones; in mixed order.
std::vector<int> bins_of_lengths(int& count) {
  std::vector<int> lengths = {0,    1,    2,    8,    9,    16,   17,   63,     64,
                              65,   255,  256,  257,  511,  512,  513,  1023,   1024,
                              1025, 2048, 4095, 4096, 4097, 8192, 8193, 100001, 0};
  for (int i = 0; i < 3000; ++i) lengths.push_back(i % 4);
  count = static_cast<int>(lengths.size());
  std::vector<int> bins;
  int bin = 0;
  for (const int length : lengths) bins.insert(bins.end(), static_cast<std::size_t>(length), bin++);
  std::shuffle(bins.begin(), bins.end(), std::mt19937(5));
  return bins;
}

template <class T, class A, class Op, class F>
void check_borders(A init, Op op, F f) {
  int count = 0;
  const std::vector<int> bins = bins_of_lengths(count);
  const auto n = static_cast<int>(bins.size());
  const auto bin_count = static_cast<std::size_t>(count);
  const auto values = reference::values<T>(bins.size(), 13);
  const auto expected = reference_bins(bins, values, bin_count, init, op, f);
  std::vector<std::size_t> sorted(bins.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
  std::stable_sort(sorted.begin(), sorted.end(), [&](auto x, auto y) { return bins[x] < bins[y]; });
  std::vector<T> in_order;
  for (const std::size_t i : sorted) in_order.push_back(values[i]);
  shared_data<int> b(bins);
  shared_data<T> v(values), w(in_order);
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    SCOPED_TRACE(p.name);
    const amphi::scatter_plan plan(p.policy, amphi::view(b.data(), n), count);
    shared_data<A> out(bin_count, init), again(bin_count, init);
    plan.reduce(p.policy, amphi::view(v.data(), n), amphi::view(out.data(), bin_count), init, op, f);
    plan.reduce_in_order(p.policy, amphi::view(w.data(), n), amphi::view(again.data(), bin_count), init, op,
                         f);
    EXPECT_TRUE(same_bits(out.on_host(), expected));
    EXPECT_TRUE(same_bits(again.on_host(), expected));
  }
}
// Of 24 bytes, which are read through a permutation, and of 8 that are not aligned to 8.
struct triple {
  double a, b, c;
  AMPHI_HOST_DEVICE friend triple operator+(const triple& x, const triple& y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c};
  }
};
struct pair {
  float a, b;
  AMPHI_HOST_DEVICE friend pair operator+(const pair& x, const pair& y) { return {x.a + y.a, x.b + y.b}; }
};
struct powers {
  AMPHI_HOST_DEVICE triple operator()(float x) const { return {1.0, x, double{x} * x}; }
};
struct near_one {
  AMPHI_HOST_DEVICE double operator()(double x) const { return 1.0 + x * 1e-6; }
};
TEST(scatter_plan, bins_of_every_length_have_the_reference_bits) {
  check_borders<float>(0.5f, amphi::plus{}, amphi::identity());
  check_borders<double>(1.0, amphi::multiplies{}, near_one());
  check_borders<std::int64_t>(std::int64_t{-3}, amphi::plus{}, square_of_remainder());
  check_borders<float>(triple{0.5, 0.0, -1.0}, amphi::plus{}, powers());
}

template <class T, class Make>
void check_added(Make make) {
  int count = 0;
  const std::vector<int> bins = bins_of_lengths(count);
  const auto n = static_cast<int>(bins.size());
  std::vector<T> values;
  for (const float x : reference::values<float>(bins.size(), 14)) values.push_back(make(x));
  const auto expected = reference_bins(bins, values, static_cast<std::size_t>(count), make(3.0f),
                                       amphi::plus{}, amphi::identity());
  shared_data<int> b(bins);
  shared_data<T> v(values);
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    shared_data<T> out(static_cast<std::size_t>(count), make(3.0f));
    amphi::scatter_add(p.policy, amphi::view(b.data(), n), amphi::view(v.data(), n),
                       amphi::view(out.data(), count));
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << p.name;
  }
}
TEST(scatter_add, values_of_every_size) {
  check_added<float>([](float x) { return x; });
  check_added<std::int64_t>([](float x) { return static_cast<std::int64_t>(x * 1000.0f); });
  check_added<std::int16_t>([](float x) { return static_cast<std::int16_t>(x); });
  check_added<pair>([](float x) { return pair{x, -x}; });
  check_added<triple>([](float x) { return triple{x, -x, 1.0}; });
}

// Values that don't lie in memory, and as many bins as a whole number of bits tells apart.
void check_numbered(int bin_count) {
  constexpr int n = 30000;
  std::vector<int> bins = random_bins(n, bin_count);
  bins[100] = bin_count - 1;
  std::vector<std::int64_t> expected(static_cast<std::size_t>(bin_count), 7);
  for (int i = 0; i < n; ++i) expected[static_cast<std::size_t>(bins[static_cast<std::size_t>(i)])] += i;
  shared_data<int> b(bins);
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    shared_data<std::int64_t> out(expected.size(), 7);
    amphi::scatter_add(p.policy, amphi::view(b.data(), n), amphi::index_range(0, n),
                       amphi::view(out.data(), bin_count));
    EXPECT_EQ(out.on_host(), expected) << p.name << ", " << bin_count;
  }
}
TEST(scatter_add, of_numbers_into_as_many_bins_as_bits_tell_apart) {
  for (const int bin_count : {1, 2, 3, 255, 256, 257, 65535, 65536, 65537}) check_numbered(bin_count);
}

void products_and_order() {
  constexpr int n = 20000, bin_count = 300;
  const std::vector<int> bins = random_bins(n, bin_count);
  auto values = reference::values<double>(n, 12);
  for (double& v : values) v = 1.0 + v * 1e-6;
  const auto products = reference_bins(bins, values, bin_count, 1.0, amphi::multiplies{}, amphi::identity());
  shared_data<int> b(bins);
  for (const path& p : all_paths()) {
    if (too_slow(p, n)) continue;
    SCOPED_TRACE(p.name);
    const amphi::scatter_plan plan(p.policy, amphi::view(b.data(), n), std::uint16_t{bin_count});
    shared_data<std::uint32_t> order(n);
    shared_data<std::int64_t> offsets(bin_count + 1);
    amphi::synchronize();
    amphi::copy_bytes(order.data(), plan.permutation().data(), n * sizeof(std::uint32_t), p.policy.stream);
    amphi::copy_bytes(offsets.data(), plan.offsets().data(), (bin_count + 1) * sizeof(std::int64_t),
                      p.policy.stream);
    const auto host_order = order.on_host();
    std::vector<std::uint32_t> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(), [&](auto x, auto y) { return bins[x] < bins[y]; });
    EXPECT_TRUE(same_bits(host_order, expected));
    EXPECT_EQ(offsets.on_host().front(), 0);
    EXPECT_EQ(offsets.on_host().back(), n);
    std::vector<double> in_order;
    for (const auto i : host_order) in_order.push_back(values[i]);
    shared_data<double> v(values), w(in_order), out(bin_count), again(bin_count);
    plan.reduce(p.policy, amphi::view(v.data(), n), amphi::view(out.data(), bin_count), 1.0,
                amphi::multiplies{});
    EXPECT_TRUE(same_bits(out.on_host(), products));
    plan.reduce_in_order(p.policy, amphi::view(w.data(), n), amphi::view(again.data(), bin_count), 1.0,
                         amphi::multiplies{});
    EXPECT_TRUE(same_bits(again.on_host(), products));
  }
}
TEST(scatter_plan, products_permutation_and_data_in_bin_order) { products_and_order(); }

// The bodies by which a GPU brings many values to their bins, block by block on the CPU.
struct tiles_name {
  [[maybe_unused]] static constexpr const char* name = "tiles";
};
template <class A, class E, class F>
void check_tiles(int n, int bin_count, const E& values, F f) {
  using namespace amphi::detail;
  const auto count = static_cast<std::size_t>(n);
  const std::vector<int> bins = random_bins(n, bin_count);
  std::vector<std::uint32_t> keys(bins.begin(), bins.end()), order(count), tile_order(count);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(bin_count) + 1);
  for (const int b : bins) ++offsets[static_cast<std::size_t>(b) + 1];
  for (std::size_t b = 1; b < offsets.size(); ++b) offsets[b] += offsets[b - 1];
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return bins[x] < bins[y]; });
  std::vector<bin_tile_index> places(count), elements(count);
  std::vector<A> room(count);
  const bin_tile_places<tiles_name> place(keys.data(), offsets.data(), n, places.data(), elements.data());
  const bin_tile_values<tiles_name, A, E, F> move{{{{values}}}, f, elements.data(), room.data(), n};
  const auto in_blocks = [&](const auto& body, int shared_bytes) {
    amphi::policy p{.grid = bin_tiles(n), .block = bin_tile_threads, .backend = backend::cpu, .workers = 2};
    p.shared_bytes = shared_bytes;
    p.order = amphi::thread_order::random(3);
    amphi::launch(p, body);
  };
  in_blocks(place, 0);
  for (std::int64_t k = 0; k < n; ++k)
    bin_tile_order<tiles_name>{order.data(), places.data(), tile_order.data()}(k);
  in_blocks(move, move.shared_bytes);
  std::vector<A> found, expected;
  for (const auto at : tile_order) found.push_back(room[at]);
  for (const auto i : order) expected.push_back(static_cast<A>(f(values[i])));
  EXPECT_TRUE(same_bits(found, expected)) << n << ", " << bin_count;
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(elements[i / bin_tile * bin_tile + places[i]], i % bin_tile);
    if (i % bin_tile == 0) continue;
    // In the order of the bins' groups.
    const auto group = [&](std::size_t at) {
      return offsets[keys[i / bin_tile * bin_tile + elements[at]]] >> place.group_bits;
    };
    ASSERT_LE(group(i - 1), group(i));
  }
}
TEST(scatter_plan, tiles_hold_values_in_the_order_of_bins) {
  for (const int n : {1, 1000, 8191, 8192, 8193, 30000})
    for (const int bin_count : {1, 7, 5000, 100000}) {
      const auto values = reference::values<float>(static_cast<std::size_t>(n), 15);
      check_tiles<float>(n, bin_count, values.data(), amphi::identity());
      check_tiles<double>(n, bin_count, values.data(), square());
    }
}

// So many that a GPU takes that way.
template <class A>
void check_many(int n, int bin_count) {
  const std::vector<int> bins = random_bins(n, bin_count);
  const auto values = reference::values<float>(bins.size(), 16);
  const auto count = static_cast<std::size_t>(bin_count);
  const auto expected = reference_bins(bins, values, count, A(3), amphi::plus{}, square());
  shared_data<int> b(bins);
  shared_data<float> v(values);
  const amphi::scatter_plan plan(amphi::view(b.data(), n), bin_count);
  for (int again = 0; again < 2; ++again) {
    shared_data<A> out(count, A(-1));
    plan.reduce(amphi::view(v.data(), n), amphi::view(out.data(), count), A(3), amphi::plus{}, square());
    EXPECT_TRUE(same_bits(out.on_host(), expected)) << n << ", " << bin_count;
  }
}
TEST(scatter_plan, many_values) {
  check_many<double>(6000001, 300000);
  check_many<double>(5300000, 20);
  check_many<float>(11000000, 1000);
}

struct tenth {
  AMPHI_HOST_DEVICE int operator()(int v) const { return v / 10; }
};
template <class Count>
void check_counts() {
  for (const auto& [n, bin_count] : shapes()) {
    const std::vector<int> bins = random_bins(n, bin_count);
    std::vector<Count> expected(static_cast<std::size_t>(bin_count)), tens(expected.size());
    for (const int b : bins)
      ++expected[static_cast<std::size_t>(b)], ++tens[static_cast<std::size_t>(b / 10)];
    shared_data<int> in(bins);
    for (const path& p : all_paths()) {
      SCOPED_TRACE(p.name + ", n = " + std::to_string(n));
      shared_data<Count> counts(expected.size(), Count{9}), others(expected.size(), Count{9});
      amphi::histogram(p.policy, amphi::view(in.data(), n), amphi::view(counts.data(), bin_count));
      EXPECT_TRUE(same_bits(counts.on_host(), expected));
      amphi::histogram(p.policy, amphi::view(in.data(), n), amphi::view(others.data(), bin_count), tenth());
      EXPECT_TRUE(same_bits(others.on_host(), tens));
    }
  }
}
TEST(histogram, counts_are_exact_on_every_path) {
  check_counts<int>();
  check_counts<std::uint64_t>();
}

// A real program accumulates in passes: 100 in each of 10 bins, then 200.
TEST(scatter_add, adds_to_what_is_there) {
  std::vector<int> bins(1000);
  for (int i = 0; i < 1000; ++i) bins[static_cast<std::size_t>(i)] = i % 10;
  shared_data<int> b(bins);
  for (const path& p : all_paths()) {
    shared_data<double> ones(1000, 1.0), out(10, 0.0);
    for (const double expected : {100.0, 200.0}) {
      amphi::scatter_add(p.policy, amphi::view(b.data(), 1000), amphi::view(ones.data(), 1000),
                         amphi::view(out.data(), 10));
      EXPECT_TRUE(same_bits(out.on_host(), std::vector<double>(10, expected))) << p.name;
    }
  }
}

TEST(scatter_plan, moves) {
  const amphi::policy cpu{.backend = backend::cpu};
  const std::vector<int> bins = {0, 1, 1};
  const std::vector<double> values = {1.0, 2.0, 4.0};
  std::vector<double> out(2);
  amphi::scatter_plan first(cpu, bins, 2), other(cpu, std::vector<int>{0}, 1);
  amphi::scatter_plan plan = std::move(first);
  EXPECT_EQ(first.size(), 0);
  EXPECT_EQ(first.bin_count(), 0);
  EXPECT_EQ(first.permutation().size(), 0);
  EXPECT_EQ(first.offsets().size(), 0);
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { first.reduce(cpu, values, out, 0.0, amphi::plus{}); }),
           {"scatter_plan", "3", "0"}));
  first.reduce(cpu, std::vector<double>{}, out, 0.0, amphi::plus{});
  other = std::move(plan);
  plan = std::move(other);
  plan.reduce(cpu, values, out, 0.0, amphi::plus{});
  EXPECT_TRUE(same_bits(out, {1.0, 6.0}));
}

TEST(scatter_add, bad_calls_are_named) {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> bins = {0, 1, 6};
  std::vector<double> values(3), out(7);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::scatter_plan plan(cpu, bins, -2); }),
                   {"scatter_plan", "-2"}));
  const amphi::scatter_plan plan(cpu, bins, 7);
  values.resize(2);
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::scatter_add(cpu, bins, values, out); }),
                   {"scatter_add", "3", "2"}));
  EXPECT_TRUE(
      says(message_of<amphi::bounds_error>([&] { plan.reduce(cpu, values, out, 0.0, amphi::plus{}); }),
           {"scatter_plan", "2", "3"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::histogram(cpu, bins, bins); }),
                   {"histogram", "overlaps"}));
}

template <class B>
struct bin_at {
  const B* bins;
  AMPHI_HOST_DEVICE B operator()(int i) const { return bins[i]; }
};

// The first element whose bin is bad is named, with its bin and what is allowed; the outputs stay as they
// are.
template <class B>
void check_bad_bins(int n, std::int64_t bin_count, int first, B bad, const std::string& name) {
  for (const path& p : cpu_paths()) {
    SCOPED_TRACE(p.name + ", " + std::to_string(n) + " elements, " + std::to_string(bin_count) + " bins, " +
                 name);
    std::vector<B> bins(static_cast<std::size_t>(n), B(1));
    bins[static_cast<std::size_t>(first)] = bad;
    bins.back() = bad;
    const std::vector<double> values(bins.size(), 1.0);
    std::vector<double> out(static_cast<std::size_t>(bin_count), -3.0);
    std::vector<int> counts(out.size());
    const auto expect = [&](const char* algorithm, const std::string& text) {
      EXPECT_TRUE(says(text, {algorithm, ": the bin of element " + std::to_string(first) + " is " + name,
                              "outside [0, " + std::to_string(bin_count) + ")", "correct it"}));
      EXPECT_EQ(text.find(".hpp"), std::string::npos) << text;
    };
    expect("amphi::scatter_plan",
           message_of<amphi::bounds_error>([&] { amphi::scatter_plan plan(p.policy, bins, bin_count); }));
    expect("amphi::scatter_add",
           message_of<amphi::bounds_error>([&] { amphi::scatter_add(p.policy, bins, values, out); }));
    expect("amphi::histogram",
           message_of<amphi::bounds_error>([&] { amphi::histogram(p.policy, bins, values, out); }));
    EXPECT_TRUE(same_bits(out, std::vector<double>(out.size(), -3.0)));
    expect("amphi::histogram",
           message_of<amphi::bounds_error>([&] { amphi::histogram(p.policy, bins, counts); }));
    expect("amphi::histogram", message_of<amphi::bounds_error>([&] {
             amphi::histogram(p.policy, amphi::index_range(0, n), counts, bin_at<B>{bins.data()});
           }));
  }
}

TEST(scatter_plan, an_element_in_no_bin_is_named) {
  check_bad_bins(3, 7, 2, 7, "7");
  check_bad_bins(50000, 7, 20000, -1, "-1");
  check_bad_bins(70000, 70000, 0, 70000, "70000");  // more bins than are counted
  check_bad_bins(70000, 66000, 40000, INT32_MIN, "-2147483648");
  check_bad_bins<signed char>(40000, 100, 17000, 100, "100");
  check_bad_bins<std::uint64_t>(40000, 100, 39000, UINT64_MAX, "9223372036854775807 or more");
  // A bin that 32 bits would take for number 1.
  check_bad_bins<std::int64_t>(40000, 100, 39000, (std::int64_t{1} << 32) + 1, "4294967297");
}

TEST(scatter_plan, elements_without_any_bin_are_an_error) {
  const amphi::policy cpu{.backend = backend::cpu};
  const std::vector<int> bins(5);
  std::vector<int> counts;
  for (const std::string& text :
       {message_of<amphi::bounds_error>([&] { amphi::scatter_plan plan(cpu, bins, 0); }),
        message_of<amphi::bounds_error>([&] { amphi::histogram(cpu, bins, counts); })})
    EXPECT_TRUE(says(text, {"the bin of element 0 is 0, and there are no bins"}));
}

#if AMPHI_CUDA
TEST(scatter_add, a_bad_bin_on_a_gpu_is_reported_at_the_next_synchronisation) {
  if (!on_gpu()) GTEST_SKIP() << "no GPU";
  shared_data<int> bins(std::vector<int>{0, 1, 7});
  shared_data<double> values(3, 1.0), out(7, 0.0);
  amphi::scatter_add(amphi::view(bins.data(), 3), amphi::view(values.data(), 3), amphi::view(out.data(), 7));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([] { amphi::synchronize(); }),
                   {"amphi::scatter_add: the bin of element 2 is 7, which is outside [0, 7)"}));
  EXPECT_TRUE(same_bits(out.on_host(), {1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
}
#endif

}  // namespace
