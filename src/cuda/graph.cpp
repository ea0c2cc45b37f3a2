// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <memory>
#include <utility>

#include "amphi/core/error.hpp"
#include "common/cuda_graph.hpp"
#include "common/stream_order.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/graph_scratch.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {

cuda_graph capture_cuda_graph(stream_view s, void (*work)(void*), void* closure) {
  const char* const doing = "capturing a stream";
  if (s.native() == nullptr || s.native() == cudaStreamLegacy)
    throw launch_error("the default stream of a GPU can't be captured: make an amphi::stream");
  if (is_capturing(s)) throw launch_error("the stream is being captured already");
  const device_guard on(device_of(s));
  check(cudaStreamBeginCapture(s.native(), cudaStreamCaptureModeThreadLocal), doing);
  cudaGraph_t captured = nullptr;
  auto scratch = std::make_shared<graph_scratch>();
  try {
    const graph_scratch_scope scope(*scratch);
    work(closure);
  } catch (...) {
    (void)clear_own(cudaStreamEndCapture(s.native(), &captured));
    if (captured != nullptr) (void)cudaGraphDestroy(captured);
    throw;
  }
  check(cudaStreamEndCapture(s.native(), &captured), doing);
  std::size_t nodes = 0;
  cudaGraphExec_t ready = nullptr;
  cudaError_t status = cudaGraphGetNodes(captured, nullptr, &nodes);
  if (status == cudaSuccess) status = cudaGraphInstantiate(&ready, captured, 0);
  (void)cudaGraphDestroy(captured);
  check(status, doing);
  return {ready, static_cast<std::int64_t>(nodes), std::move(scratch)};
}

void replay_cuda_graph(void* handle, stream_view s) {
  const device_guard on(device_of(s));
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(handle), raw(s)), "replaying a graph");
}

void destroy_cuda_graph(void* handle) noexcept {
  (void)clear_own(cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(handle)));
}

}  // namespace amphi::detail
