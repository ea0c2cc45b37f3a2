// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/graph.hpp"
#include "amphi/runtime/stream.hpp"

namespace {

using amphi::memory_space;
constexpr memory_space spaces[] = {memory_space::device, memory_space::pinned, memory_space::pageable,
                                   memory_space::managed};

class memory : public ::testing::TestWithParam<memory_space> {};
INSTANTIATE_TEST_SUITE_P(spaces, memory, ::testing::ValuesIn(spaces),
                         [](const auto& p) { return std::string(name(p.param)); });

TEST_P(memory, of_no_bytes_is_null) {
  EXPECT_EQ(amphi::allocate(0, GetParam()), nullptr);
  amphi::deallocate(nullptr, GetParam());
}

TEST_P(memory, is_aligned_and_distinct) {
  void* const a = amphi::allocate(1, GetParam());
  void* const b = amphi::allocate(100, GetParam());
  EXPECT_NE(a, b);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b) % 64, 0u);
  amphi::deallocate(a, GetParam());
  amphi::deallocate(b, GetParam());
}

TEST_P(memory, holds_what_is_copied_into_it) {
  const amphi::stream s;
  std::vector<int> in(100003), out(in.size(), -1);
  std::iota(in.begin(), in.end(), 7);
  const std::size_t bytes = in.size() * sizeof(int);
  for (const memory_space other : spaces) {
    void* const a = amphi::allocate(bytes, GetParam());
    void* const b = amphi::allocate(bytes, other);
    amphi::copy_bytes(a, in.data(), bytes, s);
    amphi::copy_bytes(b, a, bytes, s);
    amphi::copy_bytes(out.data(), b, bytes, s);
    s.synchronize();
    EXPECT_EQ(in, out) << name(GetParam()) << " to " << name(other);
    amphi::deallocate(a, GetParam());
    amphi::deallocate(b, other);
  }
}

TEST_P(memory, is_filled_bytewise) {
  std::vector<unsigned char> out(4099);
  void* const a = amphi::allocate(out.size(), GetParam());
  amphi::fill_bytes(a, 0xa5, out.size());
  amphi::copy_bytes(out.data(), a, out.size());
  amphi::stream_view().synchronize();
  for (const unsigned char c : out) ASSERT_EQ(c, 0xa5);
  amphi::deallocate(a, GetParam());
  amphi::copy_bytes(nullptr, nullptr, 0);
  amphi::fill_bytes(nullptr, 1, 0);
}

TEST_P(memory, may_be_larger_than_32_bits_count) {
  constexpr std::size_t bytes = (std::size_t{5} << 30) + 3;
  if (GetParam() == memory_space::pinned && amphi::backend_in_use() == amphi::backend::cuda)
    GTEST_SKIP() << "would lock 5 GiB of the host";
  auto* const a = static_cast<char*>(amphi::allocate(bytes, GetParam()));
  const char in[4] = "end";
  char out[4] = {};
  amphi::copy_bytes(a + bytes - 4, in, 4);
  amphi::copy_bytes(out, a + bytes - 4, 4);
  amphi::stream_view().synchronize();
  EXPECT_STREQ(out, "end");
  amphi::deallocate(a, GetParam());
}

TEST_P(memory, that_is_not_there_is_an_error_that_says_how_much) {
  for (const std::size_t bytes : {std::size_t{1} << 50, SIZE_MAX - 100}) {
    try {
      void* const got = amphi::allocate(bytes, GetParam());
      amphi::deallocate(got, GetParam());
      if (GetParam() == memory_space::managed) continue;  // CUDA may promise more than there is
      FAIL() << "a petabyte was promised";
    } catch (const amphi::memory_error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find(std::to_string(bytes)), std::string::npos) << text;
      EXPECT_NE(text.find("are left"), std::string::npos) << text;
    }
  }
  // The failure leaves nothing behind.
  EXPECT_NO_THROW(amphi::synchronize());
  void* const small = amphi::allocate(64, GetParam());
  EXPECT_NE(small, nullptr);
  amphi::deallocate(small, GetParam());
}

TEST_P(memory, null_pointers_are_errors) {
  void* const a = amphi::allocate(16, GetParam());
  const amphi::stream s;
  const auto refuses = [](const char* call, auto&& f) {
    try {
      f();
      ADD_FAILURE() << "no exception";
    } catch (const amphi::memory_error& e) {
      EXPECT_NE(std::string(e.what()).find(std::string(call) + " of 16 bytes was given a null pointer"),
                std::string::npos)
          << e.what();
    }
  };
  refuses("copy_bytes", [&] { amphi::copy_bytes(nullptr, a, 16); });
  refuses("copy_bytes", [&] { amphi::copy_bytes(a, nullptr, 16, s); });
  refuses("fill_bytes", [&] { amphi::fill_bytes(nullptr, 0, 16); });
  refuses("copy_bytes", [&] { (void)s.capture([&] { amphi::copy_bytes(a, nullptr, 16, s); }); });
  // No bytes need no memory.
  EXPECT_NO_THROW(amphi::copy_bytes(nullptr, nullptr, 0));
  EXPECT_NO_THROW(amphi::fill_bytes(nullptr, 7, 0, s));
  amphi::deallocate(a, GetParam());
}

}  // namespace
