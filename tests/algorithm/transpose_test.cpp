// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/transpose.hpp"

#include <random>

#include "amphi/core/error.hpp"
#include "amphi/core/half.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/graph.hpp"
#include "support/paths.hpp"

namespace {

using namespace amphi_test;
using amphi::extent2;
using amphi::view2;

template <int Bytes>
struct bytes_of {
  unsigned char b[Bytes];
};
// No vector fits, nothing can be left unmade.
struct point {
  float x = 1, y = 2, z = 3;
};

template <class T>
std::vector<T> random_elements(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> x(n);
  for (T& e : x) {
    unsigned char bytes[sizeof(T)];
    for (auto& b : bytes) b = static_cast<unsigned char>(generator());
    std::memcpy(static_cast<void*>(&e), bytes, sizeof(T));
  }
  return x;
}

struct shape {
  int nx, ny, in_pitch, out_pitch;
};
std::vector<shape> shapes() {
  std::vector<shape> all = {
      {0, 0, 0, 0},        {0, 5, 0, 5},         {5, 0, 5, 0},         {1, 1, 1, 1},
      {1, 300, 1, 300},    {300, 1, 301, 3},     {3, 1000, 3, 1000},   {1000, 3, 1000, 3},
      {8, 9, 8, 9},        {9, 8, 10, 12},       {16, 16, 16, 16},     {31, 33, 31, 33},
      {32, 32, 40, 32},    {64, 64, 64, 64},     {65, 63, 70, 65},     {255, 257, 256, 257},
      {128, 4, 128, 4},    {512, 130, 512, 130}, {2, 5000, 2, 5000},   {5000, 2, 5001, 3},
      {1, 4097, 2, 4097},  {4097, 1, 4097, 4},   {32, 1001, 32, 1004}, {1001, 31, 1004, 32},
      {17, 130, 20, 132},  {130, 33, 132, 36},   {40, 257, 41, 257},   {129, 130, 132, 132},
      {127, 254, 128, 256}};
  std::mt19937 generator(5);
  for (int i = 0; i < 12; ++i) {
    const int nx = static_cast<int>(generator() % 200) + 1, ny = static_cast<int>(generator() % 200) + 1;
    all.push_back({nx, ny, nx + static_cast<int>(generator() % 20), ny + static_cast<int>(generator() % 20)});
  }
  return all;
}

template <class T>
std::vector<T> plainly(const shape& s, const std::vector<T>& in, std::vector<T> out) {
  for (int y = 0; y < s.ny; ++y)
    for (int x = 0; x < s.nx; ++x)
      out[static_cast<std::size_t>(x * s.out_pitch + y)] = in[static_cast<std::size_t>(y * s.in_pitch + x)];
  return out;
}

template <class T>
testing::AssertionResult same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << "other sizes";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) return testing::AssertionFailure() << "element " << i;
  return testing::AssertionSuccess();
}

// Every path, and what a GPU's block does, thread by thread on the CPU.
template <class T>
void run_each(const amphi::detail::transposition<T>& d, bool in_place, auto check) {
  for (const path& p : all_paths()) {
    SCOPED_TRACE(p.name);
    check([&] {
      if (in_place) {
        amphi::transpose(p.policy, view2<T>(d.out, extent2(d.nx, d.ny), d.in_pitch),
                         view2<T>(d.out, extent2(d.ny, d.nx), d.out_pitch));
      } else {
        amphi::transpose(p.policy, view2<const T>(d.in, extent2(d.nx, d.ny), d.in_pitch),
                         view2<T>(d.out, extent2(d.ny, d.nx), d.out_pitch));
      }
    });
  }
  if (d.nx == 0 || d.ny == 0) return;
  using namespace amphi::detail;
  // `threads`: of a block.
  const auto in_blocks = [&](std::int64_t blocks, int threads, const auto& body) {
    for (const auto order : {amphi::thread_order::forward, amphi::thread_order::random(8)})
      check([&] {
        amphi::launch(
            {.grid = blocks, .block = threads, .backend = backend::cpu, .workers = 2, .order = order}, body);
      });
  };
  const auto in_form = [&]<tile_form Form>() {
    using body = transpose_in_block<T, Form>;
    const tile_grid tiles(d, body::width, body::height, Form == tile_form::in_place);
    in_blocks(tiles.count(), body::tile.threads, body{d, tiles});
  };
  const auto in_words = [&]<bool InPlace, bool Tall = false>() {
    if constexpr (sizeof(T) <= 2) {
      using body = transpose_words<T, InPlace, Tall>;
      const tile_grid tiles(d, body::width, body::height, InPlace);
      if (body::fits(d)) in_blocks(tiles.count(), body::threads, body{d, tiles});
    }
  };
  if (in_place) {
    if constexpr (transposes_in_block<T, true>) {
      in_form.template operator()<tile_form::in_place>();
      in_words.template operator()<true>();
    }
  } else if constexpr (transposes_in_block<T, false>) {
    in_form.template operator()<tile_form::tall>();
    in_form.template operator()<tile_form::wide>();
    in_words.template operator()<false>();
    if constexpr (sizeof(T) == 1) in_words.template operator()<false, true>();
    using thin = transpose_thin<T>;
    if (d.nx <= thin::most || d.ny <= thin::most) in_blocks(thin(d).tiles(), thin::threads, thin(d));
  }
  for (const bool along_out : {false, true})
    check([&] {
      amphi::parallel_for({.backend = backend::cpu}, std::int64_t{0}, d.nx * d.ny,
                          transpose_elements<T>{d, in_place, along_out});
    });
}

