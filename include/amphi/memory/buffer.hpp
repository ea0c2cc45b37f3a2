// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>

#include "amphi/core/concepts.hpp"
#include "amphi/core/view.hpp"
#include "amphi/runtime/memory.hpp"

namespace amphi {

// Owns raw bytes in one memory space, from construction to destruction; nothing is copied or moved for you.
// Device memory belongs to the device that was current at construction, or to that of the stream given. Its
// content is undefined at first.
class buffer {
 public:
  buffer() = default;
  explicit buffer(std::size_t bytes, memory_space space = memory_space::device)
      : data_(allocate(bytes, space)), bytes_(bytes), space_(space) {}
  buffer(std::size_t bytes, memory_space space, stream_view stream)
      : data_(allocate(bytes, space, stream)), bytes_(bytes), space_(space) {}
  ~buffer() { deallocate(data_, space_); }
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        space_(other.space_) {}
  buffer& operator=(buffer&& other) noexcept {
    buffer(std::move(other)).swap(*this);
    return *this;
  }
  buffer(const buffer&) = delete;  // copy its bytes into another buffer with copy_bytes()
  buffer& operator=(const buffer&) = delete;

  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(space_, other.space_);
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  memory_space space() const { return space_; }

  // The memory as elements; a rest that is smaller than one is left out.
  template <trivially_copyable T>
  view<T> as() const {
    return {static_cast<T*>(data_), bytes_ / sizeof(T)};
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  memory_space space_ = memory_space::device;
};

}  // namespace amphi
