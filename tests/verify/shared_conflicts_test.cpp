// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/verify/shared_conflicts.hpp"

#include <sstream>

#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace conflicts {

struct three {
  float x, y, z;
};
struct pair_of_floats {  // 8 bytes, aligned to 4: two words
  float a, b;
};
struct alignas(16) four {
  float x, y, z, w;
};

template <class T>
AMPHI_LAUNCHABLE void strided(int stride) {
  AMPHI_SHARED(s, T[2048]);
  s[static_cast<int>(amphi::thread_index().x) * stride] = T{};
}

[[maybe_unused]] constexpr int store_line = __LINE__ + 6, load_line = __LINE__ + 8;
template <int Pitch>
AMPHI_LAUNCHABLE void transposed_tile(float* out) {
  AMPHI_SHARED(tile, float[32][Pitch]);
  float* const to = out + 1024 * amphi::block_index().x;
  const unsigned x = amphi::thread_index().x;
  for (unsigned y = amphi::thread_index().y; y < 32; y += 8) tile[y][x] = static_cast<float>(32 * y + x);
  amphi::this_block().sync();
  for (unsigned y = amphi::thread_index().y; y < 32; y += 8) to[32 * y + x] = tile[x][y];
}

// Half of a row of the block is a warp.
AMPHI_LAUNCHABLE void two_rows_of_17(float* out) {
  AMPHI_SHARED(tile, float[16][17]);
  tile[amphi::thread_index().y][amphi::thread_index().x] = 1.0f;
  if (out != nullptr) *out = tile[0][0];
}

// Neighbours are added at distances 1, 2, 4, … by threads side by side.
AMPHI_LAUNCHABLE void strided_sum(int* out) {
  AMPHI_SHARED(s, int[64]);
  const unsigned t = amphi::thread_index().x;
  s[t] = 1;
  for (unsigned d = 1; d < 64; d *= 2) {
    amphi::this_block().sync();
    const unsigned i = 2 * d * t;
    if (i < 64) s[i] += s[i + d];
  }
  amphi::this_block().sync();
  if (t == 0) *out = s[0];
}

// Lanes join later and later.
AMPHI_LAUNCHABLE void joining(int* out) {
  AMPHI_SHARED(s, int[64]);
  const unsigned t = amphi::thread_index().x;
  int sum = 0;
  s[2 * t] = static_cast<int>(t);
  for (unsigned d = 1; d < 32; d *= 2) {
    amphi::this_block().sync();
    if (t >= d) sum += s[2 * (t - d)];
  }
  out[t] = sum;
}

AMPHI_LAUNCHABLE void dynamic_memory(int stride) {
  const auto s = amphi::this_block().shared<float>(1024);
  s[static_cast<int>(amphi::thread_index().x) * stride] = 1.0f;
}

AMPHI_LAUNCHABLE void global_memory(amphi::view<int> out) {
  AMPHI_SHARED(one, int);
  if (amphi::thread_index().x == 0) one = 1;
  amphi::this_block().sync();
  out[amphi::thread_index().x * 32] = one;
}

AMPHI_LAUNCHABLE void in_phases(amphi::block block, float* out) {
  AMPHI_SHARED(tile, float[32][32]);
  block.for_each_thread([&](int x, int y) {
    for (int row = y; row < 32; row += 8) tile[row][x] = static_cast<float>(32 * row + x);
  });
  float* const to = out + 1024 * block.index().x;
  block.for_each_lane<1024>([&](int l) { to[l] = tile[l % 32][l / 32]; });
  block.single([&] { to[0] += tile[0][0]; });
}

AMPHI_LAUNCHABLE void without_end(int rounds, int* out) {
  AMPHI_SHARED(s, int[32]);
  for (int i = 0; i < rounds; ++i) s[amphi::thread_index().x] = i;
  if (out != nullptr) *out = s[0];
}

template <class T>
int ways(int stride) {
  const auto report = amphi::shared_conflicts([&] { amphi::launch<strided<T>>(cpu_block(1, 32), stride); });
  EXPECT_EQ(report.rows.size(), 1u);
  for (const auto& r : report.rows) EXPECT_EQ(r.requests, 1);
  return report.ways();
}

}  // namespace conflicts

