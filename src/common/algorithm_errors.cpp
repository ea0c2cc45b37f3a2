// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <string>

#include "amphi/algorithm/detail/bin_check.hpp"
#include "amphi/algorithm/detail/segment_order.hpp"
#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/core/error.hpp"
#include "common/failure.hpp"
#include "common/number_text.hpp"

namespace amphi::detail {

void throw_not_apart(const char* algorithm, const void* in, const void* out) {
  char text[96];
  std::snprintf(text, sizeof(text), "the output at %p overlaps the input at %p", out, in);
  throw bounds_error(std::string(algorithm) + ": " + text + "; this algorithm needs them apart");
}

void throw_result_inside(const char* algorithm, const void* result, const void* out) {
  char text[128];
  std::snprintf(text, sizeof(text), "the total or count at %p lies in the output at %p", result, out);
  throw bounds_error(std::string(algorithm) + ": " + text + "; give it a place of its own");
}

void throw_sizes_differ(const char* algorithm, const char* what, std::uint64_t have, std::uint64_t other) {
  throw bounds_error(std::string(algorithm) + ": " + what + " have " + std::to_string(have) + " and " +
                     std::to_string(other) + " elements; give as many of each");
}

void throw_bin_count(const char* algorithm, std::int64_t bins) {
  throw bounds_error(std::string(algorithm) + ": " + std::to_string(bins) +
                     " bins; there can be 0 to 4294967294 of them");
}

void throw_too_many_for_bins(const char* algorithm, std::int64_t elements) {
  throw bounds_error(std::string(algorithm) + ": " + std::to_string(elements) +
                     " elements; sums into bins take 4294967294 at most: work in parts");
}

void throw_other_backend(const char* algorithm) {
  throw launch_error(std::string(algorithm) +
                     ": the scatter_plan was made for another backend; make one for this policy");
}

void throw_other_device(const char* algorithm, int plan, int policy) {
  throw device_error(std::string(algorithm) + ": the scatter_plan is on device " + std::to_string(plan) +
                     ", the policy's work on device " + std::to_string(policy) + "; use a stream of device " +
                     std::to_string(plan) + ", set_device(" + std::to_string(plan) +
                     "), or make a plan for this policy");
}

void throw_plan_size(std::uint64_t have, std::uint64_t need) {
  throw bounds_error("amphi::scatter_plan::reduce: there are " + std::to_string(have) +
                     " values for a plan of " + std::to_string(need) + " elements; give one for each");
}

std::string bad_bin_text(const char* algorithm, std::int64_t element, std::int64_t bin,
                         std::int64_t bin_count) {
  const std::string start =
      std::string(algorithm) + ": the bin of element " + std::to_string(element) + " is " + index_text(bin);
  if (bin_count == 0) return start + ", and there are no bins; give as many as the largest bin + 1";
  return start + ", which is outside [0, " + std::to_string(bin_count) +
         "); correct it, or give at least as many bins as the largest one + 1";
}

void throw_bad_bin(const char* algorithm, std::int64_t element, std::int64_t bin, std::int64_t bin_count) {
  throw bounds_error(bad_bin_text(algorithm, element, bin, bin_count));
}

std::string bad_segment_text(std::int64_t index, std::int64_t first, std::int64_t last, std::int64_t n) {
  return "amphi::segmented_reduce: segment " + std::to_string(index) + " begins at " + index_text(first) +
         " and ends at " + index_text(last) + "; offsets must not decrease, and lie in 0 … " +
         std::to_string(n) + ", the size of the input";
}

void throw_bad_segment(std::int64_t index, std::int64_t first, std::int64_t last, std::int64_t n) {
  throw bounds_error(bad_segment_text(index, first, last, n));
}

}  // namespace amphi::detail
