// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "amphi/core/error.hpp"
#include "amphi/execution/launch.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/runtime/limits.hpp"
#include "amphi/runtime/settings.hpp"
#include "support/paths.hpp"

using namespace amphi_test;
using amphi::extent3;
using amphi::launch_error;

// What a policy is refused for, in the same words on both backends.
namespace refused {

AMPHI_LAUNCHABLE void kernel() {}

}  // namespace refused

namespace {

amphi::device_limits limits_of(backend where) {
  const bool gpu = where != backend::cpu && on_gpu();
  return gpu ? amphi::properties_of_current_device().limits
             : amphi::limits_of(amphi::current_settings().limits);
}

constexpr backend both[] = {backend::automatic, backend::cpu};

void launch_with(policy p, backend where) {
  p.backend = where;
  amphi::launch<refused::kernel>(p);
  amphi::synchronize();
}

void expect_good(const policy& p) {
  for (const backend where : both) EXPECT_NO_THROW(launch_with(p, where));
}

void expect_refused(const policy& p, const std::vector<std::string>& words) {
  for (const backend where : both) {
    const std::string text = message_of<launch_error>([&] { launch_with(p, where); });
    EXPECT_TRUE(says(text, words));
    EXPECT_TRUE(says(text, {"launch of refused::kernel: "}));
    EXPECT_NO_THROW(launch_with({.grid = 2, .block = 32}, where)) << "the next launch works";
  }
}

TEST(launch_errors, are_standard_exceptions) {
  static_assert(std::is_base_of_v<amphi::error, launch_error>);
  static_assert(std::is_base_of_v<std::runtime_error, launch_error>);
  EXPECT_THROW(amphi::launch<refused::kernel>({.block = 0}), std::exception);
}

TEST(launch_errors, block_has_at_most_1024_threads) {
  expect_good({.grid = 1, .block = 1024});
  expect_refused({.grid = 1, .block = 1025}, {"block.x is 1025", "1024", "smaller block"});
  expect_refused({.block = 2048}, {"block.x is 2048", "1024"});
  expect_good({.grid = 1, .block = {32, 32}});
  expect_refused({.grid = 1, .block = {32, 33}}, {"32 × 33 × 1 = 1056 threads", "1024"});
  expect_refused({.grid = 1, .block = {32, 32, 2}}, {"32 × 32 × 2 = 2048 threads", "1024"});
  expect_good({.grid = 1, .block = {1, 1024}});
  expect_refused({.grid = 1, .block = {1, 1025}}, {"block.y is 1025", "1024"});
  expect_good({.grid = 1, .block = {1, 1, 64}});
  expect_refused({.grid = 1, .block = {1, 1, 65}}, {"block.z is 65", "64"});
  expect_refused({.block = INT64_MAX}, {"block.x is 9223372036854775807"});
  expect_refused({.block = {1024, 1024, 64}}, {"= 67108864 threads"});
  expect_refused({.block = SIZE_MAX}, {"block.x is 9223372036854775807 or more (was it negative?)", "1024"});
  expect_refused({.block = {1, SIZE_MAX}}, {"block.y is 9223372036854775807 or more", "1024"});
  expect_refused({.block = {1, 1, SIZE_MAX / 2 + 1}}, {"block.z is 9223372036854775807 or more", "64"});
}

TEST(launch_errors, grid_is_never_clamped) {
  expect_good({.grid = {1, 65535, 1}, .block = 1});
  expect_refused({.grid = {1, 65536, 1}, .block = 1}, {"grid.y is 65536", "65535", "grid.x"});
  expect_good({.grid = {1, 1, 65535}, .block = 1});
  expect_refused({.grid = {1, 1, 65536}, .block = 1}, {"grid.z is 65536", "65535"});
  expect_refused({.grid = 2147483648u, .block = 1}, {"grid.x is 2147483648", "2147483647", "grid-stride"});
  expect_refused({.grid = {1, 65536}}, {"grid.y is 65536"});
  expect_refused({.grid = INT64_MAX, .block = 32}, {"grid.x is 9223372036854775807"});
  expect_refused({.grid = SIZE_MAX}, {"grid.x is 9223372036854775807 or more", "2147483647"});
  expect_refused({.grid = {1, SIZE_MAX - 5}, .block = 1}, {"grid.y is 9223372036854775807 or more", "65535"});
}

struct stop {};

// Ends a launch on the CPU in its first block; a GPU runs empty blocks fast.
AMPHI_LAUNCHABLE void stop_at_once() {
#if !AMPHI_DEVICE_CODE
  throw stop();
#endif
}

TEST(launch_errors, grid_x_goes_up_to_2147483647) {
  for (const backend where : both) {
    try {
      amphi::launch<stop_at_once>({.grid = {2147483647, 1, 1}, .block = 1, .backend = where});
      amphi::synchronize();
      EXPECT_TRUE(where == backend::automatic && on_gpu());
    } catch (const stop&) {
      EXPECT_FALSE(where == backend::automatic && on_gpu());
    }
  }
  // With more blocks than anybody waits for, the first failure must end the launch too.
  EXPECT_THROW(
      amphi::launch<stop_at_once>({.grid = {2147483647, 65535, 65535}, .block = 1, .backend = backend::cpu}),
      stop);
}

TEST(launch_errors, zero_and_negative_sizes_are_not_automatic) {
  expect_refused({.grid = 0}, {"grid.x is 0", "1 or more", "leave .grid out"});
  expect_refused({.grid = 0, .block = 1}, {"grid.x is 0"});
  expect_refused({.grid = -1}, {"grid.x is -1"});
  expect_refused({.grid = {1, 0}}, {"grid.y is 0"});
  expect_refused({.grid = {1, 1, -7}}, {"grid.z is -7"});
  expect_refused({.block = 0}, {"block.x is 0", "leave .block out"});
  expect_refused({.block = std::size_t{0}}, {"block.x is 0"});
  expect_refused({.block = short{-5}}, {"block.x is -5"});
  expect_refused({.block = {8, -8}}, {"block.y is -8"});
  expect_refused({.grid = INT64_MIN}, {"grid.x is -9223372036854775808"});
  expect_refused({.block = {INT64_MIN, INT64_MIN}}, {"block.x is -9223372036854775808"});
}

TEST(launch_errors, numbers_of_any_integral_type_keep_their_value) {
  expect_refused({.max_block = 0}, {"max_block is 0, it must be 1 or more", "automatic"});
  expect_refused({.max_block = -3LL}, {"max_block is -3"});
  expect_refused({.workers = std::uint8_t{0}}, {"workers is 0"});
  expect_refused({.workers = -1}, {"workers is -1"});
  expect_refused({.workers = 4097}, {"workers is 4097", "4096"});
  expect_refused({.workers = 1 << 20}, {"workers is 1048576", "4096"});
  expect_refused({.workers = UINT64_MAX}, {"workers is 9223372036854775807 or more", "1 … 4096"});
  expect_refused({.shared_bytes = SIZE_MAX}, {"asks for 9223372036854775807 or more", "bytes"});
  expect_refused({.workers = INT64_MIN}, {"workers is -922337203685477580"});
  expect_refused({.shared_bytes = -1}, {"shared_bytes is -1"});
  expect_refused({.shared_bytes_per_thread = short{-4}}, {"shared_bytes_per_thread is -4"});
  expect_good({.shared_bytes = 0});
  expect_good({.shared_bytes_per_thread = std::uint8_t{0}});
  expect_good({.max_block = std::uint64_t{32}, .workers = char{2}});
}

TEST(launch_errors, shared_memory_goes_up_to_the_opt_in_maximum) {
  for (const std::int64_t bytes : {0, 49151, 49152, 49153})
    expect_good({.grid = 2, .block = 32, .shared_bytes = bytes});
  for (const backend where : both) {
    const std::int64_t most = limits_of(where).shared_bytes_per_block_opt_in;
    if (most >= 98304) {
      EXPECT_NO_THROW(launch_with({.grid = 2, .block = 32, .shared_bytes = 98304}, where));
    }
    EXPECT_NO_THROW(launch_with({.grid = 2, .block = 32, .shared_bytes = most}, where));
    const std::string text = message_of<launch_error>(
        [&] { launch_with({.grid = 2, .block = 32, .shared_bytes = most + 1}, where); });
    EXPECT_TRUE(says(text, {std::to_string(most + 1), std::to_string(most) + " bytes", "smaller tiles"}));
  }
  expect_refused({.shared_bytes = 1 << 20}, {"1048576 bytes of dynamic shared memory"});
  expect_refused({.grid = 1, .block = 1024, .shared_bytes_per_thread = 1024}, {"1048576 bytes"});
  expect_refused({.grid = 1, .block = 256, .shared_bytes = 1 << 19, .shared_bytes_per_thread = 2048},
                 {"1048576 bytes"});
  expect_refused({.grid = 1, .block = 1024, .shared_bytes_per_thread = INT64_MAX / 2}, {"smaller tiles"});
}

struct write_one {
  int* out;
  AMPHI_HOST_DEVICE void operator()(int) const { *out = 1; }
};

// A refused launch runs nothing.
TEST(launch_errors, come_before_anything_runs) {
  for (const backend where : both) {
    shared_data<int> out(1);
    int* const o = out.data();
    EXPECT_THROW(amphi::launch<stop_at_once>({.grid = {1, 65536}, .block = 1, .backend = where}),
                 launch_error);
    EXPECT_THROW(amphi::parallel_for({.block = 4096, .backend = where}, 0, 10, write_one{o}), launch_error);
    EXPECT_EQ(out.on_host()[0], 0);
  }
}

TEST(launch_errors, cuda_without_a_gpu_is_a_device_error) {
  if (on_gpu()) GTEST_SKIP() << "there is a GPU";
  const std::string text =
      message_of<amphi::device_error>([] { amphi::launch<refused::kernel>({.backend = backend::cuda}); });
  EXPECT_TRUE(says(text, {"cuda", "GPU"}));
  EXPECT_NO_THROW(amphi::launch<refused::kernel>());
}

// The checks know other devices by AMPHI_LIMITS (see environment_test.cpp) and by the table.
TEST(launch_errors, limits_differ_between_devices) {
  EXPECT_EQ(amphi::limits_of(75).shared_bytes_per_block_opt_in, 65536);
  EXPECT_EQ(amphi::limits_of(90).shared_bytes_per_block_opt_in, 232448);
}

}  // namespace
