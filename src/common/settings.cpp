// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "amphi/core/error.hpp"
#include "amphi/runtime/limits.hpp"

namespace amphi {
namespace {

[[noreturn]] void bad_value(const char* name, std::string_view value, const char* good) {
  throw error(std::string(name) + "=" + std::string(value) + " is not understood; good values: " + good);
}

template <class T>
bool parse_integer(std::string_view text, T& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size();
}

std::int64_t positive(const char* name, std::string_view text, std::int64_t most, const char* good) {
  std::int64_t value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most) bad_value(name, text, good);
  return value;
}

bool flag(const char* name, std::string_view text) {
  if (text != "0" && text != "1") bad_value(name, text, "0, 1");
  return text == "1";
}

// "5" or "5,0,2".
bool parse_index(std::string_view text, extent3& out) {
  std::int64_t parts[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const auto comma = text.find(',');
    if (!parse_integer(text.substr(0, comma), parts[i]) || parts[i] < 0) return false;
    if (comma == std::string_view::npos) {
      out = {parts[0], parts[1], parts[2]};
      return true;
    }
    text.remove_prefix(comma + 1);
  }
  return false;
}

thread_order parse_order(std::string_view text) {
  constexpr const char* good = "forward, reverse, random:SEED with a SEED of 64 bits";
  if (text == "forward") return thread_order::forward;
  if (text == "reverse") return thread_order::reverse;
  std::int64_t seed = 0;
  std::uint64_t large = 0;
  if (text.substr(0, 7) != "random:") bad_value("AMPHI_ORDER", text, good);
  if (parse_integer(text.substr(7), seed)) return thread_order::random(static_cast<std::uint64_t>(seed));
  if (!parse_integer(text.substr(7), large)) bad_value("AMPHI_ORDER", text, good);
  return thread_order::random(large);
}

int parse_limits(std::string_view text) {
  const std::string good = std::string("sm_NN with NN one of ") + known_compute_capabilities();
  std::int64_t number = 0;
  if (text.substr(0, 3) != "sm_" || !parse_integer(text.substr(3), number) || number > INT32_MAX)
    bad_value("AMPHI_LIMITS", text, good.c_str());
  try {
    (void)limits_of(static_cast<int>(number));
  } catch (const error&) {
    bad_value("AMPHI_LIMITS", text, good.c_str());
  }
  return static_cast<int>(number);
}

// The rank of this process on its host, as MPI launchers and batch systems export it.
int local_rank(const char* (*get)(const char*)) {
  constexpr const char* good =
      "a device number, or local_rank under a launcher that sets OMPI_COMM_WORLD_LOCAL_RANK, "
      "MPI_LOCALRANKID, "
      "MV2_COMM_WORLD_LOCAL_RANK, SLURM_LOCALID or PALS_LOCAL_RANKID";
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                           "SLURM_LOCALID", "PALS_LOCAL_RANKID"}) {
    std::int64_t rank = 0;
    if (const char* text = get(name); text != nullptr && parse_integer(text, rank) && rank >= 0)
      return static_cast<int>(rank);
  }
  bad_value("AMPHI_DEVICE", "local_rank", good);
}

int parse_device(std::string_view text, const char* (*get)(const char*)) {
  if (text == "local_rank") return local_rank(get);
  std::int64_t number = 0;
  if (!parse_integer(text, number) || number < 0 || number > 1023)
    bad_value("AMPHI_DEVICE", text, "0, 1, … (a device number), local_rank");
  return static_cast<int>(number);
}

}  // namespace

namespace detail {

settings parse_settings(const char* (*get)(const char*)) {
  settings s;
  const auto with = [&](const char* name, auto&& take) {
    if (const char* text = get(name); text != nullptr && *text != 0) take(std::string_view(text));
  };
  with("AMPHI_BACKEND", [&](std::string_view t) {
    if (t != "cuda" && t != "cpu") bad_value("AMPHI_BACKEND", t, "cuda, cpu");
    s.backend = t == "cuda" ? backend::cuda : backend::cpu;
  });
  with("AMPHI_SERIAL", [&](std::string_view t) { s.serial = flag("AMPHI_SERIAL", t); });
  with("AMPHI_WORKERS", [&](std::string_view t) {
    s.workers = positive("AMPHI_WORKERS", t, detail::most_workers, "1 … 4096 (CPU threads)");
  });
  with("AMPHI_ORDER", [&](std::string_view t) { s.order = parse_order(t); });
  with("AMPHI_TRACE", [&](std::string_view t) { s.trace = flag("AMPHI_TRACE", t); });
  with("AMPHI_PROFILE", [&](std::string_view t) { s.profile = flag("AMPHI_PROFILE", t); });
  with("AMPHI_SYNC", [&](std::string_view t) { s.sync = flag("AMPHI_SYNC", t); });
  with("AMPHI_BREAK", [&](std::string_view t) {
    const auto colon = t.find(':');
    s.break_set = colon != std::string_view::npos && parse_index(t.substr(0, colon), s.break_block) &&
                  parse_index(t.substr(colon + 1), s.break_thread);
    if (!s.break_set) bad_value("AMPHI_BREAK", t, "BLOCK:THREAD as in 2:17 or 2,0,0:1,4,0 (x,y,z)");
  });
  with("AMPHI_LIMITS", [&](std::string_view t) { s.limits = parse_limits(t); });
  with("AMPHI_DEVICE", [&](std::string_view t) { s.device = parse_device(t, get); });
  with("AMPHI_STACK", [&](std::string_view t) {
    s.stack_bytes = positive("AMPHI_STACK", t, std::int64_t{1} << 30,
                             "16384 … 1073741824 (bytes of stack per GPU thread)");
    if (s.stack_bytes < 16384)
      bad_value("AMPHI_STACK", t, "16384 … 1073741824 (bytes of stack per GPU thread)");
  });
  return s;
}

}  // namespace detail

const settings& current_settings() {
  static const settings s =
      detail::parse_settings([](const char* name) -> const char* { return std::getenv(name); });
  return s;
}

}  // namespace amphi
