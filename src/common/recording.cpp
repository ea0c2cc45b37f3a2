// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/recording.hpp"

#include <algorithm>
#include <cstring>

#include "amphi/core/error.hpp"
#include "common/host.hpp"
#include "common/kernel_state.hpp"

namespace amphi::detail {
namespace {

struct capture_of_thread {
  capture_kind kind = capture_kind::none;
  recording* list = nullptr;
  captured_arrays* arrays = nullptr;
};
thread_local capture_of_thread current;

kept_body kept_bytes(const launch_call& call) {
  void* const body = allocate_host(call.body_bytes, std::max<std::size_t>(call.body_alignment, 64));
  std::memcpy(body, call.body, call.body_bytes);
  return {body, call.run, [](void* b) { deallocate_host(b); }, call.end};
}

}  // namespace

recording::~recording() {
  for (const step& s : steps_)
    if (s.kept.drop != nullptr) s.kept.drop(s.kept.body);
  for (void* m : memory_) deallocate_host(m);
}

void recording::add_launch(const policy& p, kernel& k, const launch_call& call) {
  if (call.keep == nullptr && call.body_bytes == 0)
    throw launch_error("launch of " + state_of(k).name +
                       " while a stream is captured: its body can't be kept; launch it by amphi::launch");
  step& s = steps_.emplace_back();
  s.launched = &k;
  s.policy = p;
  s.call = call;
  s.kept = call.keep != nullptr ? call.keep(call.arguments) : kept_bytes(call);
  s.call.body = s.kept.body;
  s.call.run = s.kept.run;
  s.call.end = s.kept.end;
  s.call.arguments = nullptr;
  s.call.argument_count = 0;
}

void recording::add_copy(void* to, const void* from, std::size_t bytes) {
  step& s = steps_.emplace_back();
  s.to = to, s.from = from, s.bytes = bytes;
}

void recording::add_fill(void* to, unsigned char value, std::size_t bytes) {
  step& s = steps_.emplace_back();
  s.to = to, s.value = value, s.bytes = bytes;
}

void* recording::memory(std::size_t bytes) {
  memory_.push_back(nullptr);
  return memory_.back() = allocate_host(bytes, 256);
}

void recording::replay() const {
  for (const step& s : steps_) {
    if (s.launched != nullptr) {
      launch(s.policy, *s.launched, s.call);
    } else if (s.from != nullptr) {
      std::memcpy(s.to, s.from, s.bytes);
    } else {
      std::memset(s.to, s.value, s.bytes);
    }
  }
}

capture_scope::capture_scope(capture_kind kind, recording* r, captured_arrays* arrays) {
  if (current.kind != capture_kind::none)
    throw launch_error("a stream is being captured by this thread; end that capture before another begins");
  current = {kind, r, arrays};
}

capture_scope::~capture_scope() { current = {}; }

capture_kind current_capture() { return current.kind; }

recording* current_recording() { return current.list; }

captured_arrays* current_captured_arrays() { return current.arrays; }

bool record_launch(const policy& p, kernel& k, const std::string& name, const launch_call& call) {
  if (current.kind == capture_kind::none) return false;
  if (current.kind == capture_kind::gpu)
    throw launch_error(
        "launch of " + name +
        " on the CPU while the stream of a GPU is captured: work of the CPU can't be part of a CUDA "
        "graph; do it before or after the capture");
  current.list->add_launch(p, k, call);
  return true;
}

void refuse_wait_in_capture() {
  if (current.kind != capture_kind::none)
    throw launch_error("a stream that is being captured can't be synchronised: its work has not run");
}

void copy_host(void* to, const void* from, std::size_t bytes) {
  if (current.list != nullptr) return current.list->add_copy(to, from, bytes);
  std::memcpy(to, from, bytes);
}

void fill_host(void* to, unsigned char value, std::size_t bytes) {
  if (current.list != nullptr) return current.list->add_fill(to, value, bytes);
  std::memset(to, value, bytes);
}

}  // namespace amphi::detail
