// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "memory/constant_units.hpp"

namespace amphi_test {
namespace {

struct read_all {
  double* to;
  AMPHI_HOST_DEVICE void operator()(int i) const { to[i] = scale * table[i]; }
};

}  // namespace

std::vector<double> read_in_unit_b(const amphi::policy& p) {
  amphi::array<double> to(100);
  amphi::parallel_for(p, 0, 100, read_all{to.write(p).data()});
  std::vector<double> v(100);
  to.copy_to(v);
  return v;
}

}  // namespace amphi_test