template <class T>
void check_type() {
  unsigned seed = 0;
  for (const shape& s : shapes()) {
    SCOPED_TRACE(std::to_string(s.nx) + " × " + std::to_string(s.ny) + " of " + std::to_string(sizeof(T)));
    const auto in = random_elements<T>(static_cast<std::size_t>(s.ny * s.in_pitch), ++seed);
    const auto before = random_elements<T>(static_cast<std::size_t>(s.nx * s.out_pitch), ++seed);
    const auto expected = plainly(s, in, before);
    shared_data<T> x(in), y(before);
    run_each<T>({x.data(), y.data(), s.in_pitch, s.out_pitch, s.nx, s.ny}, false, [&](auto run) {
      std::copy(before.begin(), before.end(), y.data());
      run();
      EXPECT_TRUE(same_bytes(y.on_host(), expected));
    });
    EXPECT_TRUE(same_bytes(x.on_host(), in));
    if (s.nx != s.ny) continue;
    const auto square = plainly({s.nx, s.nx, s.in_pitch, s.in_pitch}, in, in);
    run_each<T>({x.data(), x.data(), s.in_pitch, s.in_pitch, s.nx, s.nx}, true, [&](auto run) {
      std::copy(in.begin(), in.end(), x.data());
      run();
      EXPECT_TRUE(same_bytes(x.on_host(), square));
    });
  }
}

template <class T>
class transpose_of : public ::testing::Test {};
using elements = ::testing::Types<std::uint8_t, std::int16_t, amphi::half, float, double, bytes_of<3>, point,
                                  bytes_of<16>, bytes_of<32>, bytes_of<40>>;
TYPED_TEST_SUITE(transpose_of, elements);
TYPED_TEST(transpose_of, moves_each_element_once_on_every_path) { check_type<TypeParam>(); }

// Larger squares in place: an odd and an even number of tiles.
void large_squares() {
  for (const int n : {2 * 64, 3 * 64, 5 * 64 - 1, 700}) {
    const auto in = random_elements<float>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 3);
    const auto expected = plainly({n, n, n, n}, in, in);
    shared_data<float> x(in);
    run_each<float>({x.data(), x.data(), n, n, n, n}, true, [&](auto run) {
      std::copy(in.begin(), in.end(), x.data());
      run();
      EXPECT_TRUE(same_bytes(x.on_host(), expected)) << n;
    });
  }
}
TEST(transpose, large_squares_in_place) { large_squares(); }

void replays() {
  const amphi::stream stream;
  shared_data<float> x(70 * 90), y(70 * 90);
  const amphi::graph g = stream.capture([&] {
    amphi::transpose({.stream = stream}, view2<float>(x.data(), {70, 90}), view2<float>(y.data(), {90, 70}));
  });
  for (const unsigned seed : {1u, 2u}) {
    stream.synchronize();
    const auto in = random_elements<float>(70 * 90, seed);
    std::copy(in.begin(), in.end(), x.data());
    g.replay();
    EXPECT_TRUE(same_bytes(y.on_host(), plainly({70, 90, 70, 90}, in, in)));
  }
}
TEST(transpose, is_captured) { replays(); }

