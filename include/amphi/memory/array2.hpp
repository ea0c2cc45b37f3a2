// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "amphi/core/extent.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/core/view.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/detail/layout_errors.hpp"

namespace amphi {

// Owns a picture-like arrangement: an amphi::array whose accessors give view2. x is contiguous, and rows are
// padded so that each starts at a multiple of 128 bytes, as a GPU reads memory; with_pitch() takes another
// distance, extent.x for rows without padding.
//
//   amphi::array2<float> u({nx, ny}, 0.0f), v({nx, ny});
//   amphi::parallel_for<step>(u.extent(), u.read(), v.write());   // step(x, y, view2<const float>,
//   view2<float>)
//
// Sides, streams and what unwritten elements mean are those of array. What the padding holds is unspecified.
template <class T>
class array2 {
 public:
  using value_type = T;

  array2() = default;
  // Elements that nobody has written.
  explicit array2(extent2 extent, memory_space space = memory_space::pinned)
      : array2(extent, detail::aligned_pitch(extent.x, sizeof(T)), space, nullptr) {}
  // Elements of this value, written on whichever side is used first.
  array2(extent2 extent, const T& value, memory_space space = memory_space::pinned)
      : array2(extent, detail::aligned_pitch(extent.x, sizeof(T)), space, &value) {}
  // Rows `pitch` elements apart.
  template <integer P>
  static array2 with_pitch(extent2 extent, P pitch, memory_space space = memory_space::pinned) {
    return array2(extent, signed_value(pitch), space, nullptr);
  }

  array2(array2&& other) noexcept
      : elements_(std::move(other.elements_)),
        extent_(std::exchange(other.extent_, {})),
        pitch_(std::exchange(other.pitch_, 0)) {}
  array2& operator=(array2&& other) noexcept {
    array2(std::move(other)).swap(*this);
    return *this;
  }
  array2(const array2&,  // amphi: capture its view, read() or write(), in a kernel; clone() copies it
         detail::to_use_an_array_in_a_kernel_capture_its_view_and_to_copy_it_call_clone = {}) = delete;
  array2& operator=(const array2&) = delete;

  extent2 extent() const { return extent_; }
  std::int64_t pitch() const { return pitch_; }
  // Number of elements, without padding.
  std::size_t size() const { return static_cast<std::size_t>(extent_.size()); }
  bool empty() const { return size() == 0; }

  // Makes the array equal to elements in host memory, with the extent of those.
  void copy_from(const view2<const T>& from) {
    if (from.extent() != extent_) {
      // The elements may lie in the memory that is given up, so that goes last.
      array2 other(from.extent(), elements_.space());
      other.copy_from(from);
      swap(other);
      return;
    }
    const view2<T> to = host_write();
    for (std::int64_t y = 0; y < extent_.y; ++y) copy_row(from.row(y), to.row(y));
  }
  // Copies all elements to host memory of at least this extent, else bounds_error. Waits.
  void copy_to(const view2<T>& to) const {
    const view2<const T> from = host_read();
    check_room("columns", to.extent().x, extent_.x);
    check_room("rows", to.extent().y, extent_.y);
    for (std::int64_t y = 0; y < extent_.y; ++y) copy_row(from.row(y), to.row(y));
  }
  array2 clone() const {
    array2 copy;
    copy.elements_ = elements_.clone();
    copy.extent_ = extent_, copy.pitch_ = pitch_;
    return copy;
  }
  void swap(array2& other) noexcept {
    elements_.swap(other.elements_);
    std::swap(extent_, other.extent_);
    std::swap(pitch_, other.pitch_);
  }
  friend void swap(array2& a, array2& b) noexcept { a.swap(b); }

  // For a launch with this policy, and other work put on its stream afterwards.
  view2<const T> read(const policy& p = {}) const { return {elements_.read(p).data(), extent_, pitch_}; }
  view2<T> write(const policy& p = {}) { return {elements_.write(p).data(), extent_, pitch_}; }
  view2<T> read_write(const policy& p = {}) { return {elements_.read_write(p).data(), extent_, pitch_}; }

  // For the calling host thread. These wait for the work on the GPU that the access depends on.
  view2<const T> host_read() const { return {elements_.host_read().data(), extent_, pitch_}; }
  view2<T> host_write() { return {elements_.host_write().data(), extent_, pitch_}; }
  view2<T> host_read_write() { return {elements_.host_read_write().data(), extent_, pitch_}; }

  // Starts to bring a side up to date, on a stream, and gives the event at which it is.
  event to_host(stream_view stream = {}) const { return elements_.to_host(stream); }
  event to_device(stream_view stream = {}) const { return elements_.to_device(stream); }

 private:
  array2(extent2 extent, std::int64_t pitch, memory_space space, const T* value)
      : extent_(extent), pitch_(pitch) {
    const std::size_t n = detail::pitched_count(extent, pitch, sizeof(T));
    elements_ = value != nullptr ? array<T>(n, *value, space) : array<T>(n, space);
  }

  static void copy_row(const view<const T>& from, const view<T>& to) {
    for (std::size_t x = 0; x < from.size(); ++x) to[x] = from[x];
  }
  static void check_room(const char* what, std::int64_t room, std::int64_t needed) {
    if (room < needed)
      detail::throw_no_room(what, static_cast<std::size_t>(room < 0 ? 0 : room),
                            static_cast<std::size_t>(needed));
  }

  array<T> elements_;
  extent2 extent_;
  std::int64_t pitch_ = 0;
};

}  // namespace amphi
