// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/runtime/policy.hpp"

// What algorithms ask of the compiled library before they launch.

namespace amphi::detail {

// How one call of an algorithm will run.
struct algorithm_plan {
  policy launch;  // the caller's, with the backend resolved
  bool on_gpu = false;
  bool automatic = true;          // the algorithm chooses the geometry: its fast kernels may run
  std::int64_t workers = 1;       // that an automatic launch on the CPU may have
  int multiprocessors = 0;        // of the GPU
  std::int64_t shared_bytes = 0;  // that a block of the GPU may have
};

// Judges the caller's policy. `threads`: the block of the algorithm's fast kernel on a GPU. Throws
// launch_error for shared memory, which an algorithm chooses itself.
algorithm_plan plan_algorithm(const char* algorithm, const policy& p, int threads);

// Memory that one call of an algorithm works in: kept between calls, one for each stream, so that there is no
// allocation in steady state. A caller's policy.workspace is used instead. Only one call at a time has the
// scratch of a stream; the lease ends when its launches are on the stream.
class scratch {
 public:
  // `bytes` of any content; `zeroed` bytes that are zero and that the algorithm leaves zero; `result` bytes
  // that both host and device reach.
  scratch(const char* algorithm, const algorithm_plan& plan, std::size_t bytes, std::size_t zeroed,
          std::size_t result = 0);
  ~scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  // Aligned to 256.
  void* data() const { return data_; }
  void* zeroed() const { return zeroed_; }
  void* result() const { return result_; }

  // Waits until the result is there.
  void wait() const;

 private:
  void* data_ = nullptr;
  void* zeroed_ = nullptr;
  void* result_ = nullptr;
  void* lease_ = nullptr;  // of the backend
  stream_view stream_;
  bool on_gpu_;
};

// Pieces of one block of scratch, each aligned to 256 bytes.
class scratch_pieces {
 public:
  template <class T>
  std::size_t add(std::size_t count) {
    const std::size_t offset = bytes_;
    bytes_ += (count * sizeof(T) + 255) / 256 * 256;
    return offset;
  }
  std::size_t bytes() const { return bytes_; }
  template <class T>
  static T* at(const scratch& s, std::size_t offset) {
    return reinterpret_cast<T*>(static_cast<char*>(s.data()) + offset);
  }

 private:
  std::size_t bytes_ = 0;
};

// Errors of arguments; all are bounds_error, those of null pointers memory_error.
[[noreturn]] void throw_too_small(const char* algorithm, const char* what, std::uint64_t have,
                                  std::uint64_t need);
[[noreturn]] void throw_too_many(const char* algorithm, std::uint64_t elements);
[[noreturn]] void throw_null_range(const char* algorithm, std::uint64_t elements);
[[noreturn]] void throw_null_result(const char* algorithm);
[[noreturn]] void throw_overlap(const char* algorithm, const void* in, const void* out, std::uint64_t bytes);

// A by-value call on a stream that is being captured can't be: throws launch_error.
void refuse_capture(const char* algorithm, const algorithm_plan& plan);

// May `out` be written while `in` is read element by element? Either the same elements or apart.
inline void check_overlap(const char* algorithm, const void* in, std::size_t in_size, const void* out,
                          std::size_t out_size, std::int64_t n) {
  const auto i = reinterpret_cast<std::uintptr_t>(in), o = reinterpret_cast<std::uintptr_t>(out);
  const auto count = static_cast<std::uintptr_t>(n);
  if (count == 0 || (i == o && in_size == out_size)) return;
  if (i < o + count * out_size && o < i + count * in_size)
    throw_overlap(algorithm, in, out, count * out_size);
}

}  // namespace amphi::detail
