// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: polymorphic or not trivially copyable
#include "amphi/execution/parallel_for.hpp"

struct owner {
  int* data = nullptr;
#ifdef FAIL
  ~owner() { delete data; }
#endif
};

struct body {
  owner o;
  AMPHI_HOST_DEVICE void operator()(int i) const { o.data[i] = i; }
};

void run() { amphi::parallel_for(0, 10, body{}); }
