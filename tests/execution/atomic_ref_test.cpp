// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/atomic_ref.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include "amphi/execution/block.hpp"
#include "amphi/execution/launch.hpp"
#include "support/block_paths.hpp"

using namespace amphi_test;
using amphi::atomic_ref;
using amphi::thread_scope;

namespace kernels {

// Every thread takes part; the results do not depend on who comes first.
template <class T>
AMPHI_LAUNCHABLE void integers(T* x) {
  const auto i = static_cast<T>(amphi::global_thread_index());
  atomic_ref(x[0]).fetch_add(i);
  atomic_ref(x[1]).fetch_sub(i + 1);
  atomic_ref(x[2]).fetch_min(i - 5);
  atomic_ref(x[3]).fetch_max(i * 3);
  atomic_ref(x[4]).fetch_or(T(1) << (i % 30));
  atomic_ref(x[5]).fetch_and(static_cast<T>(~(T(1) << (i % 17))));
  atomic_ref(x[6]).fetch_xor(i);
  ++atomic_ref(x[7]);
  atomic_ref(x[7])++;
  atomic_ref(x[7]) += 3;
  atomic_ref(x[7]) -= 2;
  --atomic_ref(x[7]);
  amphi::atomic_update(atomic_ref(x[8]), [](T v) { return static_cast<T>((v + 7) % 1001); });
  atomic_ref<T, thread_scope::system>(x[9]).fetch_add(2, amphi::memory_order::acq_rel);
}

template <class T>
AMPHI_LAUNCHABLE void in_shared_memory(T* out) {
  AMPHI_SHARED(s, T[2]);
  const auto block = amphi::this_block();
  const auto t = amphi::thread_index().x;
  if (t < 2) s[t] = T(0);
  block.sync();
  atomic_ref<T, thread_scope::block> sum(s[0]);
  sum.fetch_add(static_cast<T>(t + 1));
  atomic_ref<T, thread_scope::block>(s[1]).fetch_max(static_cast<T>(t));
  block.sync();
  if (t < 2) out[2 * amphi::block_index().x + t] = s[t];
}

// Small whole numbers, so that the sum is exact in any order.
template <class T>
AMPHI_LAUNCHABLE void floating(T* x) {
  const auto i = static_cast<T>(amphi::global_thread_index());
  atomic_ref(x[0]).fetch_add(i);
  atomic_ref(x[1]).fetch_sub(T(0.25));
  atomic_ref(x[2]).fetch_min(-i);
  atomic_ref(x[3]).fetch_max(i);
  amphi::atomic_update(atomic_ref(x[4]), [=](T v) { return v < i ? i : v; });
}

// The old values of one thread, in order; the object lies behind them, since a GPU has no atomics on a
// thread's own variables.
template <class T>
AMPHI_LAUNCHABLE void old_values(T* out) {
  T& v = out[16];
  v = T(-10);
  atomic_ref<T> r(v);
  out[0] = r.fetch_max(T(-3));
  out[1] = r.fetch_max(T(-1));
  out[2] = r.fetch_max(T(-2));
  out[3] = v;
  out[4] = r.exchange(T(4));
  T expected = T(5);
  out[5] = r.compare_exchange_strong(expected, T(6)) ? T(1) : T(0);
  out[6] = expected;
  out[7] = r.compare_exchange_weak(expected, T(6)) ? T(1) : T(0);
  out[8] = r.load();
  r.store(T(8));
  out[9] = r;
  out[10] = r.fetch_add(T(2));
  out[11] = r.fetch_sub(T(3));
  out[12] = r = T(11);
  out[13] = r.load(amphi::memory_order::acquire);
  r.store(T(12), amphi::memory_order::release);
  out[14] = r.fetch_min(T(2), amphi::memory_order::seq_cst);
  out[15] = v;
}

AMPHI_LAUNCHABLE void float_corners(float nan, float* out) {
  float& v = out[4];
  v = 0.0f;
  const atomic_ref<float> r(v);
  r.fetch_min(-0.0f);
  out[0] = v;
  r.fetch_max(0.0f);
  out[1] = v;
  r.fetch_max(nan);
  out[2] = v;
  r.store(1.0f);
  r.fetch_min(nan);
  out[3] = v;
}

}  // namespace kernels

