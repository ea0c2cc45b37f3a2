// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The fortified longjmp of glibc refuses to go to another stack.
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 0

#include "common/machine_context.hpp"

#if !AMPHI_HAVE_BOOST_CONTEXT

#  include <ucontext.h>

#  include <exception>

namespace amphi::detail {

void machine_begin(machine_context& c) {
  ucontext_t start;
  if (getcontext(&start) != 0) std::terminate();
  start.uc_stack.ss_sp = c.low;
  start.uc_stack.ss_size = c.bytes;
  start.uc_link = nullptr;
  makecontext(&start, c.entry, 0);
  c.entry = nullptr;
  (void)setcontext(&start);
  std::terminate();  // setcontext returns only when it fails
}

void machine_resume(machine_context& c) { _longjmp(c.at, 1); }

}  // namespace amphi::detail

#endif
