// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
// expect: must be trivially copyable
#include <string>

#include "amphi/memory/array.hpp"

#ifdef FAIL
using element = std::string;
#else
struct element {
  char text[16];
};
#endif
std::size_t size() { return amphi::array<element>().size(); }
