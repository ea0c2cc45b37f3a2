// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: (to_copy_it_call_clone|clone.. copies it)
#include "amphi/memory/array.hpp"

amphi::array<float> twin(const amphi::array<float>& x) {
#ifdef FAIL
  return x;
#else
  return x.clone();
#endif
}
