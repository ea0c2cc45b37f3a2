// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "amphi/memory/detail/array_storage.hpp"
#include "common/captured_arrays.hpp"
#include "common/stream_order.hpp"

namespace amphi::detail {

// Which streams may still be busy with a memory: the last to write it, and those that read it since.
class memory_use {
 public:
  void read_by(const stream_use& s);   // work of s afterwards sees the last write
  void write_by(const stream_use& s);  // and overtakes neither a write nor a read
  void host_reads();
  void host_writes();
  void end_quietly() noexcept;
  bool is_busy_capturing(bool for_writing) const;

  const std::optional<stream_use>& writer() const { return writer_; }

 private:
  std::optional<stream_use> writer_;
  std::vector<stream_use> readers_;
};

struct array_side {
  void* memory = nullptr;
  bool valid = false;    // holds what was written last
  bool foreign = false;  // adopted
  bool pinned = false;   // host memory that is page-locked by us
  memory_use use;
};

// All functions but the special members want `mutex` held.
struct array_state {
  array_state(std::size_t n, std::size_t element, memory_space where);
  ~array_state();
  array_state(const array_state&) = delete;
  array_state& operator=(const array_state&) = delete;

  void* access_device(access mode, const policy& p);
  void* access_host(access mode);
  // For work of the CPU that is being captured, by a policy of the CPU.
  void* capture_on_host(access mode, captured_arrays& captured);
  // Throws what the access before a replay on s would throw.
  void check_replay(access mode, stream_view s) const;
  event start_to_host(stream_view stream);
  // Takes over the elements of another array, of the same size, where they are; wants both mutexes held.
  void take_from(array_state& from);

  std::mutex mutex;
  std::size_t count, element_bytes, bytes;
  memory_space space;
  int device = -1;             // of the device side, once it is bound
  bool met_device = false;     // before, the host side needs to know nothing about GPUs
  array_side host, on_device;  // without a GPU, and in managed memory, only host has memory and uses
  std::unique_ptr<unsigned char[]> value;  // of all elements, until the first access
  std::shared_ptr<array_link> link;        // for graphs, once it was used in a capture

 private:
  void settle_adopted();
  bool has_gpu() const;
  bool cpu_is_captured() const;
  bool is_one_memory() const;
  int device_for(stream_view stream) const;
  void require_written() const;
  void make_host_memory();
  void make_device_memory();
  void pin_host_memory();
  void fill_on_host();
  void free_memory() noexcept;
};

// What differs by backend (src/cpu/array_memory.cpp, src/cuda/array_memory.cpp).
bool pin_memory(void* memory, std::size_t bytes) noexcept;
void unpin_memory(void* memory) noexcept;
int device_of_memory(const void* memory);
// Device memory becomes `count` copies of an element, in the order of the stream.
void device_fill(void* memory, const void* element, std::size_t element_bytes, std::size_t count,
                 stream_view s);

}  // namespace amphi::detail
