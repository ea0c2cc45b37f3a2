// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/warp.hpp"

#include <bit>
#include <random>

#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

AMPHI_LAUNCHABLE int rank() {
  const amphi::launch_index i = amphi::thread_index(), e = amphi::block_extent();
  return static_cast<int>((i.z * e.y + i.y) * e.x + i.x);
}

struct plus {
  template <class T>
  AMPHI_HOST_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};
struct first_minus_half_second {  // neither commutative nor associative: shows the tree
  AMPHI_HOST_DEVICE float operator()(float a, float b) const { return a - 0.5f * b; }
};

struct wide {
  double a;
  int b, c, d;
};

enum class direction { up, down, across };

template <int Width>
AMPHI_LAUNCHABLE void sends(direction d, int distance, int* out) {
  const auto w = amphi::this_warp<Width>();
  const int t = rank();
  out[t] = d == direction::up     ? w.shuffle_up(t, distance)
           : d == direction::down ? w.shuffle_down(t, distance)
                                  : w.shuffle_xor(t, distance);
}

constexpr int results = 12;  // of one thread of `every_operation`

// Full groups: every operation.
template <int Width>
AMPHI_LAUNCHABLE void every_operation(const int* x, int* out) {
  const auto w = amphi::this_warp<Width>();
  const int t = rank(), v = x[t];
  int* const mine = out + t * results;
  const int above = (w.lane() + 1) % Width;
  mine[0] = w.shuffle(v, (w.lane() * 5 + 3) % Width);
  mine[1] = w.shuffle_up(v, 1);
  mine[2] = w.shuffle_down(v, Width / 2);
  mine[3] = w.shuffle_xor(v, Width - 1);
  mine[4] = static_cast<int>(w.ballot(v % 3 == 0));
  mine[5] = w.any(v % 7 == 0) * 2 + w.all(v % 7 != 0);
  mine[6] = static_cast<int>(w.match_any(v % 4));
  mine[7] = static_cast<int>(w.active());
  mine[8] = w.reduce(v, plus{});
  const wide sent{0.5 * v, v, v + 1, v + 2};
  const wide got = w.shuffle(sent, above);
  mine[9] = static_cast<int>(got.a * 2) + got.b + got.c + got.d;
  mine[10] = static_cast<int>(w.shuffle(static_cast<long long>(v) << 33, above) >> 33) +
             static_cast<int>(w.shuffle(static_cast<unsigned char>(v), 0));
  mine[11] = w.lane() + 100 * w.size();
}

template <int Width>
AMPHI_LAUNCHABLE void float_tree(const float* x, float* out) {
  const int t = rank();
  out[t] = amphi::this_warp<Width>().reduce(x[t], first_minus_half_second{});
}

// Lanes with a bit in `leaving` return before the operations.
AMPHI_LAUNCHABLE void some_lanes(unsigned leaving, const float* x, float* out, unsigned* masks) {
  const auto w = amphi::this_warp();
  const int t = rank();
  if ((leaving >> w.lane() & 1u) != 0) return;
  masks[t] = w.active();
  out[t] = w.reduce(x[t], first_minus_half_second{});
  w.sync();
  masks[t] += w.ballot(t % 2 == 0);
}

// A warp passes data through shared memory with its own barrier only.
AMPHI_LAUNCHABLE void warp_barriers(int rounds, int* out) {
  AMPHI_SHARED(s, int[128]);
  const auto w = amphi::this_warp<16>();
  const int t = rank(), base = t - w.lane();
  int v = t;
  for (int r = 0; r < rounds; ++r) {
    s[t] = v;
    w.sync();
    v = s[base + (w.lane() + 3) % 16] + 1;
    w.sync();
    if (r == 2) amphi::this_block().sync();
  }
  out[t] = v;
}

struct thrown_by_a_lane {
  int lane;
};
AMPHI_LAUNCHABLE void give_up([[maybe_unused]] int lane) {
#if !AMPHI_DEVICE_CODE
  throw thrown_by_a_lane{lane};
#endif
}

