// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: more than 32764 bytes
#include "amphi/execution/launch.hpp"

template <int Bytes>
struct body {
  unsigned char bytes[Bytes];
  AMPHI_HOST_DEVICE void operator()() const {}
};

void run() {
  amphi::launch(body<4000>{});
  amphi::launch(body<4096>{});
  amphi::launch(body<4200>{});
  amphi::launch(body<32764>{});
#ifdef FAIL
  amphi::launch(body<33000>{});
#endif
}
