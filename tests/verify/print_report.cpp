// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "amphi/verify/floating_point_report.hpp"

// Prints how this unit does floating-point arithmetic; built with several flags.
int main() {
  const amphi::floating_point_findings found = amphi::floating_point_report();
  std::printf("%s%s\n", found.text().c_str(), found.exact() ? "exact everywhere" : "not exact");
}