// What the other lanes do next reads lane `thrower`, sooner or later.
enum class next { shuffle, butterfly, tree_down, barrier_then_shuffle };
template <int Width>
AMPHI_LAUNCHABLE void a_lane_throws(int thrower, next what, int* out) {
  const auto w = amphi::this_warp<Width>();
  int v = rank();
  if (v == thrower) give_up(v);
  if (what == next::barrier_then_shuffle) w.sync();
  if (what == next::butterfly) {
    for (int d = 1; d < Width; d *= 2) v += w.shuffle_xor(v, d);
  } else if (what == next::tree_down) {
    for (int d = Width / 2; d > 0; d /= 2) v += w.shuffle_down(v, d);
  } else {
    v = w.shuffle(v, thrower % Width);
  }
  amphi::this_block().sync();
  out[rank()] = v;
}

AMPHI_LAUNCHABLE void sums_as_in_cuda(int* out) {
  const auto w = amphi::this_warp();
  int v = 1;
  for (int d = 16; d > 0; d /= 2) v += w.shuffle_down(v, d);
  out[rank()] = v;
}

AMPHI_LAUNCHABLE void reads_missing_lane(unsigned leaving, int* out) {
  const int t = rank();
  if ((leaving >> t & 1u) != 0) return;
  out[t] = amphi::this_warp().shuffle(t, 5);
}

constexpr int half_line = __LINE__ + 5;
AMPHI_LAUNCHABLE void half_a_warp(int* out) {
  const int t = rank();
  const auto w = amphi::this_warp();
  if (t < 40) {
    out[t] = w.shuffle(t, 0);
  } else {
    amphi::this_block().sync();
  }
}

AMPHI_LAUNCHABLE void two_places(int* out) {
  const int t = rank();
  const auto w = amphi::this_warp();
  if (t % 2 == 0) {
    out[t] = w.shuffle(t, 0);
  } else {
    out[t] = w.shuffle(t, 1);
  }
}

// Different halves may be in different places when the groups are halves.
AMPHI_LAUNCHABLE void halves(int* out) {
  const int t = rank();
  const auto w = amphi::this_warp<16>();
  if (t % 32 < 16) {
    for (int i = 0; i < 3; ++i) out[t] = w.shuffle(t, i);
  } else {
    out[t] = w.reduce(t, plus{});
  }
  amphi::this_block().sync();
}

AMPHI_LAUNCHABLE void warp_sums(const int* x, int n, int* out) {
  AMPHI_SHARED(s, int[32]);
  const auto block = amphi::this_block();
  const auto w = amphi::this_warp();
  const int t = rank();
  const int sum = w.reduce(t < n ? x[t] : 0, plus{});
  if (w.lane() == 0) s[t / 32] = sum;
  block.sync();
  if (t < 32) {
    const int warps = (block.size() + 31) / 32;
    const int all = w.reduce(t < warps ? s[t] : 0, plus{});
    if (t == 0) *out = all;
  }
}

}  // namespace kernels

