// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "amphi/execution/detail/launch_call.hpp"

namespace amphi::detail {

class captured_arrays;  // common/captured_arrays.hpp

// The work of one capture on the CPU, in order, with the scratch memory that it uses.
class recording {
 public:
  recording() = default;
  ~recording();
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  void add_launch(const policy& p, kernel& k, const launch_call& call);
  void add_copy(void* to, const void* from, std::size_t bytes);
  void add_fill(void* to, unsigned char value, std::size_t bytes);
  // Lives as long as the recording; aligned to 256.
  void* memory(std::size_t bytes);

  void replay() const;
  std::size_t size() const { return steps_.size(); }

 private:
  struct step {
    kernel* launched = nullptr;  // null: a copy or, without `from`, a fill
    amphi::policy policy;
    launch_call call;
    kept_body kept{};
    void* to = nullptr;
    const void* from = nullptr;
    std::size_t bytes = 0;
    unsigned char value = 0;
  };
  std::vector<step> steps_;
  std::vector<void*> memory_;
};

// What the calling thread captures.
enum class capture_kind { none, cpu, gpu };

class capture_scope {
 public:
  // Throws launch_error within another capture.
  capture_scope(capture_kind kind, recording* r, captured_arrays* arrays);
  ~capture_scope();
  capture_scope(const capture_scope&) = delete;
  capture_scope& operator=(const capture_scope&) = delete;
};

capture_kind current_capture();
recording* current_recording();              // null unless the CPU's work is captured
captured_arrays* current_captured_arrays();  // null unless this thread captures

// True: the launch was kept for later. Throws while a GPU's stream is captured.
bool record_launch(const policy& p, kernel& k, const std::string& name, const launch_call& call);
void refuse_wait_in_capture();  // throws launch_error while this thread captures

// memcpy and memset, or a step of what is being recorded.
void copy_host(void* to, const void* from, std::size_t bytes);
void fill_host(void* to, unsigned char value, std::size_t bytes);

}  // namespace amphi::detail
