// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

// A place where a stack was left, and how to go back to it. Two ways: Boost.Context (5 ns a switch), or the C
// library: makecontext starts a stack (1 µs), _setjmp and _longjmp switch (13 ns).

#if AMPHI_HAVE_BOOST_CONTEXT
#  include <boost/context/detail/fcontext.hpp>
#else
#  include <setjmp.h>
#endif

namespace amphi::detail {

#if AMPHI_HAVE_BOOST_CONTEXT

struct machine_context {
  void* at = nullptr;  // stack pointer; the registers lie there
};

using machine_entry = void (*)();

// Takes the place of the one that switched to us.
inline void machine_arrive(boost::context::detail::transfer_t t) {
  static_cast<machine_context*>(t.data)->at = t.fctx;
}

template <machine_entry Entry>
void machine_start(boost::context::detail::transfer_t t) {
  machine_arrive(t);
  Entry();
}

// Makes a context that begins with Entry() on the given stack; Entry never returns.
template <machine_entry Entry>
void machine_make(machine_context& c, void* low, std::size_t bytes) {
  c.at = boost::context::detail::make_fcontext(static_cast<char*>(low) + bytes, bytes, &machine_start<Entry>);
}

// Leaves the stack that runs, goes on where `to` was left, and returns when somebody switches to `from`.
inline void machine_switch(machine_context& from, machine_context& to) {
  machine_arrive(boost::context::detail::jump_fcontext(to.at, &from));
}

#else

using machine_entry = void (*)();

struct machine_context {
  jmp_buf at;
  void* low = nullptr;  // of a stack that has not started
  std::size_t bytes = 0;
  machine_entry entry = nullptr;
};

template <machine_entry Entry>
void machine_make(machine_context& c, void* low, std::size_t bytes) {
  c.low = low, c.bytes = bytes, c.entry = Entry;
}

[[noreturn]] void machine_begin(machine_context& c);  // first entry of a stack
[[noreturn]] void machine_resume(machine_context& c);

inline void machine_switch(machine_context& from, machine_context& to) {
  if (_setjmp(from.at) != 0) return;
  if (to.entry != nullptr) machine_begin(to);
  machine_resume(to);
}

#endif

}  // namespace amphi::detail