namespace {

std::vector<int> numbers(std::size_t n) {
  std::mt19937 random(7);
  std::vector<int> x(n);
  for (int& v : x) v = static_cast<int>(random() % 1000);
  return x;
}

template <int Width>
void check_operations() {
  constexpr int threads = 128;
  const std::vector<int> x = numbers(threads);
  std::vector<int> expected;
  for (int t = 0; t < threads; ++t) {
    const int lane = t % Width, base = t - lane;
    const auto at = [&](int l) { return x[static_cast<std::size_t>(base + l)]; };
    unsigned threes = 0, same = 0;
    bool seven = false;
    int sum = 0;
    for (int l = 0; l < Width; ++l) {
      threes |= (at(l) % 3 == 0 ? 1u : 0u) << l;
      same |= (at(l) % 4 == at(lane) % 4 ? 1u : 0u) << l;
      seven = seven || at(l) % 7 == 0;
      sum += at(l);
    }
    const int above = at((lane + 1) % Width);
    for (int v : {at((lane * 5 + 3) % Width), at(lane < 1 ? lane : lane - 1),
                  at(lane + Width / 2 >= Width ? lane : lane + Width / 2), at(lane ^ (Width - 1)),
                  static_cast<int>(threes), (seven ? 2 : 1), static_cast<int>(same),
                  static_cast<int>(Width == 32 ? ~0u : (1u << Width) - 1), sum, 4 * above + 3,
                  above + at(0) % 256, lane + 100 * Width})
      expected.push_back(v);
  }
  for (amphi::extent3 block : {amphi::extent3(threads), amphi::extent3(4, 8, 4)}) {
    for (const path& p : block_paths(1, block)) {
      SCOPED_TRACE(p.name + ", width " + std::to_string(Width));
      shared_data<int> in(x), out(expected.size(), -1);
      amphi::launch<kernels::every_operation<Width>>(p.policy, in.data(), out.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
    }
  }
}

// The tree that the header promises, over the lanes of `here`.
float tree(std::vector<float> v, unsigned here, unsigned width) {
  for (unsigned d = width / 2; d > 0; d /= 2) {
    for (unsigned l = 0; l < d; ++l) {
      const bool low = (here >> l & 1u) != 0, high = (here >> (l + d) & 1u) != 0;
      if (low && high) v[l] = v[l] - 0.5f * v[l + d];
      if (!low && high) v[l] = v[l + d];
      if (high) here |= 1u << l;
    }
  }
  return v[0];
}

std::vector<float> floats(std::size_t n) {
  std::vector<float> x;
  for (int v : numbers(n)) x.push_back(static_cast<float>(v) * 0.37f);
  return x;
}

template <int Width>
void check_tree(int threads) {
  const std::vector<float> x = floats(static_cast<std::size_t>(threads));
  std::vector<float> expected;
  for (int t = 0; t < threads; ++t) {
    const int base = t / Width * Width, here = std::min(Width, threads - base);
    std::vector<float> v(Width);
    std::copy(x.begin() + base, x.begin() + base + here, v.begin());
    expected.push_back(tree(v, here == 32 ? ~0u : (1u << here) - 1, Width));
  }
  for (const path& p : block_paths(1, threads)) {
    SCOPED_TRACE(p.name + ", " + std::to_string(threads) + " threads, width " + std::to_string(Width));
    shared_data<float> in(x), out(expected.size(), -1.0f);
    amphi::launch<kernels::float_tree<Width>>(p.policy, in.data(), out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

}  // namespace

TEST(Warp, EveryOperationOfEveryWidth) {
  check_operations<32>();
  check_operations<16>();
  check_operations<8>();
  check_operations<4>();
  check_operations<2>();
}

TEST(Warp, ReduceOfPartialWarps) {
  for (int threads : {1, 2, 3, 31, 32, 33, 63, 100, 180, 1000}) {
    check_tree<32>(threads);
    check_tree<8>(threads);
  }
}

TEST(Warp, ReturnedLanesAreLeftOut) {
  for (unsigned leaving :
       {0u, 1u, 0x80000000u, 0xfffffffeu, 0x0000ffffu, 0xaaaaaaaau, 0x12345678u, 0xfffffffbu}) {
    constexpr int threads = 64;
    const std::vector<float> x = floats(threads);
    std::vector<float> expected(threads, -1.0f);
    std::vector<unsigned> masks(threads, 0u);
    for (unsigned t = 0; t < threads; ++t) {
      if ((leaving >> (t % 32) & 1u) != 0) continue;
      const auto first = x.begin() + t / 32 * 32;
      expected[t] = tree(std::vector<float>(first, first + 32), ~leaving, 32);
      masks[t] = ~leaving + (~leaving & 0x55555555u);
    }
    for (const path& p : block_paths(1, threads)) {
      SCOPED_TRACE(p.name);
      shared_data<float> in(x), out(threads, -1.0f);
      shared_data<unsigned> got(threads, 0u);
      amphi::launch<kernels::some_lanes>(p.policy, leaving, in.data(), out.data(), got.data());
      EXPECT_TRUE(same_bits(out.on_host(), expected));
      EXPECT_TRUE(same_bits(got.on_host(), masks));
    }
  }
}

TEST(Warp, BarriersOfWarps) {
  for (int rounds : {1, 2, 3, 10}) {
    std::vector<int> v(128);
    for (int t = 0; t < 128; ++t)
      v[static_cast<std::size_t>(t)] = t / 16 * 16 + (t % 16 + 3 * rounds) % 16 + rounds;
    for (const path& p : block_paths(1, 128)) {
      SCOPED_TRACE(p.name);
      shared_data<int> out(128, -1);
      amphi::launch<kernels::warp_barriers>(p.policy, rounds, out.data());
      EXPECT_TRUE(same_bits(out.on_host(), v));
    }
  }
}

TEST(Warp, SumsOfBlocks) {
  for (int threads : {1, 32, 33, 96, 256, 1000, 1024}) {
    const std::vector<int> x = numbers(1024);
    int sum = 0;
    for (int t = 0; t < threads; ++t) sum += x[static_cast<std::size_t>(t)];
    for (const path& p : block_paths(1, threads)) {
      SCOPED_TRACE(p.name);
      shared_data<int> in(x), out(1, -1);
      amphi::launch<kernels::warp_sums>(p.policy, in.data(), threads, out.data());
      EXPECT_EQ(out.on_host()[0], sum);
    }
  }
}

TEST(Warp, HalvesAreIndependent) {
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) expected.push_back(t % 32 < 16 ? t / 16 * 16 + 2 : 16 * (t / 16 * 16) + 120);
  for (const path& p : block_paths(1, 64)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(64, -1);
    amphi::launch<kernels::halves>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Warp, ReadingAMissingLaneIsAnError) {
  shared_data<int> out(64, -1);
  std::string text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::reads_missing_lane>(cpu_block(1, 32), 1u << 5, out.data()); });
  EXPECT_TRUE(says(text, {"warp.shuffle() at ", "warp_test.cpp:", "lane 0 reads lane 5", "has returned",
                          "kernels::reads_missing_lane", "thread (0, 0, 0)"}));
  text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::reads_missing_lane>(cpu_block(1, 4), 0u, out.data()); });
  EXPECT_TRUE(says(text, {"reads lane 5", "does not have"}));
  text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::reads_missing_lane>(cpu_block(1, 1), 0u, out.data()); });
  EXPECT_TRUE(says(text, {"reads lane 5", "does not have"}));
}

