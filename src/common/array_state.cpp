// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/array_state.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "amphi/core/error.hpp"
#include "amphi/runtime/device.hpp"
#include "common/device.hpp"
#include "common/host.hpp"
#include "common/host_work.hpp"
#include "common/recording.hpp"

namespace amphi::detail {
namespace {

constexpr std::size_t page = 4096;
constexpr unsigned char poison = 0xff;  // NaN in every floating-point type, −1 in integers

[[noreturn]] void throw_needs_copy_in_capture() {
  throw launch_error(
      "an array would have to be copied or filled while its stream is captured, and each replay would repeat "
      "that: bring it to the GPU before the capture with to_device()");
}

[[noreturn]] void throw_host_copy_in_capture() {
  throw launch_error(
      "an array would have to be copied to the host while a stream is captured, whose work has not run: read "
      "it before the capture or after a replay");
}

}  // namespace

void memory_use::read_by(const stream_use& s) {
  if (writer_) order_after(*writer_, s);
  if (readers_.size() >= 8) std::erase_if(readers_, [](const stream_use& r) { return is_over(r); });
  if (std::none_of(readers_.begin(), readers_.end(), [&](const stream_use& r) { return same_stream(r, s); }))
    readers_.push_back(s);
}

void memory_use::write_by(const stream_use& s) {
  if (writer_) order_after(*writer_, s);
  for (const stream_use& r : readers_) order_after(r, s);
  readers_.clear();
  writer_ = s;
}

void memory_use::host_reads() {
  if (writer_) host_wait(*writer_, "waiting for an array's last write");
}

void memory_use::host_writes() {
  host_reads();
  for (const stream_use& r : readers_) host_wait(r, "waiting for the readers of an array");
  readers_.clear();
  writer_.reset();
}

void memory_use::end_quietly() noexcept {
  if (writer_) host_wait_quietly(*writer_);
  for (const stream_use& r : readers_) host_wait_quietly(r);
}

bool memory_use::is_busy_capturing(bool for_writing) const {
  const auto captures = [](const stream_use& s) { return is_capturing(s); };
  return (writer_ && captures(*writer_)) ||
         (for_writing && std::any_of(readers_.begin(), readers_.end(), captures));
}

array_state::array_state(std::size_t n, std::size_t element, memory_space where)
    : count(n),
      element_bytes(element),
      bytes(n * element),
      space(where),
      met_device(where == memory_space::managed) {
  if (n > SIZE_MAX / 2 / element)
    throw memory_error("an array of " + std::to_string(n) + " elements of " + std::to_string(element) +
                       " bytes is larger than any memory");
}

array_state::~array_state() {
  if (link != nullptr) {
    const std::lock_guard lock(link->mutex);
    link->array = nullptr;
  }
  free_memory();
}

// Memory adopted for the device side is the only memory when there is no GPU.
void array_state::settle_adopted() {
  if (!on_device.foreign || backend_in_use() == backend::cuda) return;
  host.memory = std::exchange(on_device.memory, nullptr);
  host.foreign = std::exchange(on_device.foreign, false);
}

bool array_state::has_gpu() const { return met_device && backend_in_use() == backend::cuda; }

// A GPU's captures are seen by the waits of each side.
bool array_state::cpu_is_captured() const { return !has_gpu() && is_capturing(stream_view()); }

bool array_state::is_one_memory() const { return space == memory_space::managed || !has_gpu(); }

// The device of the access, which the array's own must equal.
int array_state::device_for(stream_view stream) const {
  int wanted = device_of(stream);
  const char* who = "the access is for a stream of device ";
  if (wanted < 0) {
    wanted = active_device();
    who = "the access is for the current device, ";
  }
  const int own = device >= 0 ? device : on_device.foreign ? device_of_memory(on_device.memory) : wanted;
  if (own != wanted)
    throw device_error("an array of device " + std::to_string(own) + " was accessed for another one: " + who +
                       std::to_string(wanted) + "; use a stream of the array's device, set_device(" +
                       std::to_string(own) + "), or clone the array");
  return own;
}

void array_state::require_written() const {
  if (host.valid || on_device.valid || value != nullptr) return;
  throw memory_error("an array of " + std::to_string(count) +
                     " elements was read before anybody wrote it: write it first, or give its constructor a "
                     "value");
}

void array_state::make_host_memory() {
  if (host.memory != nullptr) return;
  if (space == memory_space::managed && has_gpu()) {
    host.memory = allocate(bytes, memory_space::managed);
    return;
  }
  // Whole pages, so that they can be pinned later.
  host.memory = allocate_host(bytes, AMPHI_CUDA && space != memory_space::pageable ? page : 64);
  host_touch(host.memory, element_bytes, count);
}

void array_state::make_device_memory() {
  if (on_device.memory == nullptr) on_device.memory = allocate(bytes, memory_space::device);
}

void array_state::pin_host_memory() {
  if (host.pinned || host.foreign || space == memory_space::pageable) return;
  host.pinned = pin_memory(host.memory, (bytes + page - 1) / page * page);
}

void array_state::fill_on_host() {
  host.use.host_writes();
  host_fill(host.memory, value.get(), element_bytes, count);
  value.reset();
}

void* array_state::access_device(access mode, const policy& p) {
  met_device = true;
  settle_adopted();
  const bool one = is_one_memory();
  const bool gpu = has_gpu();
  array_side& mine = one ? host : on_device;
  const bool reads = mode != access::write, writes = mode != access::read;
  captured_arrays* captured = current_captured_arrays();
  if (captured != nullptr && !is_capturing(p.stream)) captured = nullptr;
  const bool written_in_capture = captured != nullptr && captured->write(*this);
  if (reads && !written_in_capture) require_written();
  const int on = gpu ? device_for(p.stream) : -1;
  const device_guard guard(on);
  const bool fill = value != nullptr;
  const bool stale = !on_device.valid;
  const bool copy = !one && reads && stale && !fill;
  // On the CPU nothing is copied, but what needs a copy on a GPU is refused as well.
  if ((fill || (gpu ? copy : reads && stale)) && !written_in_capture && is_capturing(p.stream))
    throw_needs_copy_in_capture();
  if (captured != nullptr) captured->note(*this, mine.foreign, mode, false);

  if (one) {
    make_host_memory();
  } else {
    make_device_memory();
  }
  device = on;
  const stream_use s = gpu ? use_of(p.stream) : stream_use{};
  if (gpu && (writes || copy || fill)) mine.use.write_by(s);
  if (gpu && mode == access::read) mine.use.read_by(s);
  if (captured != nullptr) return mine.memory;  // nothing is written yet: replays will say so
  if (fill) {
    if (gpu) {
      device_fill(mine.memory, value.get(), element_bytes, count, p.stream);
      value.reset();
    } else {
      fill_on_host();
    }
  } else if (copy) {
    pin_host_memory();
    host.use.read_by(s);
    copy_bytes(on_device.memory, host.memory, bytes, p.stream);
  } else if (AMPHI_CHECKED && !reads && stale && !mine.foreign) {
    if (gpu) {
      fill_bytes(mine.memory, poison, bytes, p.stream);
    } else {
      host_fill(mine.memory, &poison, 1, bytes);
    }
  }
  on_device.valid = true;
  if (writes) host.valid = false;
  return mine.memory;
}

void* array_state::access_host(access mode) {
  settle_adopted();
  const bool one = is_one_memory();
  const bool reads = mode != access::write, writes = mode != access::read;
  if (reads) require_written();
  const device_guard guard(device);
  const bool stale = !host.valid;
  if (reads && stale && value == nullptr && cpu_is_captured()) throw_host_copy_in_capture();
  if (!one && reads && stale && value == nullptr) {
    (void)start_to_host(on_device.use.writer() ? living_stream(*on_device.use.writer()) : stream_view());
  } else {
    make_host_memory();
  }
  if (has_gpu()) {
    if (writes) {
      host.use.host_writes();
    } else {
      host.use.host_reads();
    }
    // Host and device take turns on such a device.
    if (one && !properties_of(device >= 0 ? device : active_device()).concurrent_managed_access)
      synchronize();
  }
  if (value != nullptr) {
    fill_on_host();
  } else if (AMPHI_CHECKED && !reads && stale && !host.foreign) {
    host_fill(host.memory, &poison, 1, bytes);
  }
  host.valid = true;
  if (writes) on_device.valid = false;
  return host.memory;
}

void* array_state::capture_on_host(access mode, captured_arrays& captured) {
  settle_adopted();
  if (mode != access::write && !captured.write(*this)) {
    require_written();
    if (!host.valid && value == nullptr) throw_host_copy_in_capture();
  }
  captured.note(*this, host.foreign, mode, true);
  make_host_memory();
  if (value != nullptr) {
    fill_on_host();
    host.valid = true;
  }
  return host.memory;
}

void array_state::check_replay(access mode, stream_view s) const {
  if (mode != access::write) require_written();
  if (has_gpu()) (void)device_for(s);
}

event array_state::start_to_host(stream_view stream) {
  settle_adopted();
  require_written();
  if (!host.valid && value == nullptr && cpu_is_captured()) throw_host_copy_in_capture();
  if (is_one_memory() || on_device.memory == nullptr) {
    if (value != nullptr) {
      make_host_memory();
      fill_on_host();
    }
    host.valid = true;
    const device_guard guard(device);
    if (has_gpu() && host.use.writer()) order_after(*host.use.writer(), use_of(stream));
    return stream.record();
  }
  const device_guard guard(device_for(stream));
  const stream_use s = use_of(stream);
  if (host.valid) {
    if (host.use.writer()) order_after(*host.use.writer(), s);
    return stream.record();
  }
  if (is_capturing(s) || on_device.use.is_busy_capturing(false)) throw_host_copy_in_capture();
  make_host_memory();
  pin_host_memory();
  on_device.use.read_by(s);
  host.use.write_by(s);
  copy_bytes(host.memory, on_device.memory, bytes, stream);
  host.valid = true;
  return stream.record();
}

void array_state::take_from(array_state& from) {
  from.settle_adopted();
  settle_adopted();
  if (from.value != nullptr || (!from.host.valid && !from.on_device.valid)) {
    host.valid = on_device.valid = false;
    value.reset();
    if (from.value != nullptr) {
      value.reset(new unsigned char[element_bytes]);
      std::memcpy(value.get(), from.value.get(), element_bytes);
    }
    return;
  }
  const bool same_device = device < 0 || device == from.device;
  if (from.on_device.memory == nullptr || from.host.valid || space == memory_space::managed || !same_device ||
      on_device.foreign) {
    const void* elements = from.access_host(access::read);
    value.reset();
    host_copy(access_host(access::write), elements, bytes);
    return;
  }
  const device_guard guard(from.device);
  const stream_use s =
      from.on_device.use.writer() ? use_of(living_stream(*from.on_device.use.writer())) : stream_use{};
  if (is_capturing(s)) throw_needs_copy_in_capture();
  met_device = true;
  make_device_memory();
  value.reset();
  device = from.device;
  from.on_device.use.read_by(s);
  on_device.use.write_by(s);
  copy_bytes(on_device.memory, from.on_device.memory, bytes, s.stream);
  on_device.valid = true;
  host.valid = false;
}

void array_state::free_memory() noexcept {
  try {
    const device_guard guard(device);
    host.use.end_quietly();
    on_device.use.end_quietly();
  } catch (...) {  // the driver is gone, and all work with it
  }
  if (host.pinned) unpin_memory(host.memory);
  if (host.memory != nullptr && !host.foreign) {
    if (space == memory_space::managed && met_device) {
      deallocate(host.memory, memory_space::managed);
    } else {
      deallocate_host(host.memory);
    }
  }
  if (on_device.memory != nullptr && !on_device.foreign) deallocate(on_device.memory, memory_space::device);
}

}  // namespace amphi::detail
