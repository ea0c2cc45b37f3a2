// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/segmented_reduce.hpp"

#include <limits>
#include <utility>

#include "algorithm/reference.hpp"
#include "amphi/algorithm/reduce.hpp"
#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;

// Each segment by the reference of reduce.
template <class A, class T, class Op, class F>
std::vector<A> reference_segments(const std::vector<T>& x, const std::vector<std::int64_t>& offsets, A init,
                                  Op op, F f) {
  std::vector<A> out;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::vector<A> part;
    for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i)
      part.push_back(static_cast<A>(f(x[static_cast<std::size_t>(i)])));
    out.push_back(reference::reduce(part, init, op));
  }
  return out;
}

// Offsets of segments with these lengths, behind `skip` elements that belong to none.
std::vector<std::int64_t> offsets_of(const std::vector<std::int64_t>& lengths, std::int64_t skip) {
  std::vector<std::int64_t> offsets = {skip};
  for (const std::int64_t l : lengths) offsets.push_back(offsets.back() + l);
  return offsets;
}

// Lengths around all bounds of the algorithm's parts; many short ones; a few long ones; what chance brings.
std::vector<std::vector<std::int64_t>> shapes() {
  std::vector<std::vector<std::int64_t>> all = {
      {},
      {0},
      {1},
      {0, 0, 0, 0, 0},
      {0,    1,    0,    31,   32,   33,   0,    255,  256,  257,  0,    3,    16, 17, 64, 65,     512, 513,
       1023, 1024, 1025, 2047, 2048, 2049, 3073, 4095, 4096, 4097, 8191, 8193, 2,  0,  0,  100003, 7,   0},
      {64 * 4096, 3, 64 * 4096 + 1, 64 * 4096 - 4095, 1025, 64 * 4096 - 4096},
      {(1 << 20) + 4321, 5, (1 << 20) - 1, 0, 1 << 20},
      std::vector<std::int64_t>(257, 1),
      std::vector<std::int64_t>(33, 1000),
      std::vector<std::int64_t>(40, 5000)};
  std::mt19937 generator(21);
  for (const unsigned most : {3u, 9u, 40u, 70u, 300u, 2000u, 20000u}) {
    std::vector<std::int64_t> lengths(most < 100 ? 3001 : 201);
    for (auto& l : lengths) l = generator() % (generator() % most + 1);
    all.push_back(lengths);
  }
  // One that all parts of the work share with many short ones around it.
  std::vector<std::int64_t> uneven(2000, 2);
  uneven[900] = 700001;
  all.push_back(uneven);
  return all;
}

bool too_slow(const path& p, std::size_t n) {
  return on_gpu() && n > 50000 && (p.name == "<<<1,1>>>" || p.name == "<<<3,32>>>");
}

