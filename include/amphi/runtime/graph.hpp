// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/runtime/stream.hpp"

namespace amphi {
namespace detail {

struct graph_state;

}  // namespace detail

// Work that was captured once and can be put on a stream again and again, as a whole:
//
//   amphi::stream s;
//   amphi::graph step = s.capture([&] {
//     amphi::parallel_for({.stream = s}, 0, n, body);
//     amphi::reduce_into({.stream = s}, view, result, 0.0, amphi::plus{});
//   });
//   for (int i = 0; i < 1000; ++i) step.replay();
//
// Capturing runs nothing; it keeps the arguments of launches by value, so the memory that they point to must
// live as long as the graph, and new data are written to the same place. On a GPU this is a CUDA graph. On
// the CPU it is a list of work, for which every launch of the calling thread counts, whatever its stream, and
// replay() returns when it is done. Replaying allocates nothing.
//
// A replay uses arrays as the accesses in the captured work said: it works on what was written to them last,
// on either side, and whoever reads them afterwards sees its results. So access them within the work; of a
// view that was taken before, they know nothing. They must keep their size, and live: else replay() throws.
//
// Can be captured: launches, algorithms that do not give their result to the host, copy_bytes, fill_bytes,
// and accesses to arrays that need no copy on a GPU. Anything else throws and leaves the stream as it was:
// calls that wait, work for the CPU in the capture of a GPU's stream, a replay, a capture within a capture,
// making a scatter_plan, a default stream of a GPU. A graph that was moved from holds no work, and replay()
// of it throws launch_error.
class graph {
 public:
  ~graph();
  graph(graph&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  graph& operator=(graph&& other) noexcept;
  graph(const graph&) = delete;  // holds the scratch memory of its work, which one replay at a time may use
  graph& operator=(const graph&) = delete;

  // Puts all the work on the stream that was captured, or on another one of its device. Does not wait for a
  // GPU.
  void replay() const;
  void replay(stream_view s) const;

  // How many pieces of work it holds: of a CUDA graph its nodes.
  std::int64_t size() const;

 private:
  friend graph detail::capture(stream_view s, void (*work)(void*), void* closure);
  explicit graph(detail::graph_state* state) : state_(state) {}
  detail::graph_state* state_;
};

template <class Work>
graph stream_view::capture(Work&& work) const {
  using Closure = std::remove_reference_t<Work>;
  return detail::capture(
      *this, [](void* closure) { (*static_cast<Closure*>(closure))(); },
      const_cast<void*>(static_cast<const volatile void*>(&work)));
}

template <class Work>
graph stream::capture(Work&& work) const {
  return view_.capture(static_cast<Work&&>(work));
}

}  // namespace amphi
