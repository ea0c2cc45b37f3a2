// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause

// The fortified longjmp of glibc refuses to go to another stack.
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 0

#include "common/machine_context.hpp"

#if AMPHI_SWITCH == AMPHI_SWITCH_native

// void amphi_switch_stack(void** from /* rdi */, void* to /* rsi */): what the System V ABI wants kept goes
// on the old stack, and comes from the new one. The modes of the floating-point units are not switched: they
// belong to the OS thread. amphi_resume_stack is called for a thread that will return in place of its caller,
// and so leaves the processor's stack of return addresses as it is.
asm(R"(
.text
.p2align 4
.globl amphi_switch_stack
.hidden amphi_switch_stack
.type amphi_switch_stack, @function
amphi_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size amphi_switch_stack, .-amphi_switch_stack

.p2align 4
.globl amphi_begin_stack
.hidden amphi_begin_stack
.type amphi_begin_stack, @function
amphi_begin_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  xorl %ebp, %ebp
  pushq $0
  jmp *%rdx
.size amphi_begin_stack, .-amphi_begin_stack

.p2align 4
.globl amphi_resume_stack
.hidden amphi_resume_stack
.type amphi_resume_stack, @function
amphi_resume_stack:
  movq %rdi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size amphi_resume_stack, .-amphi_resume_stack
)");

#elif AMPHI_SWITCH == AMPHI_SWITCH_libc

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
