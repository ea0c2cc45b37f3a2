// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/settings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "amphi/core/error.hpp"

using amphi::extent3;
using amphi::settings;
using amphi::thread_order;

namespace {

// An environment that a test writes.
std::map<std::string, std::string> environment;

settings parsed(std::map<std::string, std::string> variables) {
  environment = std::move(variables);
  return amphi::detail::parse_settings([](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

// A bad value is an error that names the switch, the value and the good values.
void expect_bad(const std::string& name, const std::vector<std::string>& values, const std::string& good) {
  for (const std::string& value : values) {
    try {
      parsed({{name, value}});
      ADD_FAILURE() << name << "=" << value << " was taken";
    } catch (const amphi::error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find(name + "=" + value), std::string::npos) << text;
      EXPECT_NE(text.find(good), std::string::npos) << text;
    }
  }
}

TEST(settings, without_switches_are_the_defaults) {
  const settings s = parsed({});
  EXPECT_EQ(s.backend, amphi::backend::automatic);
  EXPECT_FALSE(s.serial || s.trace || s.profile || s.sync || s.break_set);
  EXPECT_EQ(s.workers, 0);
  EXPECT_EQ(s.order, thread_order::forward);
  EXPECT_EQ(s.limits, 90);
  EXPECT_EQ(s.device, -1);
  EXPECT_EQ(s.stack_bytes, 0);
}

TEST(settings, an_empty_switch_is_none) {
  for (const char* name :
       {"AMPHI_BACKEND", "AMPHI_SERIAL", "AMPHI_WORKERS", "AMPHI_ORDER", "AMPHI_TRACE", "AMPHI_PROFILE",
        "AMPHI_SYNC", "AMPHI_BREAK", "AMPHI_LIMITS", "AMPHI_DEVICE", "AMPHI_STACK"})
    EXPECT_NO_THROW(parsed({{name, ""}})) << name;
}

TEST(settings, backend) {
  EXPECT_EQ(parsed({{"AMPHI_BACKEND", "cpu"}}).backend, amphi::backend::cpu);
  EXPECT_EQ(parsed({{"AMPHI_BACKEND", "cuda"}}).backend, amphi::backend::cuda);
  expect_bad("AMPHI_BACKEND", {"gpu", "CPU", "automatic", "cpu ", "0"}, "cuda, cpu");
}

TEST(settings, flags) {
  EXPECT_TRUE(parsed({{"AMPHI_SERIAL", "1"}}).serial);
  EXPECT_TRUE(parsed({{"AMPHI_TRACE", "1"}}).trace);
  EXPECT_TRUE(parsed({{"AMPHI_PROFILE", "1"}}).profile);
  EXPECT_TRUE(parsed({{"AMPHI_SYNC", "1"}}).sync);
  EXPECT_FALSE(parsed({{"AMPHI_SERIAL", "0"}}).serial);
  for (const char* name : {"AMPHI_SERIAL", "AMPHI_TRACE", "AMPHI_PROFILE", "AMPHI_SYNC"})
    expect_bad(name, {"2", "yes", "on", "true", "-1", "1 ", "01"}, "0, 1");
}

TEST(settings, workers) {
  EXPECT_EQ(parsed({{"AMPHI_WORKERS", "1"}}).workers, 1);
  EXPECT_EQ(parsed({{"AMPHI_WORKERS", "4096"}}).workers, 4096);
  expect_bad("AMPHI_WORKERS", {"0", "-1", "4097", "two", "2x", " 2", "1.5", "99999999999999999999"},
             "1 … 4096");
}

TEST(settings, order) {
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "forward"}}).order, thread_order::forward);
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "reverse"}}).order, thread_order::reverse);
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "random:7"}}).order, thread_order::random(7));
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "random:0"}}).order, thread_order::random(0));
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "random:9223372036854775808"}}).order,
            thread_order::random(std::uint64_t{1} << 63));
  EXPECT_EQ(parsed({{"AMPHI_ORDER", "random:18446744073709551615"}}).order, thread_order::random(UINT64_MAX));
  expect_bad(
      "AMPHI_ORDER",
      {"random", "random:", "random:x", "random:7 ", "random:18446744073709551616", "backward", "Forward"},
      "forward, reverse, random:SEED");
}

TEST(settings, break_at) {
  const settings linear = parsed({{"AMPHI_BREAK", "2:17"}});
  EXPECT_TRUE(linear.break_set);
  EXPECT_EQ(linear.break_block, extent3(2, 0, 0));
  EXPECT_EQ(linear.break_thread, extent3(17, 0, 0));
  const settings three = parsed({{"AMPHI_BREAK", "2,0,1:1,4,0"}});
  EXPECT_EQ(three.break_block, extent3(2, 0, 1));
  EXPECT_EQ(three.break_thread, extent3(1, 4, 0));
  expect_bad("AMPHI_BREAK", {"2", "2:", ":3", "a:b", "-1:0", "1:2:3", "1,2,3,4:0", "1,:2"}, "BLOCK:THREAD");
}

TEST(settings, limits) {
  EXPECT_EQ(parsed({{"AMPHI_LIMITS", "sm_75"}}).limits, 75);
  EXPECT_EQ(parsed({{"AMPHI_LIMITS", "sm_120"}}).limits, 120);
  expect_bad("AMPHI_LIMITS", {"75", "sm_", "sm_76", "sm75", "sm_x", "sm_4294967386"},
             "sm_NN with NN one of 70, 72");
}

TEST(settings, device) {
  EXPECT_EQ(parsed({{"AMPHI_DEVICE", "0"}}).device, 0);
  EXPECT_EQ(parsed({{"AMPHI_DEVICE", "3"}}).device, 3);
  EXPECT_EQ(parsed({{"AMPHI_DEVICE", "local_rank"}, {"SLURM_LOCALID", "5"}}).device, 5);
  EXPECT_EQ(parsed({{"AMPHI_DEVICE", "local_rank"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}}).device, 2);
  EXPECT_EQ(parsed({{"SLURM_LOCALID", "5"}}).device, -1) << "nobody asked";
  expect_bad("AMPHI_DEVICE", {"-1", "gpu0", "1,2", "4294967296"}, "a device number");
  expect_bad("AMPHI_DEVICE", {"local_rank"}, "SLURM_LOCALID");
}

TEST(settings, stack) {
  EXPECT_EQ(parsed({{"AMPHI_STACK", "65536"}}).stack_bytes, 65536);
  expect_bad("AMPHI_STACK", {"0", "-5", "16383", "64k", "1073741825"}, "16384 … 1073741824");
}

}  // namespace
