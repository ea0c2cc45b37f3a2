// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace amphi::detail {

struct block_state;

// Keeps the engines of all OS threads where src/gdb/amphi.py finds them, also in a program without debug
// information.
void show_to_debugger(block_state& s);
void hide_from_debugger(block_state& s);

}  // namespace amphi::detail
