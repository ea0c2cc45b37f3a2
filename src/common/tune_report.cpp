// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/tune/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "amphi/core/error.hpp"
#include "common/number_text.hpp"

namespace amphi {
namespace {

using outcome = tune_row::outcome;

bool has_time(const tune_row& r) {
  return r.result == outcome::measured || r.result == outcome::different || r.result == outcome::remembered;
}

const char* word(outcome o) {
  static constexpr const char* words[] = {"measured", "different", "refused", "failed", "remembered"};
  return words[static_cast<int>(o)];
}

std::string extent(const extent3& e) {
  if (e.is_automatic()) return "auto";
  std::string text = std::to_string(e.x);
  if (e.y != 1 || e.z != 1) text += "x" + std::to_string(e.y);
  if (e.z != 1) text += "x" + std::to_string(e.z);
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : "") + text;
}

std::string in_quotes(const std::string& text, const char* escaped, const char* by) {
  std::string out = "\"";
  for (const char c : text) {
    if (std::string_view(escaped).find(c) != std::string_view::npos) out += *by;
    out += c;
  }
  return out + "\"";
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  return in_quotes(text, "\"", "\"");
}

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_number(double v) { return std::isfinite(v) ? detail::number_text(v) : "null"; }

std::string json_extent(const extent3& e) {
  if (e.is_automatic()) return "null";
  return "[" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + "]";
}

}  // namespace

const tune_row& tune_report::best() const {
  if (found()) return rows[winner];
  std::string reasons;
  for (const tune_row& r : rows)
    reasons += "\n  " + r.candidate.variable + " " + r.candidate.value + ": " + r.note;
  throw launch_error("tuning of " + kernel + " on " + device.text() + " has no winner:" + reasons);
}

bool tune_report::identical() const {
  return found() && std::none_of(rows.begin(), rows.end(), [](const tune_row& r) {
           return r.result == outcome::different || r.result == outcome::failed;
         });
}

bool tune_report::remembered() const { return rows.size() == 1 && rows[0].result == outcome::remembered; }

std::string tune_report::text() const {
  std::string text = kernel + " on " + device.text() + ", backend " + name(device.backend);
  if (!remembered()) text += ", medians of " + std::to_string(runs);
  text += "\n";
  std::size_t first = 9;
  for (const tune_row& r : rows)
    first = std::max(first, r.candidate.variable.size() + r.candidate.value.size() + 1);
  text += "candidate" + std::string(first - 9, ' ') +
          "        block          grid           ms      GB/s  occupancy  note\n";
  for (const tune_row& r : rows) {
    const bool timed = has_time(r), counted = timed && r.gigabytes_per_second > 0;
    std::string line = r.candidate.variable + " ";
    line += padded(r.candidate.value, first - line.size());
    line += padded(extent(r.block), 13) + padded(extent(r.grid), 14);
    line += padded(timed ? detail::fixed_text(r.milliseconds, 5) : "-", 13);
    line += padded(counted ? detail::fixed_text(r.gigabytes_per_second, 1) : "-", 10);
    line += padded(r.occupancy >= 0 ? detail::fixed_text(100 * r.occupancy, 0) + " %" : "-", 11);
    text += line + (r.note.empty() ? "" : "  " + r.note) + "\n";
  }
  if (!found()) text += "no winner\n";
  if (found() && compared && !remembered())
    text += identical() ? "equal bits from every candidate that ran\n"
                        : "NOT all candidates gave the same bits\n";
  if (!predicted_for.empty()) text += "occupancy as predicted for " + predicted_for + "\n";
  return text;
}

std::string tune_report::csv() const {
  std::string text =
      "kernel,device,backend,variable,value,result,grid,block,ms,ms_low,ms_high,gb_per_s,occupancy,best,"
      "note\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const tune_row& r = rows[i];
    const bool timed = has_time(r);
    const auto number = [](bool known, double v) { return known ? detail::number_text(v) : std::string(); };
    const std::string fields[] = {csv_text(kernel),
                                  csv_text(device.text()),
                                  name(device.backend),
                                  csv_text(r.candidate.variable),
                                  csv_text(r.candidate.value),
                                  word(r.result),
                                  extent(r.grid),
                                  extent(r.block),
                                  number(timed, r.milliseconds),
                                  number(timed, r.low),
                                  number(timed, r.high),
                                  number(timed && r.gigabytes_per_second > 0, r.gigabytes_per_second),
                                  number(r.occupancy >= 0, r.occupancy),
                                  i == winner ? "1" : "0",
                                  csv_text(r.note)};
    const char* between = "";
    for (const std::string& f : fields) {
      text += between + f;
      between = ",";
    }
    text += "\n";
  }
  return text;
}

std::string tune_report::json() const {
  std::string text =
      "{\"kernel\": " + json_text(kernel) + ",\n \"device\": {\"name\": " + json_text(device.name) +
      ", \"sm\": " + std::to_string(device.compute_capability) + ", \"backend\": \"" + name(device.backend) +
      "\", \"multiprocessors\": " + std::to_string(device.multiprocessors) +
      "},\n \"runs\": " + std::to_string(runs) + ", \"identical\": " +
      (!compared || !found() ? "null"
       : identical()         ? "true"
                             : "false") +
      ", \"best\": " + (found() ? std::to_string(winner) : "null") + ",\n \"messages\": [";
  const char* between = "";
  for (const std::string& m : messages) {
    text += between + json_text(m);
    between = ", ";
  }
  text += "],\n \"rows\": [";
  between = "\n  ";
  for (const tune_row& r : rows) {
    const bool timed = has_time(r);
    const auto number = [](bool known, double v) { return known ? json_number(v) : std::string("null"); };
    text += between;
    text += "{\"variable\": " + json_text(r.candidate.variable) +
            ", \"value\": " + json_text(r.candidate.value) + ", \"result\": \"" + word(r.result) +
            "\", \"grid\": " + json_extent(r.grid) + ", \"block\": " + json_extent(r.block) +
            ", \"ms\": " + number(timed, r.milliseconds) + ", \"ms_quartiles\": [" + number(timed, r.low) +
            ", " + number(timed, r.high) +
            "], \"gb_per_s\": " + number(timed && r.gigabytes_per_second > 0, r.gigabytes_per_second) +
            ", \"occupancy\": " + number(r.occupancy >= 0, r.occupancy) + ", \"note\": " + json_text(r.note) +
            "}";
    between = ",\n  ";
  }
  return text + "]}\n";
}

std::ostream& operator<<(std::ostream& out, const tune_report& report) { return out << report.text(); }

std::string tune_report::svg() const { return tune_plot({*this}, kernel + " on " + device.text()); }

}  // namespace amphi
