// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/verify/shared_conflicts.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace amphi {

int shared_conflict_report::ways() const {
  int worst = 0;
  for (const shared_conflict& r : rows) worst = std::max(worst, r.ways);
  return worst;
}

std::string shared_conflict_report::text() const {
  if (!counted)
    return "bank conflicts are not counted in this build: configure amphi with -DAMPHI_CHECKED=ON\n";
  if (rows.empty()) return "no shared memory was indexed in a launch on the CPU\n";
  char line[128];
  std::snprintf(line, sizeof(line), "%12s %5s %12s  %s\n", "requests", "ways", "conflicts", "where");
  std::string text = line;
  for (const shared_conflict& r : rows) {
    std::snprintf(line, sizeof(line), "%12lld %5d %12lld  ", static_cast<long long>(r.requests), r.ways,
                  static_cast<long long>(r.conflicts));
    text += line + r.variable + " in " + r.kernel + " at " + r.file + ":" + std::to_string(r.line) + "\n";
  }
  if (not_counted > 0)
    text +=
        std::to_string(not_counted) + " accesses were too many between two barriers and are not counted\n";
  return text;
}

std::ostream& operator<<(std::ostream& out, const shared_conflict_report& report) {
  return out << report.text();
}

}  // namespace amphi
