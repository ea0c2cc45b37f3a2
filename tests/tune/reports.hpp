// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/tune/report.hpp"

// A report made by hand, with all outcomes and with texts that every format has to escape.
namespace amphi_test {

inline amphi::tune_report report_by_hand() {
  using outcome = amphi::tune_row::outcome;
  amphi::tune_report r;
  r.kernel = "a \"quoted\" <kernel> & more, \\ too";
  r.device = {"Some GPU", 90, amphi::backend::cuda, 132};
  r.runs = 11;
  r.compared = true;
  const auto row = [&](const char* value, outcome o, double ms, double low, double high, double gb,
                       double occupancy, const char* note) {
    amphi::tune_row t;
    t.candidate = {"block", value, {}};
    t.result = o;
    t.grid = 264, t.block = {32, 4};
    t.milliseconds = ms, t.low = low, t.high = high, t.gigabytes_per_second = gb, t.occupancy = occupancy;
    t.note = note;
    r.rows.push_back(t);
  };
  row("64", outcome::measured, 0.5, 0.4375, 0.625, 240, 1, "");
  row("128", outcome::measured, 0.25, 0.25, 0.375, 480, 0.5, "fastest");
  row("100", outcome::different, 0.125, 0.125, 0.125, 960, 0.75, "DIFFERS: element 3, \"bits\"\nsecond line");
  row("2048", outcome::refused, 0, 0, 0, 0, -1, "does not fit: block.x is 2048");
  row("7", outcome::failed, 0, 0, 0, 0, -1, "failed: tab\there");
  r.winner = 1;
  r.messages = {"one \"message\""};
  return r;
}

}  // namespace amphi_test
