// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "amphi/core/concepts.hpp"
#include "amphi/core/view.hpp"
#include "amphi/memory/detail/array_storage.hpp"
#include "amphi/runtime/event.hpp"
#include "amphi/runtime/memory.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi {

// Owns elements on two sides, host and device, and keeps them equal: memory is made and copied only when an
// access needs it. Where there is no GPU both sides are the same memory.
//
//   amphi::array<float> x(n, 1.0f), y(n);
//   amphi::launch<axpy>(n, 2.0f, x.read(), y.write());
//   use(y.host_read());
//
// An access says what for, and gives a view for one side:
//   read        the elements, to read
//   write       the memory, to write every element; what was there need not be there any more. Writing again
//               on the same side keeps what is there. Checked builds poison memory that write() finds stale.
//   read_write  the elements, to read and to write
// Reading what nobody has written throws memory_error.
//
// A view is good until the next access for another side or stream, and its address until resize() or
// destruction. The array knows the streams that it was used on: work on another stream waits by event, the
// host waits for the streams that matter only. Streams made by CUDA calls must outlive the last access;
// amphi::stream objects need not. Several host threads may read one array at the same time.
//
// The device side belongs to the device of the first access; accesses for another one throw device_error.
// Constructing an array touches no GPU. Host memory becomes pinned at the first copy between the sides,
// unless the space is `pageable`; in the space `managed` both sides are one memory that moves by itself.
// `device` is as `pinned`: a host side is made when asked for.
template <class T>
class array {
  static_assert(trivially_copyable<T>,
                "amphi: elements of an array travel as bytes: they must be trivially copyable");

 public:
  using value_type = T;
  using size_type = std::size_t;

  array() = default;
  // n elements that nobody has written.
  template <integer N>
  explicit array(N n, memory_space space = memory_space::pinned)
      : storage_(detail::element_count(n), sizeof(T), space, nullptr) {}
  // n elements of this value, written on whichever side is used first.
  template <integer N>
  array(N n, const T& value, memory_space space = memory_space::pinned)
      : storage_(detail::element_count(n), sizeof(T), space, &value) {}
  // A copy of host memory.
  explicit array(std::span<const T> elements, memory_space space = memory_space::pinned)
      : array(elements.size(), space) {
    copy_from(elements);
  }
  // Uses the memory of somebody else and never frees it; it must outlive the array. The elements there count
  // as written. `where` says which side it is: host (pinned, pageable), device, or both (managed).
  template <integer N>
  static array adopt(T* data, N n, memory_space where = memory_space::pageable) {
    array a;
    a.storage_ = detail::array_storage::adopt(data, detail::element_count(n), sizeof(T), where);
    return a;
  }

  array(array&& other) noexcept = default;  // leaves an array of size 0
  array& operator=(array&& other) noexcept = default;
  array(const array&,  // amphi: capture its view, read() or write(), in a kernel; clone() copies it
        detail::to_use_an_array_in_a_kernel_capture_its_view_and_to_copy_it_call_clone = {}) = delete;
  array& operator=(const array&) = delete;

  std::size_t size() const { return storage_.count(); }
  bool empty() const { return size() == 0; }
  memory_space space() const { return storage_.space(); }

  // Gives the array another size. Unlike a vector's, the elements are then unwritten; with the size that it
  // has nothing happens.
  template <integer N>
  void resize(N n) {
    storage_.resize(detail::element_count(n), sizeof(T));
  }
  // Makes the array equal to host memory, or to another array on the side that is up to date there, and as
  // long. The source may be changed afterwards.
  void copy_from(std::span<const T> elements) {
    storage_.copy_from(elements.data(), elements.size(), sizeof(T));
  }
  template <integer N>
  void copy_from(const T* elements, N n) {
    storage_.copy_from(elements, detail::element_count(n), sizeof(T));
  }
  void copy_from(const array& other) { storage_.copy_from(other.storage_, sizeof(T)); }
  // Copies all elements to host memory, which must have room for them, else bounds_error. Waits.
  void copy_to(std::span<T> elements) const { storage_.copy_to(elements.data(), elements.size()); }
  void copy_to(T* elements) const { storage_.copy_to(elements, size()); }
  array clone() const {
    array copy;
    copy.copy_from(*this);
    return copy;
  }
  void swap(array& other) noexcept { std::swap(storage_, other.storage_); }
  friend void swap(array& a, array& b) noexcept { a.swap(b); }

  // For a launch with this policy, and other work put on its stream afterwards.
  view<const T> read(const policy& p = {}) const {
    return {static_cast<const T*>(storage_.on_policy(detail::access::read, p)), size()};
  }
  view<T> write(const policy& p = {}) {
    return {static_cast<T*>(storage_.on_policy(detail::access::write, p)), size()};
  }
  view<T> read_write(const policy& p = {}) {
    return {static_cast<T*>(storage_.on_policy(detail::access::read_write, p)), size()};
  }

  // For the calling host thread. These wait for the work on the GPU that the access depends on.
  view<const T> host_read() const {
    return {static_cast<const T*>(storage_.on_host(detail::access::read)), size()};
  }
  view<T> host_write() { return {static_cast<T*>(storage_.on_host(detail::access::write)), size()}; }
  view<T> host_read_write() {
    return {static_cast<T*>(storage_.on_host(detail::access::read_write)), size()};
  }

  // Starts to bring a side up to date, on a stream, and gives the event at which it is. A later access for
  // that side waits for it by itself.
  event to_host(stream_view stream = {}) const { return storage_.to_host(stream); }
  event to_device(stream_view stream = {}) const { return storage_.to_device(stream); }

 private:
  detail::array_storage storage_;
};

}  // namespace amphi
