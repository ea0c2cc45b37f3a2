// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/verify/verify.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ostream>

namespace amphi {
namespace {

std::string format(const char* pattern, auto... values) {
  const int length = std::snprintf(nullptr, 0, pattern, values...);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, ' ');
  std::snprintf(text.data(), text.size(), pattern, values...);
  text.pop_back();
  return text;
}

std::string geometry(const policy& p) {
  const auto triple = [](const extent3& e) {
    if (e.y == 1 && e.z == 1) return std::to_string(e.x);
    return "(" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + ")";
  };
  if (p.grid.is_automatic() && p.block.is_automatic())
    return p.workers.is_automatic() ? "automatic" : std::to_string(p.workers.value) + " workers";
  return "<<<" + (p.grid.is_automatic() ? std::string("automatic") : triple(p.grid)) + "," +
         (p.block.is_automatic() ? std::string("automatic") : triple(p.block)) + ">>>";
}

std::uint64_t bits_of(const unsigned char* at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, std::min<std::size_t>(size, 8));
  return bits;
}

// Floating-point numbers in their order as integers: neighbours differ by one, and both zeros are 0.
std::int64_t ordered(std::uint64_t bits, std::size_t size) {
  const auto sign = std::uint64_t{1} << (8 * size - 1);
  return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits & ~sign) : static_cast<std::int64_t>(bits);
}

std::string value_text(const unsigned char* at, verify_report::element type) {
  using kind = verify_report::element::kind;
  const std::uint64_t bits = bits_of(at, type.size);
  const int digits = static_cast<int>(2 * type.size);
  if (type.type == kind::floating && type.size == 4) {
    float v;
    std::memcpy(&v, at, 4);
    return format("%.9g (0x%0*" PRIx64 ")", static_cast<double>(v), digits, bits);
  }
  if (type.type == kind::floating && type.size == 8) {
    double v;
    std::memcpy(&v, at, 8);
    return format("%.17g (0x%0*" PRIx64 ")", v, digits, bits);
  }
  if (type.type == kind::unsigned_integer) return format("%" PRIu64 " (0x%0*" PRIx64 ")", bits, digits, bits);
  if (type.type == kind::signed_integer) {
    const int shift = static_cast<int>(64 - 8 * type.size);
    const std::int64_t v = static_cast<std::int64_t>(bits << shift) >> shift;
    return format("%" PRId64 " (0x%0*" PRIx64 ")", v, digits, bits);
  }
  std::string text = "bytes";
  for (std::size_t i = 0; i < std::min<std::size_t>(type.size, 24); ++i) text += format(" %02x", at[i]);
  return type.size > 24 ? text + " …" : text;
}

std::string distance_text(const unsigned char* a, const unsigned char* b, verify_report::element type) {
  if (type.type != verify_report::element::kind::floating || (type.size != 4 && type.size != 8)) return {};
  const std::uint64_t x = bits_of(a, type.size), y = bits_of(b, type.size);
  const std::uint64_t infinity = type.size == 4 ? 0x7f800000u : 0x7ff0000000000000u;
  const std::uint64_t magnitude = (std::uint64_t{1} << (8 * type.size - 1)) - 1;
  if ((x & magnitude) > infinity || (y & magnitude) > infinity) return ", one of them not a number";
  const std::int64_t i = ordered(x, type.size), j = ordered(y, type.size);
  const auto distance = i > j ? static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(j)
                              : static_cast<std::uint64_t>(j) - static_cast<std::uint64_t>(i);
  return ", " + std::to_string(distance) + " ULP apart";
}

}  // namespace

