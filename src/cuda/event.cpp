// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/event.hpp"

#include <utility>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "common/failure.hpp"
#include "common/recording.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/stream.hpp"

namespace amphi {

event stream_view::record() const {
  event e;
  if (backend_in_use() != backend::cuda) {
    e.nanoseconds_ = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
    return e;
  }
  const detail::device_guard on(detail::device_of(*this));
  detail::check(cudaEventCreate(&e.handle_), "creating an event");
  detail::check(cudaEventRecord(e.handle_, detail::raw(*this)), "recording an event");
  return e;
}

event::~event() {
  if (handle_ != nullptr) (void)detail::clear_own(cudaEventDestroy(handle_));
}

event::event(event&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), nanoseconds_(other.nanoseconds_) {}

event& event::operator=(event&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(nanoseconds_, other.nanoseconds_);
  return *this;
}

bool event::ready() const {
  if (handle_ == nullptr) return true;
  const cudaError_t status = cudaEventQuery(handle_);
  if (status == cudaErrorNotReady) {
    (void)detail::clear_own(status);
    return false;
  }
  detail::check(status, "asking whether an event is reached");
  return true;
}

void event::synchronize() const {
  detail::refuse_wait_in_capture();
  if (handle_ == nullptr) return;
  const char* const doing = "waiting for an event";
  detail::check(cudaEventSynchronize(handle_), doing);
  detail::throw_pending_failures(doing);
}

std::chrono::duration<double, std::milli> elapsed(const event& first, const event& second) {
  if ((first.handle_ == nullptr) != (second.handle_ == nullptr))
    throw error("elapsed: one event was recorded on a GPU stream, the other was not");
  detail::refuse_wait_in_capture();
  if (first.handle_ == nullptr) return std::chrono::nanoseconds(second.nanoseconds_ - first.nanoseconds_);
  first.synchronize();
  second.synchronize();
  float milliseconds = 0;
  detail::check(cudaEventElapsedTime(&milliseconds, first.handle_, second.handle_),
                "reading the time between two events");
  return std::chrono::duration<double, std::milli>(milliseconds);
}

}  // namespace amphi
