// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/shared.hpp"

#include <cmath>

#include "amphi/core/error.hpp"
#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;

namespace kernels {

struct particle {
  float position[3];
  int id;
};

// Arrays of two ranks, a struct, an array of structs and a scalar.
AMPHI_LAUNCHABLE void shapes(int* out) {
  AMPHI_SHARED(tile, float[8][9]);
  AMPHI_SHARED(one, particle);
  AMPHI_SHARED(many, particle[64]);
  AMPHI_SHARED(count, int);
  const auto block = amphi::this_block();
  const int t = static_cast<int>(amphi::thread_index().x), x = t % 8, y = t / 8;
  tile[y][x] = static_cast<float>(t);
  many[t].id = 2 * t;
  many[t].position[2] = 0.5f * static_cast<float>(t);
  if (t == 0) count = 5;
  if (t == 63) one.id = 7;
  block.sync();
  out[t] = static_cast<int>(tile[x][y]) + many[63 - t].id * 100 + count * 100000 + one.id * 1000000 +
           static_cast<int>(many[t].position[2] * 2.0f) * 10000000;
}

template <class T, int N>
AMPHI_LAUNCHABLE T reversed(T value) {
  AMPHI_SHARED(s, T[N]);
  const unsigned t = amphi::thread_index().x;
  s[t] = value;
  amphi::this_block().sync();
  return s[N - 1 - t];
}

// Instantiations of one declaration are apart.
AMPHI_LAUNCHABLE void instantiations(double* out) {
  const unsigned t = amphi::thread_index().x;
  const int a = reversed<int, 32>(static_cast<int>(t));
  const double b = reversed<double, 32>(0.25 * t);
  const int c = reversed<int, 33>(100);
  amphi::this_block().sync();
  out[t] = a + b + (t == 0 ? 0 : c);
}

template <class A, class B>
struct pair_of {
  A first;
  B second;
};

AMPHI_LAUNCHABLE void commas(int* out) {
  AMPHI_SHARED(s, pair_of<int, float>[16]);
  const unsigned t = amphi::thread_index().x;
  s[t].first = static_cast<int>(t) + 1;
  amphi::this_block().sync();
  out[t] = s[15 - t].first;
}

AMPHI_LAUNCHABLE int sum_of(const int* values, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

// A shared array turns into a pointer like any array.
AMPHI_LAUNCHABLE void decays(int* out) {
  AMPHI_SHARED(s, int[16]);
  const unsigned t = amphi::thread_index().x;
  s[t] = 1;
  amphi::this_block().sync();
  int* const p = s;
  out[t] =
      sum_of(s, 16) * 10000 + sum_of(s + 8, 8) * 100 + p[3] * 10 + *s + static_cast<int>(sizeof(s) / 64) - 1;
}

AMPHI_LAUNCHABLE void dynamic(int n, double* out) {
  const auto block = amphi::this_block();
  const auto numbers = block.shared<double>(n);
  const auto indices = block.shared<int>(n, static_cast<std::size_t>(n) * sizeof(double));
  const int t = static_cast<int>(amphi::thread_index().x);
  numbers[t] = 0.5 * t;
  indices[t] = n - 1 - t;
  block.sync();
  out[t] = numbers[indices[t]];
}

AMPHI_LAUNCHABLE void misaligned() { (void)amphi::this_block().shared<double>(1, 4); }

template <class T>
AMPHI_LAUNCHABLE void asks(std::int64_t count, std::int64_t offset) {
  (void)amphi::this_block().shared<T>(count, offset);
}

AMPHI_LAUNCHABLE void dynamic_bytes(int bytes, int* out) {
  const auto all = amphi::this_block().shared<unsigned char>(bytes);
  const auto t = amphi::thread_index().x;
  if (t == 0 && bytes > 0) all[bytes - 1] = 77;
  amphi::this_block().sync();
  out[amphi::global_thread_index()] = bytes > 0 ? all[bytes - 1] : 77;
}

#if !AMPHI_CUDA  // nvcc refuses it at once
AMPHI_LAUNCHABLE void too_much(int* out) {
  AMPHI_SHARED(a, int[8192]);
  AMPHI_SHARED(b, int[8192]);
  const auto t = amphi::thread_index().x;
  a[t] = b[t] = 1;
  out[t] = a[t] + b[t];
}
#endif

AMPHI_LAUNCHABLE void one_static_byte(int* out) {
  AMPHI_SHARED(s, char);
  s = 1;
  amphi::this_block().sync();
  out[amphi::thread_index().x] = s;
}

AMPHI_LAUNCHABLE void reads_unwritten(int* out) {
  AMPHI_SHARED(f, float[32]);
  AMPHI_SHARED(d, double[32]);
  const auto t = amphi::thread_index().x;
  out[amphi::global_thread_index()] = f[t] != f[t] && d[t] != d[t];
  amphi::this_block().sync();
  f[t] = 1.0f;
  d[t] = 1.0;
}

[[maybe_unused]] constexpr int bad_line = __LINE__ + 4;
AMPHI_LAUNCHABLE void out_of_bounds(int at, int* out) {
  AMPHI_SHARED(tile, int[4][5]);
  const int t = static_cast<int>(amphi::thread_index().x);
  tile[t % 4][t == 6 ? at : 0] = t;
  amphi::this_block().sync();
  out[amphi::global_thread_index()] = tile[0][0];
}

}  // namespace kernels

namespace {

AMPHI_LAUNCHABLE int shape_value(int t) {
  const int x = t % 8, y = t / 8;
  return 8 * x + y + 2 * (63 - t) * 100 + 500000 + 7000000 + t * 10000000;
}

void launch_lambda(const policy& p, int* out) {
  amphi::launch(p, [=] AMPHI_LAMBDA() {
    AMPHI_SHARED(s, int[32]);
    const unsigned t = amphi::thread_index().x;
    s[t] = static_cast<int>(t);
    amphi::this_block().sync();
    out[t] = s[31 - t];
  });
}

void launch_other_lambda(const policy& p, int* out) {
  amphi::launch(p, [=] AMPHI_LAMBDA() {
    AMPHI_SHARED(s, int[32]);
    const unsigned t = amphi::thread_index().x;
    s[t] = static_cast<int>(2 * t);
    amphi::this_block().sync();
    out[t] += s[31 - t];
  });
}

}  // namespace

TEST(Shared, ArraysStructsAndScalars) {
  std::vector<int> expected;
  for (int t = 0; t < 64; ++t) expected.push_back(shape_value(t));
  for (const path& p : block_paths(1, 64)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(64, -1);
    amphi::launch<kernels::shapes>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Shared, EachInstantiationIsAVariable) {
  std::vector<double> expected;
  for (int t = 0; t < 32; ++t) expected.push_back(31 - t + 0.25 * (31 - t) + (t == 0 ? 0 : 100));
  for (const path& p : block_paths(1, 32)) {
    SCOPED_TRACE(p.name);
    shared_data<double> out(32, -1);
    amphi::launch<kernels::instantiations>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

TEST(Shared, TypesWithCommasAndPointers) {
  for (const path& p : block_paths(1, 16)) {
    SCOPED_TRACE(p.name);
    shared_data<int> a(16, -1), b(16, -1);
    amphi::launch<kernels::commas>(p.policy, a.data());
    amphi::launch<kernels::decays>(p.policy, b.data());
    for (std::size_t t = 0; t < 16; ++t) {
      EXPECT_EQ(a.on_host()[t], static_cast<int>(16 - t));
      EXPECT_EQ(b.on_host()[t], 160811);
    }
  }
}

TEST(Shared, InLambdas) {
  for (const path& p : block_paths(1, 32)) {
    SCOPED_TRACE(p.name);
    shared_data<int> out(32, -1);
    launch_lambda(p.policy, out.data());
    launch_other_lambda(p.policy, out.data());
    for (std::size_t t = 0; t < 32; ++t) EXPECT_EQ(out.on_host()[t], static_cast<int>(3 * (31 - t)));
  }
}

TEST(Shared, DynamicWithOffsets) {
  for (int n : {1, 2, 32, 100, 1024}) {
    std::vector<double> expected;
    for (int t = 0; t < n; ++t) expected.push_back(0.5 * (n - 1 - t));
    for (path& p : block_paths(1, n)) {
      SCOPED_TRACE(p.name);
      shared_data<double> out(static_cast<std::size_t>(n), -1);
      for (bool per_thread : {false, true}) {
        p.policy.shared_bytes = per_thread ? 0 : 12 * n;
        p.policy.shared_bytes_per_thread = per_thread ? 12 : 0;
        amphi::launch<kernels::dynamic>(p.policy, n, out.data());
        EXPECT_TRUE(same_bits(out.on_host(), expected));
      }
    }
  }
}

TEST(Shared, DynamicSizesUpToTheLimit) {
  for (int bytes : {0, 49151, 49152, 49153, 98304, 232448}) {
    if (on_gpu() && bytes > amphi::properties_of_current_device().limits.shared_bytes_per_block_opt_in)
      continue;
    for (const path& p : block_paths(2, 8, bytes)) {
      SCOPED_TRACE(p.name + ", " + std::to_string(bytes) + " bytes");
      shared_data<int> out(16, -1);
      amphi::launch<kernels::dynamic_bytes>(p.policy, bytes, out.data());
      EXPECT_EQ(out.on_host(), std::vector<int>(16, 77));
    }
  }
  shared_data<int> out(16, -1);
  policy p = cpu_block(1, 8);
  p.shared_bytes = 232449;
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { amphi::launch<kernels::dynamic_bytes>(p, 1, out.data()); }),
           {"dynamic_bytes", "232449", "232448"}));
}

TEST(Shared, DeclaredAndDynamicTogether) {
  shared_data<int> out(8, -1);
  policy p = cpu_block(1, 8);
  p.shared_bytes = 232447;
  amphi::launch<kernels::one_static_byte>(p, out.data());
  EXPECT_EQ(out.on_host(), std::vector<int>(8, 1));
  p.shared_bytes = 232448;
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { amphi::launch<kernels::one_static_byte>(p, out.data()); }),
           {"one_static_byte", "232448", "1 bytes of declared"}));
}

