// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace amphi::detail {

// The shortest text that reads back as the same number, with a point in every locale.
inline std::string number_text(double v) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), v).ptr};
}

// With so many digits after the point.
inline std::string fixed_text(double v, int digits) {
  char text[400];
  return {text, std::to_chars(text, text + sizeof(text), v, std::chars_format::fixed, digits).ptr};
}

// An index as errors keep it: one of 2^63 or more, which only unsigned types hold, is kept as 2^63 − 1.
inline std::string index_text(std::int64_t index) {
  return index == INT64_MAX ? "9223372036854775807 or more (was it negative?)" : std::to_string(index);
}

}  // namespace amphi::detail