namespace {

constexpr int blocks = 7, threads = 96, all = blocks * threads;

template <class T>
void check_integers() {
  std::vector<T> expected(10, T(0));
  expected[5] = T(0x3FFFF);
  for (int i = 0; i < all; ++i) {
    expected[0] = static_cast<T>(expected[0] + T(i));
    expected[1] = static_cast<T>(expected[1] - T(i) - T(1));
    expected[2] = std::min<T>(expected[2], static_cast<T>(T(i) - T(5)));
    expected[3] = std::max<T>(expected[3], T(3 * i));
    expected[4] = static_cast<T>(expected[4] | T(1) << (i % 30));
    expected[5] = static_cast<T>(expected[5] & ~(T(1) << (i % 17)));
    expected[6] = static_cast<T>(expected[6] ^ T(i));
    expected[7] = static_cast<T>(expected[7] + T(2));
    expected[8] = static_cast<T>((expected[8] + 7) % 1001);
    expected[9] = static_cast<T>(expected[9] + T(2));
  }
  for (const path& p : block_paths(blocks, threads)) {
    SCOPED_TRACE(p.name);
    std::vector<T> start(10, T(0));
    start[5] = T(0x3FFFF);
    shared_data<T> x(start);
    amphi::launch<kernels::integers<T>>(p.policy, x.data());
    EXPECT_TRUE(same_bits(x.on_host(), expected));
  }
}

template <class T>
void check_shared() {
  std::vector<T> expected;
  for (int b = 0; b < blocks; ++b) {
    expected.push_back(T(threads * (threads + 1) / 2));
    expected.push_back(T(threads - 1));
  }
  for (const path& p : block_paths(blocks, threads)) {
    SCOPED_TRACE(p.name);
    shared_data<T> out(2 * blocks, T(1));
    amphi::launch<kernels::in_shared_memory<T>>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

template <class T>
void check_floating() {
  const std::vector<T> expected{T(all * (all - 1) / 2), T(-0.25) * all, T(1 - all), T(all - 1), T(all - 1)};
  for (const path& p : block_paths(blocks, threads)) {
    SCOPED_TRACE(p.name);
    shared_data<T> x(5, T(0));
    amphi::launch<kernels::floating<T>>(p.policy, x.data());
    EXPECT_TRUE(same_bits(x.on_host(), expected));
  }
}

template <class T>
void check_old_values() {
  std::vector<T> expected;
  for (int v : {-10, -3, -1, -1, -1, 0, 4, 1, 6, 8, 8, 10, 11, 11, 12, 2, 2}) expected.push_back(T(v));
  for (const path& p : block_paths(1, 1)) {
    SCOPED_TRACE(p.name);
    shared_data<T> out(17, T(0));
    amphi::launch<kernels::old_values<T>>(p.policy, out.data());
    EXPECT_TRUE(same_bits(out.on_host(), expected));
  }
}

}  // namespace

TEST(AtomicRef, Integers) {
  check_integers<int>();
  check_integers<unsigned>();
  check_integers<std::int64_t>();
  check_integers<std::uint64_t>();
  check_integers<long long>();
}

TEST(AtomicRef, InSharedMemory) {
  check_shared<int>();
  check_shared<unsigned long long>();
  check_shared<float>();
  check_shared<double>();
}

TEST(AtomicRef, FloatingPoint) {
  check_floating<float>();
  check_floating<double>();
}

TEST(AtomicRef, OldValuesInOrder) {
  check_old_values<int>();
  check_old_values<std::int64_t>();
  check_old_values<float>();
  check_old_values<double>();
}

TEST(AtomicRef, MinimumAndMaximumOfFloats) {
  for (const path& p : block_paths(1, 1)) {
    SCOPED_TRACE(p.name);
    shared_data<float> out(5, 5.0f);
    amphi::launch<kernels::float_corners>(p.policy, std::numeric_limits<float>::quiet_NaN(), out.data());
    const std::vector<float> got = out.on_host();
    EXPECT_TRUE(got[0] == 0.0f && std::signbit(got[0]));
    EXPECT_TRUE(got[1] == 0.0f && !std::signbit(got[1]));
    EXPECT_TRUE(std::isnan(got[2]) && std::isnan(got[3]));
  }
}

TEST(AtomicRef, TakesTheOrdersOfTheStandardLibrary) {
  int v = 3;
  const atomic_ref r(v);
  EXPECT_EQ(r.fetch_add(1, std::memory_order_acq_rel), 3);
  EXPECT_EQ(r.load(std::memory_order_acquire), 4);
  int expected = 4;
  EXPECT_TRUE(r.compare_exchange_strong(expected, 9, std::memory_order_acq_rel, std::memory_order_relaxed));
  EXPECT_EQ(v, 9);
  EXPECT_TRUE(r.is_lock_free());
}