namespace {

#if AMPHI_CHECKED

using conflicts::ways;

TEST(shared_conflicts, words_of_four_bytes) {
  EXPECT_EQ(ways<float>(0), 1) << "one word goes to all lanes";
  EXPECT_EQ(ways<float>(1), 1);
  EXPECT_EQ(ways<float>(2), 2);
  EXPECT_EQ(ways<float>(3), 1);
  EXPECT_EQ(ways<float>(4), 4);
  EXPECT_EQ(ways<float>(8), 8);
  EXPECT_EQ(ways<float>(16), 16);
  EXPECT_EQ(ways<float>(32), 32);
  EXPECT_EQ(ways<float>(33), 1);
  EXPECT_EQ(ways<float>(48), 16);
}

TEST(shared_conflicts, parts_of_words) {
  EXPECT_EQ(ways<char>(1), 1) << "four lanes share a word";
  EXPECT_EQ(ways<char>(4), 1);
  EXPECT_EQ(ways<char>(8), 2);
  EXPECT_EQ(ways<short>(2), 1);
  EXPECT_EQ(ways<short>(64), 32);
}

TEST(shared_conflicts, wider_elements_are_served_in_parts_of_the_warp) {
  EXPECT_EQ(ways<double>(1), 1);
  EXPECT_EQ(ways<double>(2), 2);
  EXPECT_EQ(ways<double>(3), 1);
  EXPECT_EQ(ways<double>(4), 4);
  EXPECT_EQ(ways<double>(16), 16);
  EXPECT_EQ(ways<conflicts::four>(1), 1);
  EXPECT_EQ(ways<conflicts::four>(2), 2);
  EXPECT_EQ(ways<conflicts::four>(8), 8);
  EXPECT_EQ(ways<conflicts::three>(1), 1) << "an odd number of words";
  EXPECT_EQ(ways<conflicts::pair_of_floats>(1), 2);
}

// 4 blocks, 8 warps each, 4 rows a warp: 128 requests to store and 128 to load.
void check_tile(const policy& p) {
  shared_data<float> out(4096);
  const auto plain =
      amphi::shared_conflicts([&] { amphi::launch<conflicts::transposed_tile<32>>(p, out.data()); });
  ASSERT_EQ(plain.rows.size(), 2u);
  const auto& load = plain.rows[0];
  EXPECT_EQ(load.line, conflicts::load_line);
  EXPECT_EQ(load.requests, 128);
  EXPECT_EQ(load.ways, 32);
  EXPECT_EQ(load.passes, 128 * 32);
  EXPECT_EQ(load.conflicts, 128 * 31);
  EXPECT_EQ(load.variable, "tile");
  EXPECT_TRUE(says(load.kernel, {"transposed_tile"}));
  EXPECT_TRUE(says(load.file, {"shared_conflicts_test.cpp"}));
  const auto& store = plain.rows[1];
  EXPECT_EQ(store.line, conflicts::store_line);
  EXPECT_EQ(store.requests, 128);
  EXPECT_EQ(store.ways, 1);
  EXPECT_EQ(store.conflicts, 0);
  const auto padded =
      amphi::shared_conflicts([&] { amphi::launch<conflicts::transposed_tile<33>>(p, out.data()); });
  EXPECT_EQ(padded.ways(), 1);
  EXPECT_EQ(padded.rows.size(), 2u);
}

TEST(shared_conflicts, a_tile_and_its_padding) {
  for (const path& p : block_paths(4, {32, 8})) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    check_tile(p.policy);
  }
}

TEST(shared_conflicts, a_warp_is_two_rows_of_a_block_of_16) {
  const auto report = amphi::shared_conflicts([] {
    amphi::launch<conflicts::two_rows_of_17>(cpu_block(1, {16, 16}), nullptr);
  });
  EXPECT_EQ(report.ways(), 2) << "words 0 … 15 and 17 … 32";
  EXPECT_EQ(report.rows[0].requests, 8);
  EXPECT_EQ(report.rows[0].conflicts, 8);
}

// The sum at distances 1 … 16 is done by lanes 2 d words apart: 2 in a bank each time; at 32 by one lane.
TEST(shared_conflicts, a_loop_with_barriers) {
  shared_data<int> out(1, 0);
  for (const auto order : {amphi::thread_order::forward, amphi::thread_order::random(3)}) {
    policy p = cpu_block(1, 64);
    p.order = order;
    const auto report =
        amphi::shared_conflicts([&] { amphi::launch<conflicts::strided_sum>(p, out.data()); });
    EXPECT_EQ(out.on_host()[0], 64);
    EXPECT_EQ(report.rows[0].requests, 12);  // s[i] and s[i + d] on one line, six times
    EXPECT_EQ(report.rows[0].conflicts, 10);
    EXPECT_EQ(report.rows[0].ways, 2);
  }
}