// The lanes that read one that threw are told nothing: its exception is what the caller gets.
template <int Width>
static void check_throwing_lane(int threads, int thrower) {
  using kernels::next;
  for (const next what : {next::shuffle, next::butterfly, next::tree_down, next::barrier_then_shuffle}) {
    for (const path& p : block_paths(2, threads)) {
      if (p.policy.backend != backend::cpu) continue;
      SCOPED_TRACE(p.name + ", width " + std::to_string(Width) + ", thread " + std::to_string(thrower) +
                   ", way " + std::to_string(static_cast<int>(what)));
      std::vector<int> out(static_cast<std::size_t>(threads), -1);
      int from = -1;
      try {
        amphi::launch<kernels::a_lane_throws<Width>>(p.policy, thrower, what, out.data());
      } catch (const kernels::thrown_by_a_lane& t) {
        from = t.lane;
      }
      EXPECT_EQ(from, thrower);
      EXPECT_TRUE(same_bits(out, std::vector<int>(out.size(), -1)));
    }
  }
}

TEST(Warp, AnExceptionOfALaneBeatsThoseWhoReadIt) {
  for (const int thrower : {0, 1, 15, 20, 31}) check_throwing_lane<32>(32, thrower);
  for (const int thrower : {3, 37, 63}) check_throwing_lane<32>(64, thrower);
  for (const int thrower : {5, 16, 30}) check_throwing_lane<8>(40, thrower);
  check_throwing_lane<32>(1024, 1000);
  // The next launch is right: 32 ones a warp.
  shared_data<int> out(32, -1);
  amphi::launch<kernels::sums_as_in_cuda>(cpu_block(1, 32), out.data());
  EXPECT_EQ(out.on_host()[0], 32);
}

// Of 31 lanes number 15 reads number 31; lane 0 reads lane 1 only long after that, which has failed by then.
TEST(Warp, TheFirstReadOfAMissingLaneIsReported) {
  shared_data<int> out(64, -1);
  struct one {
    int threads, reader, wanted;
  };
  for (const one& c : {one{31, 15, 31}, one{32 + 17, 32 + 1, 17}, one{24, 8, 24}}) {
    const std::string text = message_of<amphi::barrier_error>(
        [&] { amphi::launch<kernels::sums_as_in_cuda>(cpu_block(1, c.threads), out.data()); });
    EXPECT_TRUE(says(text, {"lane " + std::to_string(c.reader % 32) + " reads lane " +
                                std::to_string(c.wanted) + ", which the block does not have",
                            "thread (" + std::to_string(c.reader) + ", 0, 0)"}));
  }
}

