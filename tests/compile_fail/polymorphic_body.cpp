// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: polymorphic or not trivially copyable
#include "amphi/execution/launch.hpp"

// The table of virtual functions of the host is of no use on a device.
struct body {
#ifdef FAIL
  AMPHI_HOST_DEVICE virtual int value() const { return 1; }
#else
  AMPHI_HOST_DEVICE int value() const { return 1; }
#endif
  AMPHI_HOST_DEVICE void operator()(int* out) const { *out = value(); }
};

void run(int* out) { amphi::launch(body{}, out); }
