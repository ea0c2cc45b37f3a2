// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes what reports print for other programs into a folder, where check_outputs.py reads it.
#include <clocale>
#include <cstdio>
#include <fstream>

#include "reports.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  // Where there is such a locale, its comma must not come into numbers.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const std::string folder = argv[1];
  amphi::tune_report hand = amphi_test::report_by_hand(), other = hand, empty;
  other.kernel = "the other";
  for (amphi::tune_row& r : other.rows) r.gigabytes_per_second = 0;
  empty.kernel = "nothing ran";
  std::ofstream(folder + "/hand.json") << hand.json();
  std::ofstream(folder + "/hand.csv") << hand.csv();
  std::ofstream(folder + "/hand.svg") << hand.svg();
  std::ofstream(folder + "/two.svg") << amphi::tune_plot({hand, other}, "a <title> & \"more\"\x01");
  std::ofstream(folder + "/empty.json") << empty.json();
  std::ofstream(folder + "/empty.csv") << empty.csv();
  std::ofstream(folder + "/empty.svg") << empty.svg();
  return 0;
}