TEST(transpose, bad_calls_are_named) {
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> x(1000), y(1000);
  const auto message = [&](view2<const int> in, view2<int> out) {
    return message_of<amphi::bounds_error>([&] { amphi::transpose(cpu, in, out); });
  };
  EXPECT_TRUE(says(message({x.data(), {10, 20}}, {y.data(), {10, 20}}), {"10 × 20", "20 × 10"}));
  EXPECT_TRUE(says(message({x.data(), {10, 20}, 9}, {y.data(), {20, 10}}), {"input", "pitch 9", "10"}));
  EXPECT_TRUE(says(message({x.data(), {10, 20}}, {y.data(), {20, 10}, -20}), {"output", "pitch -20"}));
  EXPECT_TRUE(says(message({x.data(), {-10, 20}}, {y.data(), {20, -10}}), {"-10 × 20", "below zero"}));
  EXPECT_TRUE(says(message({x.data(), {10, 20}}, {x.data(), {20, 10}}), {"overlaps"}));
  EXPECT_TRUE(says(message({x.data(), {10, 10}}, {x.data() + 1, {10, 10}}), {"overlaps"}));
  EXPECT_TRUE(says(message({x.data(), {10, 10}}, {x.data(), {10, 10}, 11}), {"overlaps"}));
  // Sizes that no memory has: 2^80 elements, 2^62 of four bytes, and pitches that lead round the address
  // space.
  constexpr std::int64_t many = std::int64_t{1} << 40, most = INT64_MAX;
  EXPECT_TRUE(says(message({x.data(), {many, many}}, {y.data(), {many, many}}),
                   {"input", "1099511627776", "larger than any memory"}));
  EXPECT_TRUE(says(message({x.data(), {1 << 30, many >> 8}}, {y.data(), {many >> 8, 1 << 30}}), {"larger"}));
  for (const std::int64_t pitch : {most, most / 2, most / 4, most / 20 + 1})
    EXPECT_TRUE(says(message({x.data(), {10, 20}, pitch}, {y.data(), {20, 10}}),
                     {"input", std::to_string(pitch), "larger"}));
  EXPECT_TRUE(says(message({x.data(), {10, 1}}, {y.data(), {1, 10}, most}), {"output", "larger"}));
  EXPECT_NO_THROW(amphi::transpose(cpu, view2<const int>(nullptr, {0, most}, most),
                                   view2<int>(nullptr, {most, 0}, most)));
  EXPECT_TRUE(says(message_of<amphi::launch_error>([&] {
                     amphi::transpose({.shared_bytes = 8, .backend = backend::cpu},
                                      view2<int>(x.data(), {2, 2}), view2<int>(y.data(), {2, 2}));
                   }),
                   {"transpose", "shared"}));
  EXPECT_EQ(x, std::vector<int>(1000));
}

// Every two squares of one picture: an error if they share an element, unless they are the same.
TEST(transpose, overlaps_are_found_element_by_element) {
  constexpr int pitch = 7, side = 3, rows = 9;
  const amphi::policy cpu{.backend = backend::cpu};
  std::vector<int> picture(pitch * rows);
  int apart = 0;
  const int last = pitch * (rows - side) + pitch - side;
  for (int a = 0; a <= last; ++a)
    for (int b = 0; b <= last; ++b) {
      std::vector<int> uses(picture.size());
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          ++uses[static_cast<std::size_t>(a + y * pitch + x)],
              ++uses[static_cast<std::size_t>(b + y * pitch + x)];
      const bool meet = *std::max_element(uses.begin(), uses.end()) > 1;
      apart += meet ? 0 : 1;
      const view2<int> in(picture.data() + a, {side, side}, pitch),
          out(picture.data() + b, {side, side}, pitch);
      if (meet && a != b) {
        EXPECT_THROW(amphi::transpose(cpu, in, out), amphi::bounds_error) << a << ' ' << b;
      } else {
        EXPECT_NO_THROW(amphi::transpose(cpu, in, out)) << a << ' ' << b;
      }
    }
  EXPECT_GT(apart, 100);
}

}  // namespace
