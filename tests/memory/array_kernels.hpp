// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/backend.hpp"

// What the tests of arrays launch and compare.

namespace amphi_test {

using amphi::array;
using amphi::memory_space;
using amphi::view;

inline constexpr memory_space spaces[] = {memory_space::pinned, memory_space::pageable, memory_space::managed,
                                          memory_space::device};

inline bool on_gpu() { return amphi::backend_in_use() == amphi::backend::cuda; }

template <class T>
AMPHI_LAUNCHABLE void add(T value, view<T> x) {
  for (const auto i : amphi::grid_stride_range(0, x.size())) x[i] = static_cast<T>(x[i] + value);
}

template <class T>
AMPHI_LAUNCHABLE void set(T value, view<T> x) {
  for (const auto i : amphi::grid_stride_range(0, x.size())) x[i] = value;
}

AMPHI_LAUNCHABLE void copy(view<const int> from, view<int> to) {
  for (const auto i : amphi::grid_stride_range(0, from.size())) to[i] = from[i];
}

// Takes a while on a GPU, so that work on other streams would overtake it if nothing held it back.
AMPHI_LAUNCHABLE void set_slowly(int value, view<int> x) {
  for (const auto i : amphi::grid_stride_range(0, x.size())) {
    unsigned v = static_cast<unsigned>(i);
    for (int r = 0; r < 20000; ++r) v = v * 1664525u + 1013904223u;
    x[i] = v == 12345u ? value + 1 : value;
  }
}

AMPHI_LAUNCHABLE void copy_slowly(view<const int> from, view<int> to) {
  for (const auto i : amphi::grid_stride_range(0, from.size())) {
    unsigned v = static_cast<unsigned>(i);
    for (int r = 0; r < 20000; ++r) v = v * 1664525u + 1013904223u;
    to[i] = v == 12345u ? 0 : from[i];
  }
}

inline std::vector<int> counted(std::size_t n, int first = 0) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

template <class T>
std::vector<T> content(const array<T>& a) {
  std::vector<T> v(a.size());
  a.copy_to(v);
  return v;
}

template <class T>
bool all_are(view<const T> v, T value) {
  return std::all_of(v.begin(), v.end(), [&](const T& e) { return e == value; });
}

// Data that is up to date on the device side only.
inline array<int> on_device_only(std::size_t n, int first = 0) {
  array<int> a(counted(n, first - 1));
  amphi::launch<add<int>>(1, a.read_write());
  return a;
}

}  // namespace amphi_test
