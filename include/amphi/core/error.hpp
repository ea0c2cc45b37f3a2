// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

#include "amphi/config/abi.hpp"

// The exceptions of the library. Types only: they are thrown by compiled code, so that a program that
// catches nothing does not pay for these includes.

namespace amphi {

// Root of all errors that the library reports.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A CUDA call failed. `code()` is CUDA's number (cudaError_t); the text holds its name and description
// and what the library was doing.
class cuda_error : public error {
 public:
  cuda_error(int code, const std::string& what) : error(what), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

// The backend or device that was asked for can't be used here.
class device_error : public error {
 public:
  using error::error;
};

// A launch was asked for that the backend can't do: geometry, shared memory, policy.
class launch_error : public error {
 public:
  using error::error;
};

// Threads of a block or lanes of a warp did not meet at the same barrier.
class barrier_error : public error {
 public:
  using error::error;
};

// An index, a range or a precondition was wrong (AMPHI_EXPECTS, checked views, grid_stride_range).
class bounds_error : public error {
 public:
  using error::error;
};

// Memory could not be had, is not reachable from where it is used, or was read before it was written.
class memory_error : public error {
 public:
  using error::error;
};

}  // namespace amphi
