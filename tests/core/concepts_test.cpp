// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/concepts.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace {

struct plain {
  int a;
};
enum class scoped { a };

template <class T>
constexpr bool counts = amphi::integer<T>;

TEST(integer, is_every_integral_type_but_bool) {
  static_assert(counts<char> && counts<signed char> && counts<unsigned char>);
  static_assert(counts<short> && counts<int> && counts<long> && counts<long long>);
  static_assert(counts<unsigned> && counts<std::size_t> && counts<const int> && counts<wchar_t>);
  static_assert(!counts<bool> && !counts<const bool> && !counts<volatile bool>);
  static_assert(!counts<float> && !counts<double> && !counts<int*> && !counts<scoped> && !counts<int&>);
  static_assert(!counts<plain> && !counts<void>);
#if defined(__SIZEOF_INT128__)
  // An index of 128 bits would be cut to 64.
  __extension__ using wide = __int128;
  __extension__ using unsigned_wide = unsigned __int128;
  static_assert(!counts<wide> && !counts<unsigned_wide>);
#endif
}

TEST(arithmetic, is_what_the_standard_says) {
  static_assert(amphi::arithmetic<float> && amphi::arithmetic<int> && amphi::arithmetic<bool>);
  static_assert(!amphi::arithmetic<plain> && !amphi::arithmetic<float*>);
}

TEST(trivially_copyable, travels_as_bytes) {
  static_assert(amphi::trivially_copyable<plain> && amphi::trivially_copyable<float*>);
  static_assert(!amphi::trivially_copyable<std::string>);
}

}  // namespace
