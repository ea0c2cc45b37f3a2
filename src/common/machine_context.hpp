// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

// A place where a stack was left, and how to go back to it. Three ways, the first that the machine has:
// - x86-64: our own switch. It returns by `ret`, so that the processor's guess of where a function returns
//   to stays right when threads wait at the same barrier; that is worth more than the switch itself.
// - Boost.Context: as short, but it jumps, and each return after it is guessed wrong.
// - The C library: makecontext starts a stack (1 µs), _setjmp and _longjmp switch.
// AMPHI_STACK_SWITCH (CMake: native, boost or libc) says which one.

#define AMPHI_SWITCH_native 1
#define AMPHI_SWITCH_boost 2
#define AMPHI_SWITCH_libc 3
#define AMPHI_SWITCH_PASTE(a, b) a##b
#define AMPHI_SWITCH_NAMED(name) AMPHI_SWITCH_PASTE(AMPHI_SWITCH_, name)
#define AMPHI_SWITCH AMPHI_SWITCH_NAMED(AMPHI_STACK_SWITCH)

#if AMPHI_SWITCH == AMPHI_SWITCH_boost
#  include <boost/context/detail/fcontext.hpp>
#elif AMPHI_SWITCH == AMPHI_SWITCH_libc
#  include <setjmp.h>
#endif

namespace amphi::detail {

using machine_entry = void (*)();

// Where a stack begins that grows down from the end of its memory, aligned as functions expect it.
inline void* stack_top(void* low, std::size_t bytes) { return static_cast<char*>(low) + bytes / 16 * 16; }

#if AMPHI_SWITCH == AMPHI_SWITCH_native

struct machine_context {
  void* at = nullptr;             // stack pointer; r15 r14 r13 r12 rbx rbp and the return address lie there
  machine_entry entry = nullptr;  // of a stack that has not begun; `at` is its top
};

extern "C" {
void amphi_switch_stack(void** from, void* to);
void amphi_begin_stack(void** from, void* top, machine_entry entry);
void amphi_resume_stack(void* to);  // gives up the stack that runs
}

// Makes a context that begins with Entry() on the given stack; Entry never returns.
template <machine_entry Entry>
void machine_make(machine_context& c, void* low, std::size_t bytes) {
  c.at = stack_top(low, bytes);
  c.entry = Entry;
}

// Leaves the stack that runs, goes on where `to` was left, and returns when somebody switches to `from`.
inline void machine_switch(machine_context& from, machine_context& to) {
  if (to.entry == nullptr) return amphi_switch_stack(&from.at, to.at);
  const machine_entry entry = to.entry;
  to.entry = nullptr;
  amphi_begin_stack(&from.at, to.at, entry);
}

#elif AMPHI_SWITCH == AMPHI_SWITCH_boost

struct machine_context {
  void* at = nullptr;  // stack pointer; the registers lie there
};

// Takes the place of the one that switched to us.
inline void machine_arrive(boost::context::detail::transfer_t t) {
  static_cast<machine_context*>(t.data)->at = t.fctx;
}

template <machine_entry Entry>
void machine_start(boost::context::detail::transfer_t t) {
  machine_arrive(t);
  Entry();
}

template <machine_entry Entry>
void machine_make(machine_context& c, void* low, std::size_t bytes) {
  c.at = boost::context::detail::make_fcontext(static_cast<char*>(low) + bytes, bytes, &machine_start<Entry>);
}

inline void machine_switch(machine_context& from, machine_context& to) {
  machine_arrive(boost::context::detail::jump_fcontext(to.at, &from));
}

#else

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
