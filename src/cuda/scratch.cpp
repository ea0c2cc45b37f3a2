// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/scratch.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "amphi/runtime/memory.hpp"
#include "common/stream_order.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"
#include "cuda/graph_scratch.hpp"
#include "cuda/stream.hpp"

namespace amphi::detail {
namespace {

// Work of one stream runs in order, so its calls can share one block, one after another.
struct block {
  void* data = nullptr;
  void* zeroed = nullptr;
  void* result = nullptr;
  std::size_t bytes = 0, zeroed_bytes = 0, result_bytes = 0;
  std::mutex mutex;
  bool of_nodes = false;  // lives in a graph, and only for one call

  ~block() {
    deallocate(data, memory_space::device);  // waits for the device
    deallocate(zeroed, memory_space::device);
    deallocate(result, memory_space::pinned);
  }
};

// Streams are told apart by CUDA's ids, which are never used twice, unlike handles.
struct all_blocks {
  std::mutex mutex;
  std::map<std::pair<int, unsigned long long>, std::shared_ptr<block>> map;
};

all_blocks& blocks() {
  static auto* const all = new all_blocks;  // outlives the driver's unloading: nothing is freed at exit
  return *all;
}

constexpr std::size_t kept_streams = 64;

struct lease_of_block {
  std::shared_ptr<block> memory;
  std::unique_lock<std::mutex> lock;
};

std::shared_ptr<block> block_of(stream_view s) {
  unsigned long long id = 0;
  check(cudaStreamGetId(raw(s), &id), "asking for the id of a stream");
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  all_blocks& all = blocks();
  const std::lock_guard lock(all.mutex);
  auto& found = all.map[{device, id}];
  if (!found) {
    found = std::make_shared<block>();
    if (all.map.size() > kept_streams) {
      // Streams that are gone leave their blocks behind.
      std::erase_if(
          all.map, [&](const auto& entry) { return entry.second.use_count() == 1 && entry.second != found; });
    }
  }
  return found;
}

void grow(void*& memory, std::size_t& have, std::size_t need, std::size_t least, memory_space space) {
  deallocate(memory, space);
  memory = nullptr, have = 0;
  const std::size_t bytes = std::max(least, need + need / 2);
  memory = allocate(bytes, space);
  have = bytes;
}

// In a capture of the program's own CUDA calls nothing of ours lives as long as the graph: memory nodes.
device_scratch scratch_of_nodes(stream_view s, std::size_t bytes, std::size_t zeroed) {
  auto lease = std::make_unique<lease_of_block>();
  lease->memory = std::make_shared<block>();
  block& b = *lease->memory;
  b.of_nodes = true;
  const std::size_t offset = (zeroed + 255) / 256 * 256;
  check(cudaMallocAsync(&b.zeroed, std::max<std::size_t>(256, offset + bytes), raw(s)),
        "allocating scratch in a graph");
  if (zeroed > 0) check(cudaMemsetAsync(b.zeroed, 0, zeroed, raw(s)), "clearing scratch in a graph");
  device_scratch scratch;
  scratch.zeroed = b.zeroed;
  scratch.data = static_cast<char*>(b.zeroed) + offset;
  scratch.lease = lease.release();
  return scratch;
}

}  // namespace

device_scratch lease_device_scratch(stream_view s, std::size_t bytes, std::size_t zeroed,
                                    std::size_t result) {
  const device_guard on(device_of(s));
  if (is_capturing(s))
    return current_graph_scratch() != nullptr ? current_graph_scratch()->lend(s, bytes, zeroed)
                                              : scratch_of_nodes(s, bytes, zeroed);
  auto lease = std::make_unique<lease_of_block>();
  lease->memory = block_of(s);
  block& b = *lease->memory;
  lease->lock = std::unique_lock(b.mutex);
  if (b.bytes < bytes) grow(b.data, b.bytes, bytes, std::size_t{1} << 20, memory_space::device);
  if (b.zeroed_bytes < zeroed) {
    grow(b.zeroed, b.zeroed_bytes, zeroed, std::size_t{1} << 16, memory_space::device);
    check(cudaMemsetAsync(b.zeroed, 0, b.zeroed_bytes, raw(s)), "clearing scratch");
  }
  if (b.result_bytes < result) grow(b.result, b.result_bytes, result, 256, memory_space::pinned);
  return {b.data, b.zeroed, b.result, lease.release()};
}

device_room room_of(stream_view s) {
  const device_guard on(device_of(s));
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, on.device()),
        "counting the multiprocessors of a device");
  return {count, limits_of_device(on.device()).shared_bytes_per_block_opt_in};
}

void end_lease(void* lease, stream_view s) noexcept {
  const std::unique_ptr<lease_of_block> ended(static_cast<lease_of_block*>(lease));
  block& b = *ended->memory;
  if (!b.of_nodes) return;
  (void)clear_own(cudaFreeAsync(std::exchange(b.zeroed, nullptr), raw(s)));
}

}  // namespace amphi::detail
