// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "amphi/runtime/stream.hpp"

namespace amphi {

// Kinds of memory. A program that runs on the CPU has only one kind, whatever is asked for.
//   device    of the current GPU; the host can't touch it
//   pinned    of the host, never swapped out; copies to and from a GPU are fast and asynchronous
//   pageable  of the host, ordinary
//   managed   moves between host and GPU by itself when touched
enum class memory_space { device, pinned, pageable, managed };

// "device", "pinned", …
const char* name(memory_space space);

// Memory for `bytes` bytes, aligned to 64 at least; null for 0 bytes. Throws memory_error, with the bytes
// asked for and those left, when there is not enough.
void* allocate(std::size_t bytes, memory_space space);

// The same; device memory is that of the stream's device, whatever device is current.
void* allocate(std::size_t bytes, memory_space space, stream_view stream);

// Gives back what allocate() gave for the same space; null is fine. Never throws, also after the end of main.
void deallocate(void* memory, memory_space space) noexcept;

// Copies bytes between any two kinds of memory, in the order of the stream. Asynchronous on a GPU, except
// that pageable memory may block the host. Source and destination must not overlap, and must live until the
// copy is done; a null pointer is a memory_error.
void copy_bytes(void* to, const void* from, std::size_t bytes, stream_view stream = {});

// Sets each byte, in the order of the stream; asynchronous on a GPU.
void fill_bytes(void* to, unsigned char value, std::size_t bytes, stream_view stream = {});

}  // namespace amphi