#if !AMPHI_CUDA
TEST(Shared, TooMuchIsDeclared) {
  shared_data<int> out(8, -1);
  const std::string text =
      message_of<amphi::launch_error>([&] { amphi::launch<kernels::too_much>(cpu_block(1, 8), out.data()); });
  EXPECT_TRUE(says(text, {"too_much", "AMPHI_SHARED(b", "65536 bytes", "49152", "sm_90"}));
}
#endif

TEST(Shared, MoreDynamicThanTheLaunchGave) {
  shared_data<double> out(8, -1);
  policy p = cpu_block(1, 8);
  p.shared_bytes = 64;
  const std::string text =
      message_of<amphi::bounds_error>([&] { amphi::launch<kernels::dynamic>(p, 8, out.data()); });
  EXPECT_TRUE(says(text, {"32 bytes from byte 64", "gave the block 64",
                          "shared_test.cpp:", "kernels::dynamic", "thread (0, 0, 0)"}));
}

// Numbers whose product, or sum, 64 bits do not hold.
template <class T>
void refuse_every_request_outside() {
  policy p = cpu_block(1, 2);
  p.shared_bytes = 64;
  constexpr std::int64_t most = INT64_MAX, least = INT64_MIN, size = sizeof(T), fit = 64 / size;
  EXPECT_NO_THROW(amphi::launch<kernels::asks<T>>(p, fit, 0));
  EXPECT_NO_THROW(amphi::launch<kernels::asks<T>>(p, 0, 64));
  for (const std::int64_t count : {fit + 1, std::int64_t{-1}, most / size, most / size + 1, most / 2 + 1,
                                   most, most / 2 / size * 4 + 4, least / size, least / size + 1, least})
    for (const std::int64_t offset : {std::int64_t{0}, size})
      EXPECT_THROW(amphi::launch<kernels::asks<T>>(p, count, offset), amphi::bounds_error)
          << count << " from " << offset;
  for (const std::int64_t offset : {std::int64_t{-8}, std::int64_t{72}, most - 7, least, least + 8})
    EXPECT_THROW(amphi::launch<kernels::asks<T>>(p, 1, offset), amphi::bounds_error) << offset;
}

