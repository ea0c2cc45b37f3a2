// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/memory.hpp"

#include <cstring>

#include "amphi/core/error.hpp"
#include "amphi/runtime/backend.hpp"
#include "common/host.hpp"
#include "common/recording.hpp"
#include "common/stream_order.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/stream.hpp"

namespace amphi {
namespace {

bool from_cuda(memory_space space) {
  return space != memory_space::pageable && backend_in_use() == backend::cuda;
}

std::size_t device_bytes_left() {
  std::size_t left = 0, all = 0;
  (void)detail::clear_own(cudaMemGetInfo(&left, &all));
  return left;
}

}  // namespace

void* allocate(std::size_t bytes, memory_space space) {
  if (!from_cuda(space)) return detail::allocate_host(bytes);
  if (bytes == 0) return nullptr;
  (void)detail::active_device();
  const detail::relaxed_capture relaxed;
  void* memory = nullptr;
  cudaError_t status = cudaSuccess;
  switch (space) {
    case memory_space::device:
      status = cudaMalloc(&memory, bytes);
      break;
    case memory_space::pinned:
      status = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
      break;
    default:
      status = cudaMallocManaged(&memory, bytes);
      break;
  }
  if (status == cudaErrorMemoryAllocation) {
    (void)detail::clear_own(status);
    detail::throw_out_of_memory(
        bytes, name(space), space == memory_space::device ? device_bytes_left() : detail::host_bytes_left());
  }
  detail::check(status, "allocating memory");
  return memory;
}

void deallocate(void* memory, memory_space space) noexcept {
  if (memory == nullptr) return;
  if (!from_cuda(space)) {  // nothing throws here: memory was allocated, so the backend is known
    detail::deallocate_host(memory);
    return;
  }
  const detail::relaxed_capture relaxed;
  // Fails when the driver is unloaded already, and then the memory is gone anyway.
  (void)detail::clear_own(space == memory_space::pinned ? cudaFreeHost(memory) : cudaFree(memory));
}

void copy_bytes(void* to, const void* from, std::size_t bytes, stream_view stream) {
  if (bytes == 0) return;
  detail::require_memory("copy_bytes", to, bytes);
  detail::require_memory("copy_bytes", from, bytes);
  if (backend_in_use() != backend::cuda) return detail::copy_host(to, from, bytes);
  const detail::device_guard on(detail::device_of(stream));
  detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, detail::raw(stream)), "copying memory");
}

void fill_bytes(void* to, unsigned char value, std::size_t bytes, stream_view stream) {
  if (bytes == 0) return;
  detail::require_memory("fill_bytes", to, bytes);
  if (backend_in_use() != backend::cuda) return detail::fill_host(to, value, bytes);
  if (!detail::is_capturing(stream)) {  // memory of a graph is not there yet, and looks like the host's
    cudaPointerAttributes where{};
    detail::check(cudaPointerGetAttributes(&where, to), "asking where memory is");
    if (where.type == cudaMemoryTypeUnregistered) {  // pageable: only the host is sure to reach it
      stream.synchronize();
      std::memset(to, value, bytes);
      return;
    }
  }
  const detail::device_guard on(detail::device_of(stream));
  detail::check(cudaMemsetAsync(to, value, bytes, detail::raw(stream)), "filling memory");
}

}  // namespace amphi
