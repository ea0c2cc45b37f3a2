// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/backend.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "amphi/core/error.hpp"

namespace {

using amphi::backend;

TEST(backend, has_names) {
  EXPECT_STREQ(name(backend::automatic), "automatic");
  EXPECT_STREQ(name(backend::cuda), "cuda");
  EXPECT_STREQ(name(backend::cpu), "cpu");
}

TEST(backend, in_use_is_one_of_two_and_stays) {
  const backend b = amphi::backend_in_use();
  EXPECT_TRUE(b == backend::cuda || b == backend::cpu);
  EXPECT_EQ(amphi::backend_in_use(), b);
  EXPECT_EQ(amphi::resolve(backend::automatic), b);
  EXPECT_EQ(amphi::resolve(backend::cpu), backend::cpu);
#if !AMPHI_CUDA
  EXPECT_EQ(b, backend::cpu);
#endif
}

TEST(backend, cuda_is_had_or_refused_with_the_reason) {
  if (amphi::backend_in_use() == backend::cuda) {
    EXPECT_EQ(amphi::resolve(backend::cuda), backend::cuda);
    return;
  }
  const char* set = std::getenv("AMPHI_BACKEND");
  if (set != nullptr && std::string(set) == "cpu") {
    EXPECT_EQ(amphi::resolve(backend::cuda), backend::cpu);
    return;
  }
  try {
    (void)amphi::resolve(backend::cuda);
    FAIL() << "a GPU was promised";
  } catch (const amphi::device_error& e) {
    const std::string text = e.what();
#if AMPHI_CUDA
    EXPECT_NE(text.find("cudaError"), std::string::npos) << text;
#else
    EXPECT_NE(text.find("-DBACKEND=cuda"), std::string::npos) << text;
#endif
  }
}

// Each of these runs in a process of its own, which has not yet decided.
class backend_death : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

[[noreturn]] void exit_with(bool good) { std::_Exit(good ? 0 : 1); }

[[noreturn]] void cpu_by_environment() {
  setenv("AMPHI_BACKEND", "cpu", 1);
  exit_with(amphi::backend_in_use() == backend::cpu && amphi::resolve(backend::cuda) == backend::cpu &&
            amphi::backend_in_use() == backend::cpu);
}

[[noreturn]] void cuda_by_environment() {
  setenv("AMPHI_BACKEND", "cuda", 1);
  try {
    exit_with(amphi::backend_in_use() == backend::cuda);
  } catch (const amphi::device_error& e) {
    exit_with(std::string(e.what()).find("AMPHI_BACKEND=cuda is set") != std::string::npos);
  }
}

[[noreturn]] void no_visible_device() {
  unsetenv("AMPHI_BACKEND");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  exit_with(amphi::backend_in_use() == backend::cpu);
}

TEST_F(backend_death, environment_can_force_the_cpu) {
  // A build that could have used a GPU says once that it does not.
  EXPECT_EXIT(cpu_by_environment(), ::testing::ExitedWithCode(0),
              AMPHI_CUDA ? "running on the CPU .host .*, process [0-9]+.: AMPHI_BACKEND=cpu is set" : "^$");
}

TEST_F(backend_death, environment_can_demand_a_gpu) {
  EXPECT_EXIT(cuda_by_environment(), ::testing::ExitedWithCode(0), "");
}

TEST_F(backend_death, falls_back_without_a_visible_device) {
  EXPECT_EXIT(no_visible_device(), ::testing::ExitedWithCode(0),
              AMPHI_CUDA ? "running on the CPU .host .*cudaError" : "^$");
}

}  // namespace
