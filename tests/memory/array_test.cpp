// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "memory/array_kernels.hpp"

namespace {

using namespace amphi_test;

static_assert(!std::is_copy_constructible_v<array<int>> && !std::is_copy_assignable_v<array<int>>);
static_assert(std::is_nothrow_move_constructible_v<array<int>> &&
              std::is_nothrow_move_assignable_v<array<int>>);
static_assert(!std::is_convertible_v<int, array<int>>, "a size is no array");

TEST(array, travels_to_the_launch_and_back) {
  for (const memory_space space : spaces)
    for (const std::size_t n : {1u, 31u, 1000u, 300007u}) {
      array<int> a(n, space);
      const std::vector<int> in = counted(n);
      std::copy(in.begin(), in.end(), a.host_write().begin());
      amphi::launch<add<int>>(5, a.read_write());
      const view<const int> out = a.host_read();
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], in[i] + 5) << name(space);
    }
}

TEST(array, of_size_zero_is_legal_everywhere) {
  array<int> made_empty(0), never_made;
  for (array<int>* a : {&made_empty, &never_made}) {
    EXPECT_EQ(a->size(), 0u);
    EXPECT_TRUE(a->empty());
    EXPECT_TRUE(a->read().empty() && a->write().empty() && a->read_write().empty());
    EXPECT_TRUE(a->host_read().empty() && a->host_write().empty() && a->host_read_write().empty());
    a->to_host().synchronize();
    a->to_device().synchronize();
    EXPECT_TRUE(a->clone().empty());
    a->copy_to(std::span<int>());
    a->copy_from(std::span<const int>());
    a->resize(0);
  }
}

TEST(array, starts_as_a_value_on_whichever_side_is_first) {
  struct triple {
    int a, b, c;
    bool operator==(const triple&) const = default;
  };
  array<float> f(100003, 1.5f), g(100003, 1.5f);
  EXPECT_TRUE(all_are(f.host_read(), 1.5f));
  amphi::launch<add<float>>(1.0f, g.read_write());
  EXPECT_TRUE(all_are(g.host_read(), 2.5f));
  array<triple> t(5001, triple{1, 2, 3});
  (void)t.read();
  EXPECT_TRUE(all_are(t.host_read(), triple{1, 2, 3}));
  array<unsigned char> c(100, static_cast<unsigned char>(7));
  (void)c.to_device();
  EXPECT_TRUE(all_are(c.host_read(), static_cast<unsigned char>(7)));
  array<std::int16_t> s(100, -2);
  (void)s.read();
  EXPECT_TRUE(all_are(s.host_read(), std::int16_t{-2}));
  array<double> d(70001, -0.0, memory_space::managed);
  (void)d.read();
  EXPECT_TRUE(std::signbit(d.host_read()[70000]));
  struct big {
    double values[100];
  };
  array<big> large(33, big{{1, 2, 3}});
  (void)large.read();
  EXPECT_EQ(large.host_read()[32].values[2], 3);
  // What was there at the start may be added to on one side, as in a histogram.
  array<int> bins(10, 0);
  amphi::launch<add<int>>(3, bins.write());
  EXPECT_TRUE(all_are(bins.host_read(), 3));
}

TEST(array, read_before_written_is_an_error_that_says_so) {
  array<int> a(77);
  const auto expect_error = [](auto access) {
    try {
      access();
      FAIL() << "nothing was thrown";
    } catch (const amphi::memory_error& e) {
      EXPECT_NE(std::string(e.what()).find("77"), std::string::npos) << e.what();
    }
  };
  expect_error([&] { (void)a.read(); });
  expect_error([&] { (void)a.read_write(); });
  expect_error([&] { (void)a.host_read(); });
  expect_error([&] { (void)a.host_read_write(); });
  expect_error([&] { (void)a.to_host(); });
  expect_error([&] { (void)a.to_device(); });
  (void)a.write();
  EXPECT_NO_THROW((void)a.host_read());
  a.resize(78);
  EXPECT_THROW((void)a.host_read(), amphi::memory_error);
}

TEST(array, bad_sizes_are_errors) {
  EXPECT_THROW(array<int>(-1), amphi::memory_error);
  EXPECT_THROW(array<double>(std::size_t{1} << 61), amphi::memory_error);
  EXPECT_THROW(array<double>(SIZE_MAX), amphi::memory_error);
  array<int> a(4);
  EXPECT_THROW(a.resize(std::int64_t{-5}), amphi::memory_error);
  array<double> large(std::size_t{1} << 47);  // a petabyte: nothing is allocated yet
  EXPECT_THROW((void)large.host_write(), amphi::memory_error);
  EXPECT_THROW((void)large.write(), amphi::memory_error);
  EXPECT_EQ(large.size(), std::size_t{1} << 47);
}

TEST(array, takes_any_integral_size) {
  EXPECT_EQ(array<int>(std::int64_t{5}).size(), 5u);
  EXPECT_EQ(array<int>(static_cast<unsigned char>(200)).size(), 200u);
  EXPECT_EQ(array<int>(std::size_t{7}, 1).size(), 7u);
}