TEST(Warp, HalfAWarpIsAnError) {
  shared_data<int> out(96, -1);
  for (const path& p : block_paths(1, 96)) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    const std::string text =
        message_of<amphi::barrier_error>([&] { amphi::launch<kernels::half_a_warp>(p.policy, out.data()); });
    EXPECT_TRUE(says(text, {"half_a_warp", "8 threads at warp.shuffle()",
                            "warp_test.cpp:" + std::to_string(kernels::half_line), "(32, 0, 0) … (39, 0, 0)",
                            "56 threads at block.sync()", "(40, 0, 0) … (95, 0, 0)"}));
  }
}

TEST(Warp, LanesInTwoPlacesAreAnError) {
  shared_data<int> out(32, -1);
  const std::string text = message_of<amphi::barrier_error>(
      [&] { amphi::launch<kernels::two_places>(cpu_block(1, 32), out.data()); });
  EXPECT_TRUE(says(text, {"16 threads at warp.shuffle()", "not all lanes of a warp"}));
}

// On a GPU the hardware takes these numbers modulo 32; here they are errors, whatever they would have named.
TEST(Warp, ALaneNamedFromTooFarIsAnError) {
  constexpr auto up = kernels::direction::up, down = kernels::direction::down,
                 across = kernels::direction::across;
  shared_data<int> out(32, -1);
  for (const int distance : {-1, -31, -32, -33, 33, 64, INT32_MAX, INT32_MIN})
    for (const auto d : {up, down, across}) {
      const std::string text = message_of<amphi::bounds_error>(
          [&] { amphi::launch<kernels::sends<32>>(cpu_block(1, 32), d, distance, out.data()); });
      EXPECT_TRUE(says(text, {std::to_string(distance), d == across ? "0 … 31" : "0 … 32", "warp_test.cpp",
                              "kernels::sends",
                              d == up     ? "warp.shuffle_up()"
                              : d == down ? "warp.shuffle_down()"
                                          : "warp.shuffle_xor()"}));
    }
  for (const int bits : {8, 16, 32})
    EXPECT_THROW(amphi::launch<kernels::sends<8>>(cpu_block(1, 32), across, bits, out.data()),
                 amphi::bounds_error);
  // The farthest that are right: every lane keeps its own.
  for (const auto d : {up, down}) {
    amphi::launch<kernels::sends<32>>(cpu_block(1, 32), d, 32, out.data());
    for (int i = 0; i < 32; ++i) EXPECT_EQ(out.on_host()[static_cast<std::size_t>(i)], i);
    amphi::launch<kernels::sends<8>>(cpu_block(1, 32), d, 8, out.data());
    for (int i = 0; i < 32; ++i) EXPECT_EQ(out.on_host()[static_cast<std::size_t>(i)], i);
  }
}

TEST(Warp, OutsideALaunchThereIsOneLane) {
  const auto w = amphi::this_warp();
  EXPECT_EQ(w.lane(), 0);
  EXPECT_EQ(w.active(), 1u);
  EXPECT_EQ(w.ballot(true), 1u);
  EXPECT_EQ(w.shuffle(5, 0), 5);
  EXPECT_EQ(w.shuffle_up(5, 1), 5);
  EXPECT_EQ(w.reduce(7, kernels::plus{}), 7);
}

TEST(Bits, CountsAgreeWithTheStandardLibrary) {
  for (std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x80}, std::uint64_t{0xF0F0},
                          std::uint64_t{0x80000000}, std::uint64_t{0x123456789ABCDEF0}, ~std::uint64_t{0}}) {
    const auto check = [](auto v) {
      EXPECT_EQ(amphi::popcount(v), std::popcount(v));
      EXPECT_EQ(amphi::countl_zero(v), std::countl_zero(v));
      EXPECT_EQ(amphi::countr_zero(v), std::countr_zero(v));
    };
    check(x);
    check(static_cast<std::uint32_t>(x));
    check(static_cast<std::uint16_t>(x));
    check(static_cast<std::uint8_t>(x));
  }
  static_assert(amphi::popcount(7u) == 3 && amphi::countl_zero(1u) == 31 && amphi::countr_zero(8u) == 3);
}