template <class T, class I, class A>
void check_paths(auto op, A init) {
  unsigned seed = 0;
  for (const auto& lengths : shapes()) {
    const auto offsets = offsets_of(lengths, seed % 3);
    const auto n = static_cast<std::size_t>(offsets.back()) + seed % 2;
    if (std::cmp_greater(offsets.back(), std::numeric_limits<I>::max())) continue;
    const std::vector<T> x = reference::values<T>(n, ++seed);
    const std::vector<A> expected = reference_segments(x, offsets, init, op, amphi::identity());
    shared_data<T> in(x);
    shared_data<I> o(std::vector<I>(offsets.begin(), offsets.end()));
    for (const path& p : all_paths()) {
      if (too_slow(p, n)) continue;
      SCOPED_TRACE(p.name + ", shape " + std::to_string(seed));
      shared_data<A> out(lengths.size() + 1, A(77));
      amphi::segmented_reduce(p.policy, amphi::view(in.data(), n), amphi::view(o.data(), o.size()),
                              amphi::view(out.data(), out.size()), init, op);
      auto got = out.on_host();
      EXPECT_TRUE(same_bits<A>({got.back()}, {A(77)}));
      got.pop_back();
      EXPECT_TRUE(same_bits(got, expected));
    }
  }
}
TEST(segmented_reduce, float_sums_have_the_reference_bits_on_every_path) {
  check_paths<float, int>(amphi::plus{}, 0.5f);
}
TEST(segmented_reduce, float_elements_in_double_sums) {
  check_paths<float, std::int64_t>(amphi::plus{}, 0.25);
}
TEST(segmented_reduce, double_sums) { check_paths<double, std::uint64_t>(amphi::plus{}, 1.0); }
TEST(segmented_reduce, int_products) { check_paths<std::uint32_t, std::int64_t>(amphi::multiplies{}, 3u); }
TEST(segmented_reduce, int_sums) {
  check_paths<std::int32_t, std::uint32_t>(amphi::plus{}, std::int64_t{-3});
}
TEST(segmented_reduce, bytes_by_exclusive_or) {
  check_paths<std::uint8_t, std::int16_t>(amphi::bit_xor{}, std::uint8_t{3});
}
TEST(segmented_reduce, float_minima) { check_paths<float, std::uint16_t>(amphi::minimum{}, 1e30f); }

// What reduce gives for each segment alone, found by reduce itself.
TEST(segmented_reduce, agrees_with_reduce) {
  const auto offsets = offsets_of({5, 0, 1025, 70001, 33}, 2);
  const auto x = reference::values<float>(static_cast<std::size_t>(offsets.back()), 4);
  shared_data<float> in(x), out(5);
  shared_data<std::int64_t> o(offsets);
  amphi::segmented_reduce(amphi::view(in.data(), in.size()), amphi::view(o.data(), o.size()),
                          amphi::view(out.data(), out.size()));
  std::vector<float> expected;
  for (std::size_t s = 0; s < 5; ++s)
    expected.push_back(amphi::reduce(amphi::view(in.data() + offsets[s], offsets[s + 1] - offsets[s])));
  EXPECT_TRUE(same_bits(out.on_host(), expected));
}

// An accumulator that no vector fits, with a function of the elements.
struct range {
  std::int64_t low = INT64_MAX, high = INT64_MIN, count = 0;
  friend bool operator==(const range&, const range&) = default;
};
struct join {
  AMPHI_HOST_DEVICE range operator()(const range& a, const range& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.count + b.count};
  }
};
struct range_of {
  AMPHI_HOST_DEVICE range operator()(std::int64_t v) const { return {-v, v, 1}; }
};
void check_index_ranges() {
  for (const auto& lengths : shapes()) {
    const auto offsets = offsets_of(lengths, 1);
    std::vector<range> expected(lengths.size());
    for (std::size_t s = 0; s < lengths.size(); ++s)
      for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i)
        expected[s] = join()(expected[s], range_of()(i - 10));
    shared_data<std::int64_t> o(offsets);
    for (const path& p : all_paths()) {
      if (too_slow(p, static_cast<std::size_t>(offsets.back()))) continue;
      shared_data<range> out(lengths.size());
      amphi::segmented_reduce(p.policy, amphi::index_range(std::int64_t{-10}, offsets.back() - 10),
                              amphi::view(o.data(), o.size()), amphi::view(out.data(), out.size()), range{},
                              join(), range_of());
      EXPECT_EQ(out.on_host(), expected) << p.name;
    }
  }
}
TEST(segmented_reduce, struct_accumulators_over_an_index_range) { check_index_ranges(); }

// The bodies of the GPU's kernels, thread by thread on the CPU.
template <class A>
struct listed {
  shared_data<amphi::detail::listed_tile> tiles;
  shared_data<A> results;
  shared_data<std::int64_t> count;
  shared_data<unsigned> done;

  explicit listed(std::int64_t capacity)
      : tiles(static_cast<std::size_t>(capacity)),
        results(static_cast<std::size_t>(capacity)),
        count(1),
        done(1) {}