TEST(Shared, RequestsOutsideDynamicMemoryAreRefused) {
  refuse_every_request_outside<float>();
  refuse_every_request_outside<double>();
}

TEST(Shared, MisalignedDynamic) {
  policy p = cpu_block(1, 8);
  p.shared_bytes = 64;
  EXPECT_TRUE(says(message_of<amphi::bounds_error>([&] { amphi::launch<kernels::misaligned>(p); }),
                   {"multiple of 8", "byte 4"}));
}

#if AMPHI_CHECKED
TEST(Shared, UnwrittenMemoryIsNaN) {
  for (const path& p : block_paths(3, 32)) {
    if (p.policy.backend != backend::cpu) continue;
    SCOPED_TRACE(p.name);
    shared_data<int> out(96, -1);
    for (int i = 0; i < 2; ++i) {
      amphi::launch<kernels::reads_unwritten>(p.policy, out.data());
      EXPECT_EQ(out.on_host(), std::vector<int>(96, 1));
    }
  }
}

TEST(Shared, IndicesAreChecked) {
  for (int at : {-1, 5}) {
    shared_data<int> out(16, -1);
    const std::string text = message_of<amphi::bounds_error>(
        [&] { amphi::launch<kernels::out_of_bounds>(cpu_block(2, 8), at, out.data()); });
    EXPECT_TRUE(says(text, {"index " + std::to_string(at), "[0, 5)", "shared array",
                            "shared_test.cpp:" + std::to_string(kernels::bad_line), "kernels::out_of_bounds",
                            "block (0, 0, 0)", "thread (6, 0, 0)"}));
    amphi::launch<kernels::out_of_bounds>(cpu_block(2, 8), 4, out.data());
  }
}
#endif
