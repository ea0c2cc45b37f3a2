// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/memory/buffer.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/memory.hpp"
#include "amphi/runtime/settings.hpp"
#include "amphi/runtime/stream.hpp"

namespace {

bool on_gpu() { return amphi::backend_in_use() == amphi::backend::cuda; }

TEST(device, count_and_current_agree_with_the_backend) {
  if (on_gpu()) {
    EXPECT_GT(amphi::device_count(), 0);
    EXPECT_GE(amphi::current_device(), 0);
    EXPECT_LT(amphi::current_device(), amphi::device_count());
  } else {
    EXPECT_EQ(amphi::device_count(), 0);
    EXPECT_EQ(amphi::current_device(), -1);
  }
}

TEST(device, bad_numbers_are_errors_that_name_them) {
  for (const int bad : {-1, amphi::device_count(), 12345}) {
    try {
      amphi::set_device(bad);
      FAIL() << bad << " was accepted";
    } catch (const amphi::device_error& e) {
      EXPECT_NE(std::string(e.what()).find(std::to_string(bad)), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW((void)amphi::properties_of(amphi::device_count()), amphi::device_error);
  EXPECT_THROW((void)amphi::properties_of(-2), amphi::device_error);
}

TEST(device, has_properties_without_a_gpu_too) {
  const amphi::device_properties p = amphi::properties_of_current_device();
  EXPECT_GT(std::strlen(p.name), 0u);
  EXPECT_EQ(p.device, amphi::current_device());
  EXPECT_GT(p.multiprocessors, 0);
  EXPECT_GT(p.memory_bytes, 1 << 20);
  EXPECT_EQ(p.limits.warp_size, 32);
  if (!on_gpu()) {
    EXPECT_EQ(p.limits, amphi::limits_of(amphi::current_settings().limits));
  }
}

TEST(device, synchronize_is_always_allowed) {
  EXPECT_NO_THROW(amphi::synchronize());
  EXPECT_NO_THROW(amphi::synchronize());
}

TEST(device, choice_belongs_to_the_host_thread) {
  if (amphi::device_count() < 2) GTEST_SKIP() << "needs two GPUs";
  const int before = amphi::current_device();
  int seen = -1;
  std::thread([&] {
    amphi::set_device(1);
    seen = amphi::current_device();
  }).join();
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(amphi::current_device(), before);
}

TEST(device, errors_come_to_the_thread_that_made_them) {
  std::vector<std::thread> threads;
  std::vector<int> caught(8, 0);
  for (std::size_t t = 0; t < caught.size(); ++t)
    threads.emplace_back([&caught, t] {
      for (int i = 0; i < 50; ++i) {
        try {
          amphi::set_device(1000 + static_cast<int>(t));
        } catch (const amphi::device_error& e) {
          caught[t] += std::string(e.what()).find(std::to_string(1000 + t)) != std::string::npos;
        }
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int c : caught) EXPECT_EQ(c, 50);
}

#if AMPHI_CUDA
TEST(device, leaves_older_errors_of_the_program_alone) {
  if (!on_gpu()) GTEST_SKIP() << "needs a GPU";
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_NO_THROW({
    const amphi::stream s;
    s.record().synchronize();
    s.synchronize();
    amphi::synchronize();
    (void)amphi::properties_of_current_device();
    const amphi::buffer b(1000);
    amphi::fill_bytes(b.data(), 1, b.bytes(), s);
  });
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation) << "neither eaten nor replaced";
  EXPECT_THROW((void)amphi::allocate(std::size_t{1} << 50, amphi::memory_space::device), amphi::memory_error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "ours is cleared";
}
#endif

}  // namespace
