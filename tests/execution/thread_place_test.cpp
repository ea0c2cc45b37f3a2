// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// A thread of a block on the CPU keeps its place whatever happens around it, and each one runs once.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/warp.hpp"

namespace {

constexpr unsigned nx = 7, ny = 3, nz = 2, threads = nx * ny * nz;

amphi::policy cpu(amphi::extent3 block, int blocks = 3) {
  amphi::policy p;
  p.grid = blocks;
  p.block = block;
  p.backend = amphi::backend::cpu;
  return p;
}

void nothing(int* out) { out[amphi::thread_index().x] = 1; }

// Which threads of the block wait, and at what, as the bits of `what` say.
struct places {
  unsigned what;
  unsigned* seen;  // per thread of the launch: visits, and 100 for each wrong place

  unsigned linear(const amphi::launch_index& i) const { return (i.z * ny + i.y) * nx + i.x; }
  void operator()() const {
    const amphi::launch_index start = amphi::thread_index();
    const unsigned t = linear(start);
    unsigned* const mine = seen + amphi::block_index().x * threads + t;
    if (amphi::global_thread_index() != static_cast<std::int64_t>(amphi::block_index().x * threads + t))
      *mine += 100;
    const auto check = [&] {
      if (!(amphi::thread_index() == start)) *mine += 100;
    };
    if ((what & 1u) != 0 && t % 5 == 1) {
      int inner[4] = {};
      amphi::launch<nothing>(cpu(4, 1), &inner[0]);
      check();
      if (inner[0] + inner[1] + inner[2] + inner[3] != 4) *mine += 100;
    }
    if ((what & 2u) != 0 && t >= 32) amphi::this_warp().sync();
    check();
    if ((what & 4u) != 0 && t % 3 != 0) amphi::this_block().sync();
    check();
    if ((what & 8u) != 0 && t == threads / 2) amphi::this_block().sync();
    check();
    if ((what & 16u) != 0) amphi::this_block().sync();
    check();
    ++*mine;
  }
};

TEST(thread_place, is_kept_over_waits_and_launches) {
  for (unsigned what = 0; what < 32; ++what) {
    // Not two barriers that only some of the threads come to.
    if ((what & 12u) == 12u || ((what & 16u) != 0 && (what & 12u) != 0)) continue;
    for (const amphi::thread_order order :
         {amphi::thread_order::forward, amphi::thread_order::reverse, amphi::thread_order::random(5)}) {
      std::vector<unsigned> seen(3 * threads, 0);
      amphi::policy p = cpu({nx, ny, nz});
      p.order = order;
      amphi::launch(p, places{what, seen.data()});
      for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], 1u) << "what " << what << ", " << i;
    }
  }
}

// A small body without calls becomes a loop over a row that writes no places.
void plain_2d(int width, int* out) {
  const amphi::launch_index t = amphi::thread_index();
  const int i = static_cast<int>(t.y * amphi::block_extent().x + t.x);
  if (i < width) out[i] += i;
}
void plain_1d(std::int64_t n, std::int64_t* out) {
  const std::int64_t i = amphi::global_thread_index();
  if (i < n) out[i] += i;
}

TEST(thread_place, of_a_kernel_without_calls_is_its_own) {
  for (const int width : {1, 31, 32, 33, 1000, 1024}) {
    std::vector<int> out(1024, 0);
    amphi::launch<plain_2d>(cpu({64, 16}, 1), width, out.data());
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], i < width ? i : 0) << width;
  }
  for (const int block : {1, 3, 32, 255, 1024}) {
    std::vector<std::int64_t> out(5000, 0);
    amphi::launch<plain_1d>(cpu(block, 4999 / block + 1), std::int64_t{4999}, out.data());
    for (std::int64_t i = 0; i < 5000; ++i)
      ASSERT_EQ(out[static_cast<std::size_t>(i)], i < 4999 ? i : 0) << block;
  }
}

// The block ends with the interval of a throw, and each of its threads has run once.
struct throws_at {
  unsigned at;
  bool waits;
  int* visits;
  void operator()() const {
    const amphi::launch_index i = amphi::thread_index();
    const unsigned t = (i.z * ny + i.y) * nx + i.x;
    ++visits[t];
    if (waits && t % 2 == 0) amphi::this_block().sync();
    if (t == at) throw std::runtime_error(std::to_string(i.x) + std::to_string(i.y) + std::to_string(i.z));
  }
};

TEST(thread_place, of_a_thread_that_throws) {
  for (const bool waits : {false, true}) {
    for (unsigned at = 0; at < threads; ++at) {
      std::vector<int> visits(threads, 0);
      std::string text;
      try {
        amphi::launch(cpu({nx, ny, nz}, 1), throws_at{at, waits, visits.data()});
      } catch (const std::runtime_error& e) {
        text = e.what();
      }
      EXPECT_EQ(text, std::to_string(at % nx) + std::to_string(at / nx % ny) + std::to_string(at / nx / ny));
      for (unsigned t = 0; t < threads; ++t) ASSERT_EQ(visits[t], 1) << "thread " << t << " of throw " << at;
    }
  }
}

}  // namespace
