// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/detail/layout_errors.hpp"

#include <numeric>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"

namespace amphi::detail {

void throw_unequal_columns(std::size_t size, std::size_t other) {
  throw memory_error("the columns of a soa have " + std::to_string(size) + " and " + std::to_string(other) +
                     " elements: they must keep one size; resize the soa, not a column of it");
}

void throw_no_room(const char* what, std::size_t room, std::size_t needed) {
  throw bounds_error("copy_to: there is room for " + std::to_string(room) + " " + what + ", the source has " +
                     std::to_string(needed));
}

std::int64_t aligned_pitch(std::int64_t x, std::size_t element_bytes) {
  constexpr std::size_t line = 128;
  if (x <= 0 || x > (std::int64_t{1} << 62)) return x;
  return round_up(x, static_cast<std::int64_t>(line / std::gcd(line, element_bytes)));
}

std::size_t pitched_count(const extent2& extent, std::int64_t pitch, std::size_t element_bytes) {
  const auto text = [&] { return std::to_string(extent.x) + " x " + std::to_string(extent.y); };
  if (extent.x < 0 || extent.y < 0)
    throw memory_error("an array2 can't have " + text() + " elements; the least is 0");
  if (pitch < extent.x)
    throw memory_error("an array2 of " + text() + " elements can't have rows " + std::to_string(pitch) +
                       " elements apart; the least is " + std::to_string(extent.x));
  std::int64_t count = 0, bytes = 0;
  if (__builtin_mul_overflow(pitch, extent.y, &count) || __builtin_mul_overflow(count, element_bytes, &bytes))
    throw memory_error("an array2 of " + text() + " elements of " + std::to_string(element_bytes) +
                       " bytes, with rows " + std::to_string(pitch) +
                       " elements apart, is larger than any memory");
  return extent.empty() ? 0 : static_cast<std::size_t>(count);
}

}  // namespace amphi::detail
