// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace amphi::detail {

// While a failed block is unwound, std::terminate on the stack of one of its threads (the kernel, or a
// function that it called, is noexcept) gives that stack up instead of ending the program. Calls come in
// pairs, from any thread.
void cancellation_begins();
void cancellation_ended();

// Goes back to where the caller's own stack was marked (mark_main), over the frames of a noexcept kernel.
[[noreturn]] void leave_main(void** mark);

}  // namespace amphi::detail
