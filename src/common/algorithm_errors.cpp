// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <string>

#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/core/error.hpp"

namespace amphi::detail {

void throw_not_apart(const char* algorithm, const void* in, const void* out) {
  char text[96];
  std::snprintf(text, sizeof(text), "the output at %p overlaps the input at %p", out, in);
  throw bounds_error(std::string(algorithm) + ": " + text + "; this algorithm needs them apart");
}

void throw_sizes_differ(const char* algorithm, const char* what, std::uint64_t have, std::uint64_t other) {
  throw bounds_error(std::string(algorithm) + ": " + what + " have " + std::to_string(have) + " and " +
                     std::to_string(other) + " elements; give as many of each");
}

}  // namespace amphi::detail