  amphi::detail::tile_list<A> list() {
    return {static_cast<std::int64_t>(tiles.size()), tiles.data(), results.data(), count.data(), done.data()};
  }
  bool is_clean() { return count.data()[0] == 0 && done.data()[0] == 0; }
};

// `per_warp` 0: a block for each segment.
template <class Data>
void run_bodies(const Data& d, listed<typename Data::accumulator>& l, int per_warp, int most,
                amphi::thread_order order) {
  amphi::policy p{.block = 256, .backend = backend::cpu, .workers = 2, .order = order};
  if (per_warp == 0) {
    const int per_block = most == 1024 ? 1 : 3;
    p.grid = amphi::ceil_div(d.segments.count, std::int64_t{per_block});
    amphi::launch(p, amphi::detail::segments_by_blocks<Data>{d, l.list(), per_block});
  } else {
    p.grid = amphi::ceil_div(d.segments.count, std::int64_t{8} * per_warp);
    if (most == 1024 && per_warp == 5) {
      amphi::launch(p, amphi::detail::segments_by_warps<Data, false>{d, l.list(), per_warp, most});
    } else {
      amphi::launch(p, amphi::detail::segments_by_warps<Data>{d, l.list(), per_warp, most});
    }
  }
  p.grid = 3;
  amphi::launch(p, amphi::detail::listed_tiles<Data>{d, l.list(), true});
  amphi::launch(p, amphi::detail::listed_segments<Data>{d, l.list()});
}

template <class T, class A, class F>
auto data_of(shared_data<T>& in, shared_data<std::int64_t>& offsets, shared_data<A>& out, A init, F f) {
  const auto source = amphi::detail::make_zip(static_cast<const T*>(in.data()));
  using source_type = std::remove_const_t<decltype(source)>;
  return amphi::detail::segment_data<source_type, F, amphi::plus<>, A, A, std::int64_t>{
      source,
      f,
      {},
      init,
      out.data(),
      {offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1, static_cast<std::int64_t>(in.size())}};
}

template <class T, class A, class F = amphi::identity>
void check_bodies(A init, F f = {}) {
  using amphi::thread_order;
  for (const auto& lengths : shapes()) {
    if (lengths.empty()) continue;
    const auto offsets = offsets_of(lengths, 0);
    const std::vector<T> x = reference::values<T>(static_cast<std::size_t>(offsets.back()), 6);
    const auto expected = reference_segments(x, offsets, init, amphi::plus{}, f);
    shared_data<T> in(x);
    shared_data<std::int64_t> o(offsets);
    listed<A> l(amphi::detail::tile_list<A>::most(offsets.back()));
    int most = 1024;
    for (const int per_warp : {0, 1, 5, 32})
      for (const auto order : {thread_order::forward, thread_order::reverse, thread_order::random(3)}) {
        shared_data<A> out(lengths.size(), init);
        run_bodies(data_of(in, o, out, init, f), l, per_warp, most, order);
        EXPECT_TRUE(same_bits(out.on_host(), expected)) << per_warp << " a warp, " << most;
        EXPECT_TRUE(l.is_clean());
        most = most == 1024 ? 4096 : most == 4096 ? 32 * 4096 : 1024;
      }
  }
}
TEST(segmented_reduce, bodies_for_gpus_have_the_reference_bits) {
  check_bodies<float>(0.5f);
  check_bodies<float>(0.5);
}
struct triple {
  double a, b, c;
  AMPHI_HOST_DEVICE friend triple operator+(const triple& x, const triple& y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c};
  }
};
struct powers {
  AMPHI_HOST_DEVICE triple operator()(float x) const { return {1.0, x, double{x} * x}; }
};
TEST(segmented_reduce, bodies_for_gpus_with_wide_accumulators) {
  check_bodies<float>(triple{0.5, 0.0, -1.0}, powers());
}