TEST(shared_conflicts, lanes_that_join_later_meet_the_others) {
  shared_data<int> out(32, 0);
  const auto report =
      amphi::shared_conflicts([&] { amphi::launch<conflicts::joining>(cpu_block(1, 32), out.data()); });
  ASSERT_EQ(report.rows.size(), 2u);
  // 31, 30, 28, 24 and 16 lanes, two words apart: only the last 16 have a bank each.
  EXPECT_EQ(report.rows[0].requests, 5);
  EXPECT_EQ(report.rows[0].conflicts, 4);
  EXPECT_EQ(report.rows[1].requests, 1);
  EXPECT_EQ(report.rows[1].conflicts, 1);
}

TEST(shared_conflicts, dynamic_memory_through_its_view) {
  policy p = cpu_block(1, 32);
  p.shared_bytes = 4096;
  const auto report = amphi::shared_conflicts([&] { amphi::launch<conflicts::dynamic_memory>(p, 8); });
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].variable, "dynamic shared memory");
  EXPECT_EQ(report.rows[0].ways, 8);
}

TEST(shared_conflicts, other_memory_is_not_counted) {
  shared_data<int> out(1024, 0);
  const auto report = amphi::shared_conflicts(
      [&] { amphi::launch<conflicts::global_memory>(cpu_block(1, 32), amphi::view<int>(out.data(), 1024)); });
  EXPECT_TRUE(report.counted);
  EXPECT_TRUE(report.rows.empty());
  EXPECT_TRUE(says(report.text(), {"no shared memory"}));
}

TEST(shared_conflicts, block_form) {
  shared_data<float> out(4096);
  for (const auto order : {amphi::thread_order::forward, amphi::thread_order::reverse}) {
    policy p = cpu_block(3, {32, 8});
    p.order = order;
    const auto report = amphi::shared_conflicts([&] { amphi::launch<conflicts::in_phases>(p, out.data()); });
    ASSERT_EQ(report.rows.size(), 3u);
    EXPECT_EQ(report.rows[0].requests, 3 * 32);
    EXPECT_EQ(report.rows[0].ways, 32);
    EXPECT_EQ(report.rows[1].requests + report.rows[2].requests, 3 * 32 + 3);
    EXPECT_EQ(report.rows[1].ways, 1);
    EXPECT_EQ(report.rows[2].ways, 1);
  }
}

TEST(shared_conflicts, a_long_time_between_barriers) {
  const int rounds = (1 << 17) + 1;  // 4194304 accesses fit
  const auto report = amphi::shared_conflicts(
      [&] { amphi::launch<conflicts::without_end>(cpu_block(1, 32), rounds, nullptr); });
  EXPECT_EQ(report.not_counted, 32);
  EXPECT_EQ(report.ways(), 1);
  EXPECT_TRUE(says(report.text(), {"32 accesses were too many"}));
}

TEST(shared_conflicts, prints_and_counts_one_work_at_a_time) {
  const auto report = amphi::shared_conflicts([&] {
    amphi::launch<conflicts::strided<float>>(cpu_block(1, 32), 2);
    amphi::launch<conflicts::strided<float>>(cpu_block(2, 32), 4);
    EXPECT_TRUE(says(message_of<amphi::launch_error>([] { (void)amphi::shared_conflicts([] {}); }),
                     {"already counting"}));
  });
  EXPECT_EQ(report.rows[0].requests, 3);
  EXPECT_EQ(report.rows[0].conflicts, 1 + 2 * 3);
  std::ostringstream out;
  out << report;
  EXPECT_TRUE(
      says(out.str(),
           {"requests  ways    conflicts  where\n           3     4            7  s in conflicts::strided",
            "shared_conflicts_test.cpp:"}));
  EXPECT_TRUE(amphi::shared_conflicts([] {}).rows.empty()) << "and starts anew";
}

#else

TEST(shared_conflicts, says_that_the_build_is_not_checked) {
  const auto report =
      amphi::shared_conflicts([] { amphi::launch<conflicts::strided<float>>(cpu_block(1, 32), 32); });
  EXPECT_FALSE(report.counted);
  EXPECT_TRUE(report.rows.empty());
  EXPECT_TRUE(says(report.text(), {"-DAMPHI_CHECKED=ON"}));
}

#endif

}  // namespace