std::vector<verify_path> verify_paths() {
  constexpr backend cpu = backend::cpu;
  std::vector<verify_path> paths = {
      {"CPU serial", {.grid = 1, .block = 1, .backend = cpu}},
      {"CPU", {.backend = cpu}},
      {"CPU", {.backend = cpu, .workers = 1}},
      {"CPU", {.backend = cpu, .workers = 2}},
      {"CPU", {.backend = cpu, .workers = 3}},
      {"CPU", {.backend = cpu, .workers = 7}},
      {"CPU forward", {.grid = 5, .block = 96, .backend = cpu, .order = thread_order::forward}},
      {"CPU reverse", {.grid = 5, .block = 96, .backend = cpu, .order = thread_order::reverse}},
      {"CPU random", {.grid = 5, .block = 96, .backend = cpu, .order = thread_order::random(1)}},
      {"CPU random", {.grid = 32, .block = 256, .backend = cpu, .order = thread_order::random(2)}},
  };
  if (backend_in_use() == backend::cuda) {
    constexpr backend gpu = backend::cuda;
    const verify_path more[] = {
        {"GPU", {.backend = gpu}},
        {"GPU serial", {.grid = 1, .block = 1, .backend = gpu}},
        {"GPU", {.grid = 3, .block = 32, .backend = gpu}},
        {"GPU", {.grid = 5, .block = 96, .backend = gpu}},
        {"GPU", {.grid = 132, .block = 256, .backend = gpu}},
        {"GPU", {.grid = 1000, .block = 1024, .backend = gpu}},
    };
    paths.insert(paths.end(), std::begin(more), std::end(more));
  }
  return paths;
}

bool verify_report::identical() const {
  std::size_t ran = 0;
  for (const verify_row& r : rows_) {
    if (r.result == verify_row::outcome::different || r.result == verify_row::outcome::failed) return false;
    if (r.result == verify_row::outcome::same) ++ran;
  }
  return ran > 0;
}

void verify_report::add(const verify_path& path, double milliseconds, const void* data, std::size_t count,
                        element type) {
  verify_row row;
  row.path = path;
  row.milliseconds = milliseconds;
  row.elements = count;
  const auto* const bytes = static_cast<const unsigned char*>(data);
  if (!has_reference_) {
    reference_.assign(bytes, bytes + count * type.size);
    reference_count_ = count, reference_name_ = path.name, has_reference_ = true;
  } else if (count != reference_count_) {
    row.result = verify_row::outcome::different;
    row.differences = std::max(count, reference_count_);
    row.detail =
        std::to_string(count) + " elements, " + reference_name_ + " gave " + std::to_string(reference_count_);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(bytes + i * type.size, reference_.data() + i * type.size, type.size) == 0) continue;
      if (row.differences++ == 0) row.first = i;
    }
    if (row.differences > 0) {
      const unsigned char* const here = bytes + row.first * type.size;
      const unsigned char* const there = reference_.data() + row.first * type.size;
      row.result = verify_row::outcome::different;
      row.detail = "element " + std::to_string(row.first) + " is " + value_text(here, type) + ", " +
                   reference_name_ + " gave " + value_text(there, type) + distance_text(here, there, type) +
                   "; " + std::to_string(row.differences) + " of " + std::to_string(count) +
                   " elements differ";
    }
  }
  rows_.push_back(std::move(row));
}

void verify_report::add_error(const verify_path& path, bool refused, const char* what) {
  verify_row row;
  row.path = path;
  row.result = refused ? verify_row::outcome::refused : verify_row::outcome::failed;
  row.detail = what;
  rows_.push_back(std::move(row));
}

std::string verify_report::text() const {
  static constexpr const char* words[] = {"same bits", "DIFFERS", "refused", "FAILED"};
  std::string text = format("%-14s %-26s %12s  %s\n", "path", "geometry", "ms", "result");
  for (const verify_row& r : rows_)
    text += format("%-14s %-26s %12.3f  %s\n", r.path.name.c_str(), geometry(r.path.policy).c_str(),
                   r.milliseconds, words[static_cast<int>(r.result)]);
  for (const verify_row& r : rows_)
    if (!r.detail.empty()) text += r.path.name + " " + geometry(r.path.policy) + ": " + r.detail + "\n";
  text += identical() ? "identical on every path that ran\n" : "NOT identical\n";
  if (!floating_point_.exact()) text += floating_point_.text();
  return text;
}

std::ostream& operator<<(std::ostream& out, const verify_report& report) { return out << report.text(); }

}  // namespace amphi
