// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>
#include <type_traits>

namespace example {

// Are the elements equal, bit by bit? If not, prints the first that differs, of as many as both have.
template <class T>
bool same_bits(const char* what, std::span<const T> expected,
               std::span<const std::type_identity_t<T>> actual) {
  if (expected.size() != actual.size()) {
    std::printf("%s: %zu elements, expected %zu\n", what, actual.size(), expected.size());
    return false;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(T)) == 0) continue;
    std::printf("%s: element %zu is %.9g, expected %.9g\n", what, i, static_cast<double>(actual[i]),
                static_cast<double>(expected[i]));
    return false;
  }
  return true;
}

}  // namespace example
