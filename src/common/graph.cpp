// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/graph.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "common/captured_arrays.hpp"
#include "common/cuda_graph.hpp"
#include "common/recording.hpp"

namespace amphi {

// Either a CUDA graph or a list of work.
struct detail::graph_state {
  stream_view stream;
  cuda_graph graph;
  recording list;
  captured_arrays arrays;
  std::mutex replaying;  // its scratch is for one replay at a time
};

graph detail::capture(stream_view s, void (*work)(void*), void* closure) {
  auto state = std::make_unique<graph_state>();
  state->stream = s;
  if (backend_in_use() == backend::cuda) {
    const capture_scope scope(capture_kind::gpu, nullptr, &state->arrays);
    state->graph = capture_cuda_graph(s, work, closure);
  } else {
    const capture_scope scope(capture_kind::cpu, &state->list, &state->arrays);
    work(closure);
  }
  return graph(state.release());
}

graph::~graph() {
  if (state_ == nullptr) return;
  if (state_->graph.handle != nullptr) detail::destroy_cuda_graph(state_->graph.handle);
  delete state_;
}

graph& graph::operator=(graph&& other) noexcept {
  graph taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

void graph::replay() const { replay(state_ != nullptr ? state_->stream : stream_view()); }

void graph::replay(stream_view s) const {
  if (state_ == nullptr)
    throw launch_error("a graph that was moved from can't be replayed; replay the one that it was moved to");
  if (detail::current_capture() != detail::capture_kind::none)
    throw launch_error("a graph can't be replayed while a stream is captured; replay it before or after");
  const std::lock_guard lock(state_->replaying);
  state_->arrays.access_all(s);
  if (state_->graph.handle != nullptr) {
    detail::replay_cuda_graph(state_->graph.handle, s);
  } else {
    state_->list.replay();
  }
}

std::int64_t graph::size() const {
  if (state_ == nullptr) return 0;
  return state_->graph.handle != nullptr ? state_->graph.nodes
                                         : static_cast<std::int64_t>(state_->list.size());
}

}  // namespace amphi
