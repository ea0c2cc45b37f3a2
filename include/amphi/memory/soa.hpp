// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "amphi/core/soa_view.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/detail/layout_errors.hpp"

namespace amphi {

// Owns a structure of arrays: one amphi::array for each field of T (see soa_view), under the accessors of
// array, so that a program changes its layout by one word:
//
//   amphi::soa<particle> p(n);                    // or amphi::array<particle>
//   amphi::launch<move>(n, dt, p.read_write());   // move takes soa_view<particle>, or view<particle>
//   float first = p.host_read()[0].mass;
//
// columns() gives the arrays themselves, under the names of the fields. A launch that uses some fields only
// takes those, and only those are copied: p.columns().mass.read(). Column by column everything is as with
// array: sides, streams, and what unwritten elements mean.
template <class T>
class soa {
  using fields = detail::fields<T>;

 public:
  using value_type = T;
  using size_type = std::size_t;
  using columns_type = typename fields::template with<array>;

  soa() : soa(0) {}
  // n elements that nobody has written.
  template <integer N>
  explicit soa(N n, memory_space space = memory_space::pinned)
      : columns_(make([&](auto* field) { return array<std::remove_pointer_t<decltype(field)>>(n, space); })) {
  }
  // n elements of this value, written on whichever side is used first.
  template <integer N>
  soa(N n, const T& value, memory_space space = memory_space::pinned)
      : columns_(detail::with_fields<fields::count>(
            value, [&](const auto&... f) { return columns_type{array(n, f, space)...}; })) {}
  // The elements of an array of structures in host memory.
  explicit soa(std::span<const T> elements, memory_space space = memory_space::pinned)
      : soa(elements.size(), space) {
    copy_from(elements);
  }

  soa(soa&& other) noexcept = default;  // leaves a soa of size 0
  soa& operator=(soa&& other) noexcept = default;
  soa(const soa&,  // amphi: capture its view, read() or write(), in a kernel; clone() copies it
      detail::to_use_an_array_in_a_kernel_capture_its_view_and_to_copy_it_call_clone = {}) = delete;
  soa& operator=(const soa&) = delete;

  std::size_t size() const {
    return detail::with_fields<fields::count>(columns_,
                                              [](const auto& first, const auto&...) { return first.size(); });
  }
  bool empty() const { return size() == 0; }

  // Gives the soa another size; the elements are then unwritten. With the size that it has nothing happens.
  template <integer N>
  void resize(N n) {
    (void)soa(n);  // throws, if anything does, before a column has changed
    detail::with_fields<fields::count>(columns_, [n](auto&... column) { (column.resize(n), ...); });
  }
  // Makes the soa equal to an array of structures in host memory, or to another soa, and as long.
  void copy_from(std::span<const T> elements) {
    if (elements.size() != size()) resize(elements.size());
    const soa_view<T> to = host_write();
    for (std::size_t i = 0; i < elements.size(); ++i) to[i] = elements[i];
  }
  void copy_from(const soa& other) {
    detail::with_fields<fields::count>(other.columns_, [this](const auto&... from) {
      detail::with_fields<fields::count>(columns_, [&](auto&... to) { (to.copy_from(from), ...); });
    });
  }
  // Copies all elements to an array of structures in host memory, which must have room for them, else
  // bounds_error. Waits.
  void copy_to(std::span<T> elements) const {
    const soa_view<const T> from = host_read();
    if (elements.size() < from.size()) detail::throw_no_room("elements", elements.size(), from.size());
    for (std::size_t i = 0; i < from.size(); ++i) elements[i] = from[i];
  }
  soa clone() const {
    soa copy;
    copy.columns_ = detail::with_fields<fields::count>(
        columns_, [](const auto&... column) { return columns_type{column.clone()...}; });
    return copy;
  }
  void swap(soa& other) noexcept { std::swap(columns_, other.columns_); }
  friend void swap(soa& a, soa& b) noexcept { a.swap(b); }

  // For a launch with this policy, and other work put on its stream afterwards: all fields of all elements.
  soa_view<const T> read(const policy& p = {}) const {
    return view_of<const T>(columns_, [&p](const auto& column) { return column.read(p).data(); });
  }
  soa_view<T> write(const policy& p = {}) {
    return view_of<T>(columns_, [&p](auto& column) { return column.write(p).data(); });
  }
  soa_view<T> read_write(const policy& p = {}) {
    return view_of<T>(columns_, [&p](auto& column) { return column.read_write(p).data(); });
  }

  // For the calling host thread. These wait for the work on the GPU that the access depends on.
  soa_view<const T> host_read() const {
    return view_of<const T>(columns_, [](const auto& column) { return column.host_read().data(); });
  }
  soa_view<T> host_write() {
    return view_of<T>(columns_, [](auto& column) { return column.host_write().data(); });
  }
  soa_view<T> host_read_write() {
    return view_of<T>(columns_, [](auto& column) { return column.host_read_write().data(); });
  }

  // Starts to bring a side up to date, on a stream, and gives the event at which all columns are.
  event to_host(stream_view stream = {}) const {
    return detail::with_fields<fields::count>(columns_, [stream](const auto&... column) {
      event last;
      ((last = column.to_host(stream)), ...);
      return last;
    });
  }
  event to_device(stream_view stream = {}) const {
    return detail::with_fields<fields::count>(columns_, [stream](const auto&... column) {
      event last;
      ((last = column.to_device(stream)), ...);
      return last;
    });
  }

  // One array per field, under the field's name. They must keep one size: an access to a soa whose columns
  // have several throws memory_error.
  columns_type& columns() { return columns_; }
  const columns_type& columns() const { return columns_; }

 private:
  template <class Make>
  static columns_type make(Make make) {
    const soa_view<T> none;
    const auto& nulls = none.pointers();
    return detail::with_fields<fields::count>(nulls,
                                              [&](auto*... field) { return columns_type{make(field)...}; });
  }

  // A view of what `access` gives for each column.
  template <class Element, class Columns, class Access>
  static soa_view<Element> view_of(Columns& columns, Access access) {
    return detail::with_fields<fields::count>(columns, [&](auto& first, auto&... rest) {
      const std::size_t n = first.size();
      ((rest.size() == n ? static_cast<void>(0) : detail::throw_unequal_columns(n, rest.size())), ...);
      return soa_view<Element>({access(first), access(rest)...}, n);
    });
  }

  columns_type columns_;
};

}  // namespace amphi
