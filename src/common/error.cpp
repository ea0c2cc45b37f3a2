// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/error.hpp"

#include "amphi/core/expects.hpp"
#include "amphi/core/extent.hpp"
#include "amphi/core/view.hpp"
#include "amphi/execution/detail/context.hpp"
#include "common/failure.hpp"
#include "common/number_text.hpp"

namespace amphi::detail {
namespace {

std::string triple(const launch_index& i) {
  return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
}

std::string place(const char* file, int line) {
  return file == nullptr || *file == 0 ? std::string()
                                       : " at " + std::string(file) + ":" + std::to_string(line);
}

}  // namespace

std::string place_in_launch() {
  const thread_context& c = current_context;
  if (!c.in_launch) return {};
  return "in kernel " + std::string(c.kernel != nullptr ? c.kernel : "(unnamed)") + ", block " +
         triple(c.block) + ", thread " + triple(running_thread());
}

void throw_expects(const char* condition, const char* text, const char* file, int line) {
  const std::string inside = place_in_launch();
  throw bounds_error(std::string(text) + " (" + condition + " does not hold)" + place(file, line) +
                     (inside.empty() ? "" : ", " + inside));
}

void throw_uncountable(const index3& first, const index3& last) {
  const auto text = [](const index3& i) {
    return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
  };
  const std::string inside = place_in_launch();
  throw bounds_error("the space from " + text(first) + " to " + text(last) + " has more than " +
                     std::to_string(INT64_MAX) +
                     " elements, the most that can be counted: check its sizes, or work in parts" +
                     (inside.empty() ? "" : "; " + inside));
}

void throw_bounds(const char* what, std::int64_t index, std::int64_t size, const char* file, int line) {
  const std::string inside = place_in_launch();
  throw bounds_error("index " + index_text(index) + " is outside [0, " + std::to_string(size) + ") of " +
                     what + place(file, line) + (inside.empty() ? "" : ", " + inside));
}

}  // namespace amphi::detail
