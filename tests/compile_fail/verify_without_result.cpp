// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: must return its result
#include "amphi/verify/verify.hpp"

struct computation {
#ifdef FAIL
  void operator()(const amphi::policy&) const {}
#else
  int operator()(const amphi::policy&) const { return 1; }
#endif
};

bool same() { return amphi::verify(computation()).identical(); }
