// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/array.hpp"

#include <cstring>
#include <string>

#include "amphi/core/error.hpp"
#include "common/array_state.hpp"
#include "common/host_work.hpp"
#include "common/recording.hpp"

namespace amphi::detail {

namespace {

void require_memory(const void* memory, std::size_t count, const char* call) {
  if (count != 0 && memory == nullptr)
    throw memory_error(std::string(call) + " of " + std::to_string(count) +
                       " elements was given a null pointer; give it the memory of the elements");
}

}  // namespace

void throw_negative_size(std::int64_t n) {
  throw memory_error("an array can't have " + std::to_string(n) + " elements; the least is 0");
}

array_storage::array_storage(std::size_t count, std::size_t element_bytes, memory_space space,
                             const void* value)
    : state_(new array_state(count, element_bytes, space)) {
  if (value == nullptr) return;
  state_->value.reset(new unsigned char[element_bytes]);
  std::memcpy(state_->value.get(), value, element_bytes);
}

array_storage::~array_storage() { delete state_; }

array_storage& array_storage::operator=(array_storage&& other) noexcept {
  if (this != &other) {
    delete state_;
    state_ = std::exchange(other.state_, nullptr);
  }
  return *this;
}

array_storage array_storage::adopt(void* data, std::size_t count, std::size_t element_bytes,
                                   memory_space where) {
  array_storage made(count, element_bytes, where, nullptr);
  if (count == 0) return made;
  if (data == nullptr)
    throw memory_error("an array of " + std::to_string(count) + " elements can't adopt a null pointer");
  const bool on_device = where == memory_space::device;
  array_side& side = on_device ? made.state_->on_device : made.state_->host;
  side.memory = data;
  side.foreign = side.valid = true;
  made.state_->met_device = on_device || where == memory_space::managed;
  if (where == memory_space::managed) made.state_->on_device.valid = true;
  return made;
}

std::size_t array_storage::count() const { return state_ != nullptr ? state_->count : 0; }

void array_storage::resize(std::size_t n, std::size_t element_bytes) {
  if (n == count()) return;
  *this = array_storage(n, element_bytes, state_ != nullptr ? state_->space : memory_space::pinned, nullptr);
}

void array_storage::copy_from(const void* elements, std::size_t n, std::size_t element_bytes) {
  require_memory(elements, n, "copy_from");
  if (n != count()) {
    // The elements may lie in the memory that is given up, so that goes last.
    array_storage other(n, element_bytes, state_ != nullptr ? state_->space : memory_space::pinned, nullptr);
    other.copy_from(elements, n, element_bytes);
    std::swap(state_, other.state_);
  } else if (n != 0) {
    host_copy(on_host(access::write), elements, state_->bytes);
  }
}

void array_storage::copy_from(const array_storage& other, std::size_t element_bytes) {
  if (this == &other) return;
  if (other.state_ == nullptr) {
    resize(0, element_bytes);
    return;
  }
  if (state_ == nullptr || other.count() != count()) {
    // Nothing has changed if the copy fails.
    const memory_space space = state_ != nullptr ? state_->space : other.state_->space;
    array_storage made(other.count(), element_bytes, space, nullptr);
    if (made.count() != 0) made.copy_from(other, element_bytes);
    std::swap(state_, made.state_);
    return;
  }
  if (count() == 0) return;
  const std::scoped_lock lock(state_->mutex, other.state_->mutex);
  state_->take_from(*other.state_);
}

void array_storage::copy_to(void* elements, std::size_t n) const {
  if (n < count())
    throw bounds_error("copy_to: there is room for " + std::to_string(n) + " elements, the array has " +
                       std::to_string(count()));
  require_memory(elements, count(), "copy_to");
  if (count() != 0) host_copy(elements, on_host(access::read), state_->bytes);
}

void* array_storage::on_policy(access mode, const policy& p) const {
  if (count() == 0) return nullptr;
  if (p.backend == backend::cpu) {
    if (current_recording() == nullptr) return on_host(mode);
    const std::lock_guard lock(state_->mutex);
    return state_->capture_on_host(mode, *current_captured_arrays());
  }
  (void)resolve(p.backend);  // throws when a GPU is asked for that is not there
  const std::lock_guard lock(state_->mutex);
  return state_->access_device(mode, p);
}

void* array_storage::on_host(access mode) const {
  if (count() == 0) return nullptr;
  const std::lock_guard lock(state_->mutex);
  return state_->access_host(mode);
}

event array_storage::to_host(stream_view stream) const {
  if (count() == 0) return stream.record();
  const std::lock_guard lock(state_->mutex);
  return state_->start_to_host(stream);
}

event array_storage::to_device(stream_view stream) const {
  if (count() == 0) return stream.record();
  const std::lock_guard lock(state_->mutex);
  (void)state_->access_device(access::read, {.stream = stream});
  return stream.record();
}

memory_space array_storage::space() const { return state_ != nullptr ? state_->space : memory_space::pinned; }

}  // namespace amphi::detail