// Offsets that decrease can ask for more tiles than there is room for.
void check_small_list() {
  const std::vector<std::int64_t> lengths = {3000, 100, 9000, 1 << 20, 5000, (1 << 20) + 1, 2000, 1500};
  const auto offsets = offsets_of(lengths, 0);
  const auto x = reference::values<float>(static_cast<std::size_t>(offsets.back()), 6);
  const auto expected = reference_segments(x, offsets, 1.0f, amphi::plus{}, amphi::identity());
  shared_data<float> in(x), out(lengths.size(), 77.0f);
  shared_data<std::int64_t> o(offsets);
  for (const int capacity : {0, 1, 2, 3, 4, 5, 8, 9, 200, 268, 300, 400}) {
    listed<float> l(capacity);
    run_bodies(data_of(in, o, out, 1.0f, amphi::identity()), l, 1, 1024, amphi::thread_order::forward);
    const auto got = out.on_host();
    EXPECT_EQ(got[1], expected[1]);
    for (std::size_t s = 0; s < got.size(); ++s) EXPECT_TRUE(got[s] == 77.0f || got[s] == expected[s]) << s;
    EXPECT_TRUE(l.is_clean());
  }
}
TEST(segmented_reduce, a_list_that_is_too_small_is_not_overrun) { check_small_list(); }

TEST(segmented_reduce, shares_segments_out_among_warps_or_blocks) {
  const auto shape = [](std::int64_t n, std::int64_t segments) {
    return amphi::detail::segment_shape(n, segments, 132, 8192);
  };
  const auto expect_warps = [&](std::int64_t n, std::int64_t segments, int per_warp, int most) {
    const auto s = shape(n, segments);
    EXPECT_FALSE(s.by_blocks);
    EXPECT_EQ(s.each, per_warp) << n << " " << segments;
    EXPECT_EQ(s.most_of_warp, most) << n << " " << segments;
    EXPECT_EQ(s.threads, 256);
    EXPECT_EQ(s.blocks, (segments + 8 * per_warp - 1) / (8 * per_warp));
  };
  expect_warps(0, 5, 1, 1024);
  expect_warps(1 << 28, 1, 1, 4096);
  expect_warps(1 << 24, 500, 1, 4096);
  expect_warps(1 << 23, 8448, 1, 1024);
  expect_warps(1 << 23, 8449, 2, 1024);
  expect_warps(1 << 24, 100000, 12, 1024);
  expect_warps(1 << 28, 1 << 27, 32, 1024);
  expect_warps(1 << 28, 1 << 18, 7, 4096);
  // Of one warp a block.
  const auto middle = shape(1 << 28, 53687);
  EXPECT_FALSE(middle.by_blocks);
  EXPECT_EQ(middle.threads, 32);
  EXPECT_EQ(middle.each, 1);
  EXPECT_EQ(middle.most_of_warp, 20000);
  EXPECT_EQ(middle.blocks, 53687);
  EXPECT_EQ(shape(2112 * 1500, 2112).threads, 32);
  EXPECT_EQ(shape(2112 * 1500, 2112).most_of_warp, 6000);
  EXPECT_EQ(shape(2112 * 1500 - 1, 2112).threads, 256);
  EXPECT_EQ(shape(2111 * 1500, 2111).threads, 256);
  EXPECT_TRUE(shape(2112 * 10000, 2112).by_blocks);
  EXPECT_EQ(shape(2112 * 10000, 2112).each, 2);
  EXPECT_EQ(shape(2112 * 10000, 2112).blocks, 1056);
  EXPECT_FALSE(shape(2112 * 10000 - 1, 2112).by_blocks);
  EXPECT_FALSE(shape(2111 * 10000, 2111).by_blocks);
  EXPECT_EQ(shape(std::int64_t{1} << 40, 1 << 20).each, 1);
  EXPECT_EQ(shape(std::int64_t{1} << 50, std::int64_t{1} << 32).each, 3);
}