TEST(array, zeroed_and_accumulated_through_write_only_access) {
  array<int> bins(10);
  amphi::launch<set<int>>(0, bins.write());
  for (int pass = 1; pass <= 2; ++pass) {
    for (int i = 0; i < 100; ++i) amphi::launch<add<int>>(1, bins.write());
    EXPECT_TRUE(all_are(bins.host_read(), 100 * pass));
  }
  array<int> on_host(10);
  std::ranges::fill(on_host.host_write(), 0);
  for (int i = 0; i < 100; ++i)
    for (int& b : on_host.host_write()) ++b;
  EXPECT_TRUE(all_are(on_host.host_read(), 100));
}

TEST(array, addresses_are_stable) {
  array<int> a(5000);
  int* const host = a.host_write().data();
  std::ranges::fill(a.host_write(), 1);
  int* const device = a.read_write().data();
  if (!on_gpu()) {
    EXPECT_EQ(host, device);
  }
  for (int i = 0; i < 3; ++i) {
    amphi::launch<add<int>>(1, a.read_write());
    (void)a.to_host();
    EXPECT_EQ(a.host_read_write().data(), host);
    EXPECT_EQ(a.read().data(), device);
  }
  a.copy_from(counted(5000));
  EXPECT_EQ(a.host_read().data(), host);
  array<int> b = std::move(a);
  EXPECT_EQ(b.host_read().data(), host);
  EXPECT_EQ(b.read().data(), device);
}

TEST(array, copies_exactly_n_and_becomes_n_long) {
  for (const bool device_first : {false, true}) {
    array<int> a(10, 1);
    if (device_first) (void)a.write();
    for (const std::size_t n : {20u, 5u, 5u, 0u, 7u}) {
      std::vector<int> in = counted(n, 3);
      a.copy_from(in);
      EXPECT_EQ(a.size(), n);
      EXPECT_EQ(content(a), in);
    }
  }
  array<int> a(3);
  const std::vector<int> in = counted(100);
  a.copy_from(in.data(), 50);
  EXPECT_EQ(content(a), counted(50));
  std::vector<int> small(49), large(60, -1);
  EXPECT_THROW(a.copy_to(small), amphi::bounds_error);
  a.copy_to(large);
  EXPECT_EQ(large[49], 49);
  EXPECT_EQ(large[50], -1);
  // Out of its own memory, which goes when the size changes.
  a.copy_from(std::span<const int>(a.host_read()).subspan(10, 20));
  EXPECT_EQ(content(a), counted(20, 10));
}

TEST(array, refuses_null_pointers_and_stays_as_it_is) {
  array<int> a(counted(10));
  int* const nowhere = nullptr;
  EXPECT_THROW(a.copy_from(nowhere, 10), amphi::memory_error);
  EXPECT_THROW(a.copy_from(nowhere, 11), amphi::memory_error);
  EXPECT_THROW(a.copy_to(nowhere), amphi::memory_error);
  EXPECT_EQ(content(a), counted(10));
  array<int> none;
  none.copy_from(nowhere, 0);
  none.copy_to(nowhere);
  EXPECT_TRUE(none.empty());
}

TEST(array, knows_its_space) {
  EXPECT_EQ(array<int>().space(), memory_space::pinned);
  for (const memory_space space : {memory_space::pageable, memory_space::managed, memory_space::device}) {
    array<int> a(10, 1, space);
    EXPECT_EQ(a.space(), space);
    a.resize(20);
    a.copy_from(array<int>(5, 2));
    EXPECT_EQ(a.space(), space);
    EXPECT_EQ(a.clone().space(), space);
  }
}

TEST(array, uses_foreign_memory_and_never_frees_it) {
  std::vector<int> mine = counted(1000);  // the sanitizer would see a second free
  {
    array<int> a = array<int>::adopt(mine.data(), 1000);
    EXPECT_EQ(a.host_read().data(), mine.data());
    amphi::launch<add<int>>(1, a.read_write());
    EXPECT_EQ(a.host_read()[999], 1000);
    EXPECT_EQ(mine[999], 1000);
    a.copy_from(counted(1000, 5));
    EXPECT_EQ(mine[0], 5);
    a.copy_from(counted(400, 9));  // another size: memory of its own
    EXPECT_EQ(a.size(), 400u);
    EXPECT_NE(a.host_read().data(), mine.data());
    EXPECT_EQ(mine[0], 5);
    a = array<int>::adopt(mine.data(), mine.size(), memory_space::pageable);
    a.resize(3);
    array<int> b = array<int>::adopt(mine.data(), mine.size());
    b = std::move(a);
  }
  EXPECT_EQ(mine[999], 1004);
  EXPECT_THROW((void)array<int>::adopt(nullptr, 1), amphi::memory_error);
  EXPECT_TRUE(array<int>::adopt(nullptr, 0).empty());
}

