// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// A CUDA graph, ready to run. src/cuda makes it; src/cpu is never asked.
struct cuda_graph {
  void* handle = nullptr;
  std::int64_t nodes = 0;
  std::shared_ptr<void> scratch;  // of its algorithms; must outlive the handle
};

cuda_graph capture_cuda_graph(stream_view s, void (*work)(void*), void* closure);
void replay_cuda_graph(void* handle, stream_view s);
void destroy_cuda_graph(void* handle) noexcept;

}  // namespace amphi::detail
