// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/graph_scratch.hpp"

#include "amphi/runtime/memory.hpp"
#include "cuda/check.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {
namespace {

thread_local graph_scratch* current = nullptr;

// On a stream of its own: streams that are captured, or busy, have nothing to do with it.
void clear_now(void* data, std::size_t bytes) {
  const char* const doing = "clearing scratch of a graph";
  const relaxed_capture relaxed;
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), doing);
  cudaError_t status = cudaMemsetAsync(data, 0, bytes, s);
  if (status == cudaSuccess) status = cudaStreamSynchronize(s);
  (void)clear_own(cudaStreamDestroy(s));
  check(status, doing);
}

}  // namespace

graph_scratch::~graph_scratch() {
  for (void* const data : all_) deallocate(data, memory_space::device);
}

void graph_scratch::grow(memory& m, std::size_t bytes, bool zeroed) {
  if (bytes <= m.bytes) return;
  all_.push_back(nullptr);
  all_.back() = allocate(bytes, memory_space::device);
  if (zeroed) clear_now(all_.back(), bytes);
  m = {all_.back(), bytes};
}

device_scratch graph_scratch::lend(stream_view s, std::size_t bytes, std::size_t zeroed) {
  memory_of_stream& mine = streams_[raw(s)];
  grow(mine.any, bytes, false);
  grow(mine.zeroed, zeroed, true);
  device_scratch lent;
  lent.data = mine.any.data, lent.zeroed = mine.zeroed.data;
  return lent;
}

graph_scratch_scope::graph_scratch_scope(graph_scratch& s) { current = &s; }
graph_scratch_scope::~graph_scratch_scope() { current = nullptr; }

graph_scratch* current_graph_scratch() { return current; }

}  // namespace amphi::detail
