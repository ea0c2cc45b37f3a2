// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/stream.hpp"

#include <utility>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "amphi/runtime/event.hpp"
#include "common/failure.hpp"
#include "common/recording.hpp"
#include "common/stream_order.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/stream.hpp"
#include "cuda/stream_state.hpp"

namespace amphi {

void stream_view::synchronize() const {
  if (backend_in_use() != backend::cuda) return detail::refuse_wait_in_capture();
  const char* const doing = "synchronising a stream";
  if (detail::is_capturing(*this))
    throw launch_error("a stream that is being captured can't be synchronised: its work has not run");
  (void)detail::active_device();
  detail::check(cudaStreamSynchronize(detail::raw(*this)), doing);
  detail::throw_pending_failures(doing);
}

void stream_view::wait(const event& e) const {
  if (e.native() == nullptr) return;
  detail::check(cudaStreamWaitEvent(detail::raw(*this), e.native(), 0), "making a stream wait for an event");
}

stream::stream() {
  if (backend_in_use() != backend::cuda) return;
  const int device = detail::active_device();
  cudaStream_t made = nullptr;
  detail::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "creating a stream");
  view_ = made;
  detail::remember_stream(made, device);
}

stream::~stream() {
  if (view_.native() != nullptr) detail::end_stream(view_.native());
}

stream::stream(stream&& other) noexcept : view_(std::exchange(other.view_, {})) {}

stream& stream::operator=(stream&& other) noexcept {
  if (this != &other) {
    if (view_.native() != nullptr) detail::end_stream(view_.native());
    view_ = std::exchange(other.view_, {});
  }
  return *this;
}

stream_view stream::per_thread() {
  return backend_in_use() == backend::cuda ? stream_view(cudaStreamPerThread) : stream_view();
}

event stream::record() const { return view_.record(); }

int detail::device_of(stream_view s) {
  if (is_default(s) || backend_in_use() != backend::cuda) return -1;
  int device = device_remembered(s.native());
  if (device >= 0 || is_capturing(s)) return device;  // CUDA does not answer while it captures
  check(cudaStreamGetDevice(s.native(), &device), "asking for the device of a stream");
  return device;
}

}  // namespace amphi
