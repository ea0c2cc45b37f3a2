// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/abi.hpp"

struct CUstream_st;  // what a cudaStream_t points to

namespace amphi {

class event;
class graph;  // runtime/graph.hpp
class stream_view;

namespace detail {

graph capture(stream_view s, void (*work)(void*), void* closure);

}  // namespace detail

// Names a stream without owning it. A default-made view is the legacy default stream, whatever a unit's
// flags say, so that it orders with raw `<<<>>>` launches. On the CPU every stream runs in order at once.
class stream_view {
 public:
  constexpr stream_view() = default;
  constexpr stream_view(CUstream_st* handle) : handle_(handle) {}

  // The CUDA handle; null on the CPU and for the default stream.
  constexpr CUstream_st* native() const { return handle_; }

  // Waits for all work put on this stream. Throws what failed in it, and launch_error while it is captured.
  void synchronize() const;
  // Work put on this stream afterwards runs after `e`. Does not block the host.
  void wait(const event& e) const;
  // An event that is reached when all work put on the stream so far is done.
  event record() const;
  // What work() puts on this stream, to be replayed. Include runtime/graph.hpp.
  template <class Work>
  graph capture(Work&& work) const;

  friend constexpr bool operator==(const stream_view&, const stream_view&) = default;

 private:
  CUstream_st* handle_ = nullptr;
};

// Owns a non-blocking stream of the device that is current when it is made. On the CPU it owns nothing.
// Destroying it does not wait: work put on it still runs, and arrays that were used on it still know when it
// is done. A moved-from stream names the default stream.
class stream {
 public:
  stream();
  ~stream();
  stream(stream&& other) noexcept;
  stream& operator=(stream&& other) noexcept;
  stream(const stream&) = delete;  // two owners would destroy one stream twice
  stream& operator=(const stream&) = delete;

  // The per-thread default stream of CUDA.
  static stream_view per_thread();

  operator stream_view() const { return view_; }
  stream_view view() const { return view_; }
  CUstream_st* native() const { return view_.native(); }
  void synchronize() const { view_.synchronize(); }
  void wait(const event& e) const { view_.wait(e); }
  event record() const;
  template <class Work>
  graph capture(Work&& work) const;

 private:
  stream_view view_;
};

namespace detail {

// The device that a stream belongs to; -1 for the default streams, which belong to whatever device is
// current.
int device_of(stream_view s);

}  // namespace detail
}  // namespace amphi
