// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/stream_order.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "common/failure.hpp"
#include "common/recording.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/stream.hpp"
#include "cuda/stream_state.hpp"

namespace amphi::detail {

struct stream_state {
  std::mutex mutex;  // held while the handle is used, so that it does not end meanwhile
  bool alive = true;
  int device = -1;
  cudaEvent_t last = nullptr;  // end of its work, once it is gone

  ~stream_state() {
    if (last != nullptr) (void)clear_own(cudaEventDestroy(last));
  }
};

namespace {

// The streams that amphi::stream objects own. Never destroyed: streams may end after main.
struct stream_table {
  std::mutex mutex;
  std::unordered_map<cudaStream_t, std::shared_ptr<stream_state>> states;
};

stream_table& table() {
  static auto& t = *new stream_table;
  return t;
}

std::uint64_t this_thread_number() {
  static constinit std::atomic<std::uint64_t> next{1};
  thread_local const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

bool of_another_thread(const stream_use& u) { return u.thread != 0 && u.thread != this_thread_number(); }

// Only for ordering: no time stamps, which makes it cheaper.
struct ordering_event {
  cudaEvent_t handle = nullptr;
  ordering_event() { check(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming), "creating an event"); }
  ~ordering_event() { (void)clear_own(cudaEventDestroy(handle)); }
  ordering_event(const ordering_event&) = delete;
  ordering_event& operator=(const ordering_event&) = delete;
};

// Calls use(handle) while the stream is alive, or gone(event) with the end of its work.
template <class Use, class Gone>
void with_stream(const stream_use& u, Use use, Gone gone) {
  if (u.state == nullptr) {
    use(raw(u.stream));
    return;
  }
  std::unique_lock lock(u.state->mutex);
  if (u.state->alive) {
    use(raw(u.stream));
  } else if (u.state->last != nullptr) {
    gone(u.state->last);
  }
}

// Waits without holding the lock of the stream: others may put work on it meanwhile.
cudaError_t wait_for(const stream_use& u) {
  const relaxed_capture relaxed;
  if (u.state == nullptr)
    return of_another_thread(u) ? cudaDeviceSynchronize() : cudaStreamSynchronize(raw(u.stream));
  const ordering_event reached;
  cudaError_t status = cudaSuccess;
  bool recorded = false;
  with_stream(
      u, [&](cudaStream_t s) { status = cudaEventRecord(reached.handle, s), recorded = true; },
      [&](cudaEvent_t last) { status = cudaEventSynchronize(last); });
  return recorded && status == cudaSuccess ? cudaEventSynchronize(reached.handle) : status;
}

}  // namespace

void remember_stream(cudaStream_t handle, int device) {
  auto state = std::make_shared<stream_state>();
  state->device = device;
  const std::lock_guard lock(table().mutex);
  table().states[handle] = std::move(state);
}

int device_remembered(cudaStream_t handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().states.find(handle);
  return found != table().states.end() ? found->second->device : -1;
}

void end_stream(cudaStream_t handle) noexcept {
  std::shared_ptr<stream_state> state;
  {
    const std::lock_guard lock(table().mutex);
    if (const auto found = table().states.find(handle); found != table().states.end()) {
      state = std::move(found->second);
      table().states.erase(found);
    }
  }
  if (state == nullptr) {
    (void)clear_own(cudaStreamDestroy(handle));
    return;
  }
  const std::lock_guard lock(state->mutex);
  state->alive = false;
  int device = -1, current = -1;
  if (state.use_count() > 1 && clear_own(cudaStreamGetDevice(handle, &device)) == cudaSuccess &&
      clear_own(cudaGetDevice(&current)) == cudaSuccess) {
    if (device != current) (void)clear_own(cudaSetDevice(device));
    cudaEvent_t last = nullptr;
    if (clear_own(cudaEventCreateWithFlags(&last, cudaEventDisableTiming)) == cudaSuccess) {
      if (clear_own(cudaEventRecord(last, handle)) == cudaSuccess)
        state->last = last;
      else
        (void)clear_own(cudaEventDestroy(last));
    }
    if (device != current) (void)clear_own(cudaSetDevice(current));
  }
  (void)clear_own(cudaStreamDestroy(handle));
}

stream_use use_of(stream_view s) {
  if (s.native() == cudaStreamPerThread) return {s, nullptr, this_thread_number()};
  if (is_default(s)) return {stream_view(), nullptr, 0};
  const std::lock_guard lock(table().mutex);
  const auto found = table().states.find(s.native());
  return {s, found != table().states.end() ? found->second : nullptr, 0};
}

bool same_stream(const stream_use& a, const stream_use& b) {
  return a.stream == b.stream && a.state == b.state && a.thread == b.thread;
}

stream_view living_stream(const stream_use& u) {
  if (of_another_thread(u)) return {};
  stream_view living;
  with_stream(
      u, [&](cudaStream_t) { living = u.stream; }, [](cudaEvent_t) {});
  return living;
}

bool is_over(const stream_use& u) {
  if (u.state == nullptr) return false;
  const std::lock_guard lock(u.state->mutex);
  return !u.state->alive &&
         (u.state->last == nullptr || clear_own(cudaEventQuery(u.state->last)) == cudaSuccess);
}

bool is_capturing(stream_view s) {
  if (backend_in_use() != backend::cuda) return current_recording() != nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  // The legacy stream answers with an error while a blocking stream is captured; it is not captured itself.
  if (clear_own(cudaStreamIsCapturing(raw(s), &status)) != cudaSuccess) return false;
  return status != cudaStreamCaptureStatusNone;
}

bool is_capturing(const stream_use& u) {
  if (of_another_thread(u)) return false;
  bool capturing = false;
  with_stream(
      u, [&](cudaStream_t) { capturing = is_capturing(u.stream); }, [](cudaEvent_t) {});
  return capturing;
}

void order_after(const stream_use& first, const stream_use& then) {
  if (same_stream(first, then)) return;
  const bool first_captures = is_capturing(first), then_captures = is_capturing(then);
  if (first_captures && !then_captures)
    throw launch_error(
        "memory is used by a stream that is being captured: that work has not run, so work on another stream "
        "can't wait for it. Use the memory on the captured stream, or after the capture");
  if ((then_captures && !first_captures) || of_another_thread(first)) {
    host_wait(first, "waiting for work before a capture");
    return;
  }
  with_stream(
      first,
      [&](cudaStream_t s) {
        const ordering_event reached;
        check(cudaEventRecord(reached.handle, s), "recording an event");
        check(cudaStreamWaitEvent(raw(then.stream), reached.handle, 0), "ordering two streams");
      },
      [&](cudaEvent_t last) {
        check(cudaStreamWaitEvent(raw(then.stream), last, 0), "ordering two streams");
      });
}

void host_wait(const stream_use& u, const char* doing) {
  if (is_capturing(u))
    throw launch_error(
        std::string(doing) +
        ": the stream that uses the memory is being captured, so its work has not run and can't be "
        "waited for");
  check(wait_for(u), doing);
  throw_pending_failures(doing);
}

void host_wait_quietly(const stream_use& u) noexcept {
  // A stream of CUDA calls may be gone. Freeing device memory waits for the device anyway.
  if (u.state == nullptr && !is_default(u.stream)) return;
  try {
    if (!is_capturing(u)) (void)clear_own(wait_for(u));
  } catch (...) {  // the driver is gone, and its work with it
  }
}

}  // namespace amphi::detail
