// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/core/concepts.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/memory.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

struct array_state;  // src/common/array_state.hpp

enum class access : unsigned char { read, write, read_write };

// An array whose element type is known by its size only: everything that amphi::array does, compiled once.
// Owns nothing until it has a size.
class array_storage {
 public:
  array_storage() = default;
  // `value` is null, or one element that all elements start as.
  array_storage(std::size_t count, std::size_t element_bytes, memory_space space, const void* value);
  ~array_storage();
  array_storage(array_storage&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  array_storage& operator=(array_storage&& other) noexcept;
  array_storage(const array_storage&) = delete;
  array_storage& operator=(const array_storage&) = delete;

  static array_storage adopt(void* data, std::size_t count, std::size_t element_bytes, memory_space where);

  std::size_t count() const;
  memory_space space() const;
  void resize(std::size_t count, std::size_t element_bytes);
  void copy_from(const void* elements, std::size_t count, std::size_t element_bytes);
  void copy_from(const array_storage& other, std::size_t element_bytes);
  void copy_to(void* elements, std::size_t count) const;

  // Pointers for the place where a launch with this policy runs, and for the host.
  void* on_policy(access mode, const policy& p) const;
  void* on_host(access mode) const;
  event to_host(stream_view stream) const;
  event to_device(stream_view stream) const;

 private:
  array_state* state_ = nullptr;
};

// A number of elements, out of any integral type; a negative one is a memory_error.
[[noreturn]] void throw_negative_size(std::int64_t n);
template <integer N>
std::size_t element_count(N n) {
  if constexpr (std::is_signed_v<N>) {
    if (n < 0) throw_negative_size(static_cast<std::int64_t>(n));
  }
  return static_cast<std::size_t>(n);
}

// Only its name matters: it stands in the compiler's message about a copied array.
struct to_use_an_array_in_a_kernel_capture_its_view_and_to_copy_it_call_clone {};

}  // namespace amphi::detail
