// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/core/detail/device_failure.hpp"
#include "amphi/runtime/policy.hpp"

// The seam between launch templates and the compiled library: one call per launch.

namespace amphi::detail {

// Geometry of one CUDA launch.
struct cuda_geometry {
  std::uint32_t grid[3], block[3];
  std::size_t shared_bytes;
  CUstream_st* stream;
  bool cooperative;
  bool starts_early;  // may be put on the GPU while the kernel before it ends
};

struct cuda_attributes {
  std::size_t static_shared_bytes;
  int registers, max_threads;
  int ptx_version;  // 90: compiled for compute_90
};

// Everything that touches a kernel's address. A kernel is known only to the CUDA runtime of the program or
// shared library that holds it, so each unit brings these calls along. All return a cudaError_t, and clear it
// from the thread's last error when it is theirs.
struct cuda_calls {
  int (*launch)(const void* kernel, const cuda_geometry& geometry, void** arguments);
  int (*attributes)(const void* kernel, cuda_attributes& out);
  int (*blocks_per_multiprocessor)(const void* kernel, int block, std::size_t shared_bytes, int& out);
  int (*best_block)(const void* kernel, std::size_t shared_bytes, std::size_t shared_bytes_per_thread,
                    int max_block, int& block);
  int (*allow_shared)(const void* kernel, std::size_t bytes);
  int (*bind_failures)(const failure_channel& channel);  // on the current device
};

// What the library knows about one launchable. Constant but for `cache`, which the library fills.
struct kernel {
  const char* signature;          // compiler's text that ends in the launchable's name
  const void* address = nullptr;  // host stub of its __global__ function; null in units that are not CUDA
  const void* line_address = nullptr;  // the same for blocks that are a line of threads, where it has one
  const cuda_calls* cuda = nullptr;    // null likewise
  bool block_form = false;             // called once per block on the CPU
  bool device_only = false;            // has no host body
  bool cooperative = false;            // its blocks wait for each other: all are resident or none
  bool starts_early = false;           // its first call is begin_kernel()
  std::uint64_t pointers = 0;          // bit i: argument i is a pointer
  void* cache = nullptr;
};

// The body of a launch with its arguments by value, to be run later.
struct kept_body {
  void* body;
  void (*run)(void* body);
  void (*drop)(void* body);
  void (*end)(void* body) = nullptr;
};

struct launch_call {
  void (*run)(void* body) = nullptr;  // CPU: runs the threads of a block that have not started
  void (*end)(void* body) = nullptr;  // CPU: what the calling thread does when all blocks have run
  void* body = nullptr;
  std::size_t body_bytes = 0, body_alignment = 1;  // 0: its bytes can't be copied
  kept_body (*keep)(void** arguments) = nullptr;   // makes a body for later, where bytes won't do
  void** arguments = nullptr;                      // addresses of the kernel's parameters
  int argument_count = 0;
  std::int64_t work = -1;     // items of a loop over indices; -1: unknown
  bool any_geometry = false;  // CPU: a given geometry is checked, but the launch is automatic all the same
};

// The one description of a __global__ function, kept for the life of the process and found by its address; a
// function without an address shares its description with its like.
kernel& global_kernel(const kernel& description);

// Validates, chooses what the policy leaves open, and launches on the backend in use.
void launch(const policy& p, kernel& k, const launch_call& call);

}  // namespace amphi::detail