// As many segments as there must be for a block or a warp of its own to take each; some very long, some
// short, some empty.
template <class T>
void check_many_long_segments(std::size_t count, unsigned mean) {
  std::vector<std::int64_t> lengths(count);
  std::mt19937 generator(8);
  for (auto& l : lengths) l = 1 + generator() % (2 * mean);
  lengths[3] = 64 * 4096, lengths[4] = 64 * 4096 + 1, lengths[1000] = 700001, lengths[1001] = 0;
  lengths[10] = 4 * mean, lengths[11] = 8 * mean, lengths[12] = 16 * mean, lengths[13] = 32 * 4096;
  for (const std::size_t i : {std::size_t{0}, std::size_t{999}, count - 1})
    lengths[i] = static_cast<std::int64_t>(4096 * (1 + i % 3) + i % 2);
  const auto offsets = offsets_of(lengths, 1);
  const std::vector<T> x = reference::values<T>(static_cast<std::size_t>(offsets.back()), 9);
  shared_data<T> in(x), out(lengths.size());
  shared_data<std::int64_t> o(offsets);
  amphi::segmented_reduce(amphi::view(in.data(), in.size()), amphi::view(o.data(), o.size()),
                          amphi::view(out.data(), out.size()), T(1), amphi::plus{});
  EXPECT_TRUE(
      same_bits(out.on_host(), reference_segments(x, offsets, T(1), amphi::plus{}, amphi::identity())));
}
TEST(segmented_reduce, many_long_segments) {
  check_many_long_segments<float>(2500, 13000);
  check_many_long_segments<double>(9000, 2600);
}

void bad_calls() {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<float> x(100000, 1.0f), out(3, -5.0f);
  const auto message = [&](std::vector<std::int64_t> offsets) {
    return message_of<amphi::bounds_error>(
        [&] { amphi::segmented_reduce(cpu, x, offsets, out, 0.0f, amphi::plus{}); });
  };
  EXPECT_TRUE(says(message({0, 5, 4, 10}), {"segmented_reduce", "segment 1", "5", "4", "100000"}));
  EXPECT_TRUE(says(message({-1, 5, 7, 10}), {"segment 0", "-1"}));
  EXPECT_TRUE(says(message({0, 5, 7, 100001}), {"segment 2", "100001"}));
  EXPECT_TRUE(says(message({}), {"offsets", "0", "1"}));
  EXPECT_TRUE(says(message({0, 1, 2, 3, 4}), {"output", "3", "4"}));
  const std::vector<std::uint64_t> huge = {0, 1, UINT64_MAX, UINT64_MAX};
  EXPECT_TRUE(says(message_of<amphi::bounds_error>(
                       [&] { amphi::segmented_reduce(cpu, x, huge, out, 0.0f, amphi::plus{}); }),
                   {"segment 1"}));
  // One bad offset among many, found before anything is written.
  std::vector<int> many(60001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int>(i);
  std::vector<float> results(60000, -5.0f);
  for (const std::size_t at : {1u, 30000u, 60000u}) {
    const int before = std::exchange(many[at], at == 60000 ? 100001 : -1);
    EXPECT_TRUE(says(message_of<amphi::bounds_error>(
                         [&] { amphi::segmented_reduce(cpu, x, many, results, 0.0f, amphi::plus{}); }),
                     {"segment " + std::to_string(at - 1)}))
        << at;
    many[at] = before;
  }
  EXPECT_EQ(results, std::vector<float>(60000, -5.0f));
  EXPECT_EQ(out, std::vector<float>(3, -5.0f));
  std::vector<int> own = {0, 1, 2};
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::segmented_reduce(cpu, own, std::vector<int>{0, 1, 3},
                                             amphi::view(own.data() + 1, 2), 0, amphi::plus{});
                   }),
                   {"overlaps"}));
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] {
                     amphi::segmented_reduce(cpu, std::vector<int>(9), own, amphi::view(own.data() + 1, 2), 0,
                                             amphi::plus{});
                   }),
                   {"overlaps"}));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] {
                     amphi::segmented_reduce({.shared_bytes = 8, .backend = backend::cpu}, x,
                                             std::vector<int>{0, 1}, out, 0.0f);
                   }),
                   {"segmented_reduce", "shared"}));
}
TEST(segmented_reduce, bad_calls_are_named) { bad_calls(); }