TEST(array, adopts_memory_of_any_space) {
  const std::vector<int> in = counted(3000);
  for (const memory_space space : spaces) {
    void* const memory = amphi::allocate(in.size() * sizeof(int), space);
    amphi::copy_bytes(memory, in.data(), in.size() * sizeof(int));
    amphi::stream_view().synchronize();
    {
      array<int> a = array<int>::adopt(static_cast<int*>(memory), in.size(), space);
      if (space == memory_space::device || space == memory_space::managed) {
        EXPECT_EQ(a.read().data(), memory);
      }
      EXPECT_EQ(a.host_read()[2999], 2999);
      amphi::launch<add<int>>(1, a.read_write());
      EXPECT_EQ(content(a), counted(3000, 1));
      a.host_write()[0] = 7;
    }
    amphi::deallocate(memory, space);
  }
}

TEST(array, survives_self_assignment_moves_growth_and_swap) {
  for (const bool device_only : {true, false}) {
    const auto make = [&](int first) {
      return device_only ? on_device_only(1000, first) : array<int>(counted(1000, first));
    };
    array<int> a = make(1);
    a.copy_from(a);
    EXPECT_EQ(content(a), counted(1000, 1));
    a = make(2);
    array<int>& same = a;
    a = std::move(same);
    EXPECT_EQ(content(a), counted(1000, 2));

    std::vector<array<int>> many;
    for (int i = 0; i < 20; ++i) many.push_back(make(i));
    many.insert(many.begin(), make(50));
    many.erase(many.begin() + 5);
    EXPECT_EQ(content(many[0]), counted(1000, 50));
    EXPECT_EQ(content(many[1]), counted(1000, 0));
    EXPECT_EQ(content(many[19]), counted(1000, 19));

    array<int> b = make(7), c(5, 3);
    b.swap(c);
    EXPECT_EQ(content(c), counted(1000, 7));
    EXPECT_EQ(content(b), std::vector<int>(5, 3));
    swap(b, c);
    EXPECT_EQ(b.size(), 1000u);

    array<int> d(std::move(b));
    EXPECT_EQ(content(d), counted(1000, 7));
    EXPECT_EQ(b.size(), 0u);  // NOLINT: a moved-from array has a size
    EXPECT_TRUE(b.host_read().empty());
    EXPECT_TRUE(b.read().empty());
    b.resize(4);
    std::ranges::fill(b.host_write(), 1);
    EXPECT_EQ(content(b), std::vector<int>(4, 1));
    b.copy_from(d);
    EXPECT_EQ(content(b), counted(1000, 7));
  }
}

TEST(array, clones_what_is_there) {
  const array<int> on_device = on_device_only(501, 4);
  EXPECT_EQ(content(on_device.clone()), counted(501, 4));
  EXPECT_EQ(content(array<int>(counted(501, 5)).clone()), counted(501, 5));
  EXPECT_EQ(content(array<int>(9, 2).clone()), std::vector<int>(9, 2));
  const array<int> unwritten = array<int>(9).clone();
  EXPECT_EQ(unwritten.size(), 9u);
  EXPECT_THROW((void)unwritten.host_read(), amphi::memory_error);
  array<int> copy = on_device.clone();
  amphi::launch<add<int>>(1, copy.read_write());
  EXPECT_EQ(content(on_device), counted(501, 4));
  EXPECT_EQ(content(copy), counted(501, 5));
  // Addresses are stable while the size is.
  int* const before = copy.read_write().data();
  copy.copy_from(on_device);
  EXPECT_EQ(copy.read().data(), before);
  EXPECT_EQ(content(copy), counted(501, 4));
}

#if AMPHI_CUDA
TEST(array, becomes_pinned_when_it_travels) {
  if (!on_gpu()) GTEST_SKIP() << "without a GPU nothing is pinned";
  const auto kind_of = [](const void* p) {
    cudaPointerAttributes where{};
    EXPECT_EQ(cudaPointerGetAttributes(&where, p), cudaSuccess);
    return where.type;
  };
  array<int> a(100000), b(100000, memory_space::pageable);
  for (array<int>* x : {&a, &b}) {
    std::ranges::fill(x->host_write(), 1);
    EXPECT_EQ(kind_of(x->read().data()), cudaMemoryTypeDevice);
  }
  EXPECT_EQ(kind_of(a.host_read().data()), cudaMemoryTypeHost);
  EXPECT_EQ(kind_of(b.host_read().data()), cudaMemoryTypeUnregistered);
}
#endif

#if AMPHI_CHECKED
TEST(checked_array, poisons_what_write_finds_stale) {
  array<float> a(1000);
  std::ranges::fill(a.host_write(), 1.0f);
  (void)a.write();  // promises to write every element, and does not
  for (const float f : a.host_read()) ASSERT_TRUE(std::isnan(f));
  amphi::launch<set<float>>(2.0f, a.write());
  amphi::launch<add<float>>(2.0f, a.write());  // the same side: nothing is lost
  EXPECT_TRUE(all_are(a.host_read(), 4.0f));
  amphi::launch<add<float>>(1.0f, a.read_write());
  for (const float f : a.host_write()) ASSERT_TRUE(std::isnan(f));
}
#endif

}  // namespace
