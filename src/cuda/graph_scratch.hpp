// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <vector>

#include "common/scratch.hpp"

namespace amphi::detail {

// Scratch of the algorithms in a graph, which owns it. The calls of one stream run one after another, so they
// share memory. What they want zero they leave zero: it is cleared once, not in each replay.
class graph_scratch {
 public:
  graph_scratch() = default;
  ~graph_scratch();  // waits for the device
  graph_scratch(const graph_scratch&) = delete;
  graph_scratch& operator=(const graph_scratch&) = delete;

  // On the current device, for a call that is captured on s. Good for as long as *this.
  device_scratch lend(stream_view s, std::size_t bytes, std::size_t zeroed);

 private:
  struct memory {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  struct memory_of_stream {
    memory any, zeroed;  // the largest so far
  };
  void grow(memory& m, std::size_t bytes, bool zeroed);

  std::map<cudaStream_t, memory_of_stream> streams_;  // none ends while it is captured
  std::vector<void*> all_;                            // earlier calls keep what was too small for later ones
};

// The algorithms that this thread calls meanwhile lend from it.
class graph_scratch_scope {
 public:
  explicit graph_scratch_scope(graph_scratch& s);
  ~graph_scratch_scope();
  graph_scratch_scope(const graph_scratch_scope&) = delete;
  graph_scratch_scope& operator=(const graph_scratch_scope&) = delete;
};

graph_scratch* current_graph_scratch();  // null outside of such a scope

}  // namespace amphi::detail
