// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "amphi/config/macros.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/device.hpp"
#include "amphi/runtime/memory.hpp"
#include "amphi/runtime/policy.hpp"

// What tests share: the paths that a computation can take in this build, the sizes that it is tried with,
// memory that every path reaches, and comparison by bits.
//
//   for (const path& p : all_paths()) {
//     SCOPED_TRACE(p.name);
//     shared_data<float> y(n, 0.0f);
//     amphi::launch<fill>(p.policy, n, y.data());
//     EXPECT_TRUE(same_bits(y.on_host(), expected));
//   }

namespace amphi_test {

using amphi::backend;
using amphi::policy;

struct path {
  std::string name;
  amphi::policy policy;
};

inline bool on_gpu() { return amphi::backend_in_use() == backend::cuda; }

// Paths on the CPU; they exist in every build.
inline std::vector<path> cpu_paths() {
  constexpr backend cpu = backend::cpu;
  using amphi::thread_order;
  return {
      {"cpu serial", {.grid = 1, .block = 1, .backend = cpu}},
      {"cpu automatic", {.backend = cpu}},
      {"cpu 1 worker", {.backend = cpu, .workers = 1}},
      {"cpu 2 workers", {.backend = cpu, .workers = 2}},
      {"cpu 3 workers", {.backend = cpu, .workers = 3}},
      {"cpu 7 workers", {.backend = cpu, .workers = 7}},
      {"cpu <<<5,33>>> forward",
       {.grid = 5, .block = 33, .backend = cpu, .workers = 3, .order = thread_order::forward}},
      {"cpu <<<5,33>>> reverse",
       {.grid = 5, .block = 33, .backend = cpu, .workers = 3, .order = thread_order::reverse}},
      {"cpu <<<5,33>>> random",
       {.grid = 5, .block = 33, .backend = cpu, .workers = 3, .order = thread_order::random(42)}},
      {"cpu <<<(2,3,2),(4,2,8)>>>", {.grid = {2, 3, 2}, .block = {4, 2, 8}, .backend = cpu}},
      {"cpu block of 96", {.block = 96, .backend = cpu}},
      {"cpu grid of 9", {.grid = 9, .backend = cpu}},
  };
}

// Paths on the backend in use: on a GPU where there is one.
inline std::vector<path> default_paths() {
  return {
      {"automatic", {}},
      {"<<<1,1>>>", amphi::serial},
      {"<<<1,1024>>>", {.grid = 1, .block = 1024}},
      {"<<<3,32>>>", {.grid = 3, .block = 32}},
      {"<<<1000,256>>>", {.grid = 1000, .block = 256}},
      {"<<<(3,2,2),(5,3,2)>>>", {.grid = {3, 2, 2}, .block = {5, 3, 2}}},
      {"automatic grid of blocks of 100", {.block = 100}},
      {"<<<77,automatic>>>", {.grid = 77}},
      {"automatic, at most 64 threads", {.max_block = 64}},
  };
}

inline std::vector<path> all_paths() {
  std::vector<path> paths = default_paths();
  for (path& p : cpu_paths()) paths.push_back(std::move(p));
  return paths;
}

// Where the fast kernels of both backends run.
inline std::vector<path> fast_paths() {
  return {{"automatic", {}}, {"cpu automatic", {.backend = backend::cpu}}};
}

// Lengths around warps, blocks and grids, and an odd million.
inline std::vector<int> sizes() { return {0, 1, 31, 32, 33, 255, 256, 257, 4095, 100003, 1000003}; }

// n elements of memory that the host and every launch reach.
template <class T>
class shared_data {
 public:
  explicit shared_data(std::size_t n, T value = T{}) : shared_data(no_elements(), n) {
    for (std::size_t i = 0; i < n; ++i) new (data_ + i) T(value);
  }
  explicit shared_data(const std::vector<T>& values) : shared_data(no_elements(), values.size()) {
    for (std::size_t i = 0; i < size_; ++i) new (data_ + i) T(values[i]);
  }
  ~shared_data() {
    amphi::deallocate(data_, on_gpu() ? amphi::memory_space::managed : amphi::memory_space::pageable);
  }
  shared_data(const shared_data&) = delete;
  shared_data& operator=(const shared_data&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return size_; }

  // The elements, after all work so far is done.
  std::vector<T> on_host() const {
    amphi::synchronize();
    return std::vector<T>(data_, data_ + size_);
  }

 private:
  struct no_elements {};
  shared_data(no_elements, std::size_t n) : size_(n) {
    data_ = static_cast<T*>(
        amphi::allocate(std::max<std::size_t>(n, 1) * sizeof(T),
                        on_gpu() ? amphi::memory_space::managed : amphi::memory_space::pageable));
  }

  T* data_;
  std::size_t size_;
};

// Equal bits, NaN and signs of zero included; names the first difference.
template <class T>
::testing::AssertionResult same_bits(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size())
    return ::testing::AssertionFailure() << got.size() << " elements instead of " << expected.size();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &expected[i], sizeof(T)) == 0) continue;
    return ::testing::AssertionFailure()
           << "element " << i << " of " << got.size() << " is " << ::testing::PrintToString(got[i])
           << " instead of " << ::testing::PrintToString(expected[i]);
  }
  return ::testing::AssertionSuccess();
}

// Adds one, also when other threads do so at the same time: a test must see an element visited twice.
AMPHI_LAUNCHABLE void count_visit(unsigned* counter) {
#if AMPHI_DEVICE_CODE
  atomicAdd(counter, 1u);
#else
  __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
#endif
}

// The text of the Error that f throws; a failure when it throws something else or nothing.
template <class Error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another type of error: " << e.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

// Does the text hold all of the words?
inline ::testing::AssertionResult says(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& w : words)
    if (text.find(w) == std::string::npos)
      return ::testing::AssertionFailure() << "'" << w << "' is missing in: " << text;
  return ::testing::AssertionSuccess();
}

}  // namespace amphi_test