// Offsets are read when the work runs.
void replays() {
  constexpr int n = 50000, segments = 300;
  const amphi::stream stream;
  shared_data<float> in(n), out(segments);
  shared_data<int> o(segments + 1);
  amphi::graph g = stream.capture([&] {
    amphi::segmented_reduce({.stream = stream}, amphi::view(in.data(), n),
                            amphi::view(o.data(), segments + 1), amphi::view(out.data(), segments), 2.0f,
                            amphi::plus{});
  });
  std::mt19937 generator(3);
  for (unsigned seed = 1; seed < 5; ++seed) {
    stream.synchronize();
    const auto x = reference::values<float>(n, seed);
    std::vector<std::int64_t> offsets(segments + 1);
    for (auto& e : offsets) e = generator() % (n + 1);
    std::sort(offsets.begin(), offsets.end());
    std::copy(x.begin(), x.end(), in.data());
    for (int i = 0; i <= segments; ++i) o.data()[i] = static_cast<int>(offsets[static_cast<std::size_t>(i)]);
    g.replay();
    EXPECT_TRUE(
        same_bits(out.on_host(), reference_segments(x, offsets, 2.0f, amphi::plus{}, amphi::identity())));
  }
}
TEST(segmented_reduce, is_captured) { replays(); }

#if AMPHI_CUDA
TEST(segmented_reduce, bad_offsets_on_a_gpu_are_reported_at_the_next_synchronisation) {
  if (!on_gpu()) GTEST_SKIP() << "no GPU";
  shared_data<float> in(5000, 1.0f), out(3, 0.0f);
  const auto message = [&](const std::vector<int>& offsets) {
    shared_data<int> o(offsets);
    return message_of<amphi::bounds_error>([&] {
      amphi::segmented_reduce(amphi::view(in.data(), 5000), amphi::view(o.data(), 4),
                              amphi::view(out.data(), 3), 0.0f, amphi::plus{});
      amphi::synchronize();
    });
  };
  EXPECT_TRUE(
      says(message({0, 5, 4, 3004}), {"segmented_reduce: segment 1 begins at 5 and ends at 4", "decrease"}));
  EXPECT_EQ(out.on_host(), (std::vector<float>{5.0f, 0.0f, 3000.0f}));
  EXPECT_TRUE(says(message({0, 5, 9, 5001}), {"segment 2 begins at 9 and ends at 5001", "0 … 5000"}));
  EXPECT_TRUE(says(message({-1, 5, 9, 5000}), {"segment 0 begins at -1 and ends at 5"}));
  EXPECT_TRUE(says(message({5000, 0, 5000, 0}), {"segmented_reduce", "decrease"}));
}
#else
struct throwing {
  AMPHI_HOST_DEVICE int operator()(int v) const {
    if (v == 77) throw std::runtime_error("77");
    return v;
  }
};
TEST(segmented_reduce, exceptions_reach_the_caller) {
  std::vector<int> x(200000, 1), offsets = {0, 3, 100000, 200000}, out(3);
  for (const std::size_t at : {1u, 50000u, 199999u}) {
    x[at] = 77;
    for (const path& p : all_paths())
      EXPECT_THROW(amphi::segmented_reduce(p.policy, x, offsets, out, 0, amphi::plus{}, throwing()),
                   std::runtime_error);
    x[at] = 1;
  }
  amphi::segmented_reduce(x, offsets, out, 0, amphi::plus{}, throwing());
  EXPECT_EQ(out, (std::vector<int>{3, 99997, 100000}));
}
#endif

}  // namespace
