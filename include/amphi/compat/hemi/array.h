// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "amphi/compat/hemi/hemi.h"
#include "amphi/core/concepts.hpp"
#include "amphi/core/error.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/memory.hpp"

// Which side the calls without a side mean: in CUDA units the device.
#if !defined(HEMI_ARRAY_DEFAULT_LOCATION)
#  if defined(HEMI_CUDA_COMPILER)
#    define HEMI_ARRAY_DEFAULT_LOCATION hemi::device
#  else
#    define HEMI_ARRAY_DEFAULT_LOCATION hemi::host
#  endif
#endif

namespace hemi {

enum Location { host = 0, device = 1 };

// Elements on the host and on the device, copied when a pointer is asked for and the other side has newer
// ones. Where there is no GPU both sides are one memory.
//
//   ptr       hostPtr       devicePtr        to read and write
//   readOnly  …HostPtr      …DevicePtr       to read; an array that nobody has written throws
//   amphi::memory_error writeOnly …HostPtr      …DevicePtr       to write every element, or to go on writing
//   on the same side
//
// Elements travel as bytes and no constructors run; the first pointer to a fresh array shows undefined
// values. Copies own memory of their own. Several threads may read one array at the same time. Device
// pointers are for work on the default stream and streams that wait for it. amphi::array is the same with
// views, streams and events.
template <class T>
class Array {
  static_assert(std::is_trivially_destructible_v<T>,
                "amphi: elements of a hemi::Array travel as bytes: they must not have destructors");

 public:
  // usePinned: host memory that copies fast to a GPU.
  template <amphi::integer N>
  Array(N n, bool usePinned = true)
      : bytes_(n, usePinned ? amphi::memory_space::pinned : amphi::memory_space::pageable) {}
  // Uses the memory of somebody else, whose elements count as written, and never frees it. It is up to date
  // after readOnlyHostPtr() or hostPtr().
  template <amphi::integer N>
  Array(T* hostMem, N n)
      : bytes_(amphi::array<element>::adopt(reinterpret_cast<element*>(hostMem), n)), written_(true) {}

  Array(const Array& other)
      : bytes_(other.written_ ? other.bytes_.clone() : amphi::array<element>(other.size())),
        written_(other.written_) {}
  Array& operator=(const Array& other) {
    if (this != &other) *this = Array(other);
    return *this;
  }
  Array(Array&& other) noexcept
      : bytes_(std::move(other.bytes_)), written_(std::exchange(other.written_, false)) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      bytes_ = std::move(other.bytes_);
      written_ = std::exchange(other.written_, false);
    }
    return *this;
  }

  std::size_t size() const { return bytes_.size(); }

  // Makes the array equal to the n elements there, and of that size.
  void copyFromHost(const T* other, std::size_t n) {
    bytes_.copy_from(reinterpret_cast<const element*>(other), n);
    written_ = true;
  }
  void copyFromDevice(const T* other, std::size_t n) {
    bytes_.resize(n);
    amphi::copy_bytes(writeOnlyDevicePtr(), other, n * sizeof(T));
  }
  // Copies the first n elements out; n <= size().
  void copyToHost(T* other, std::size_t n) const {
    require_size(n);
    const void* from = readOnlyHostPtr();
    if (n != 0) std::memcpy(static_cast<void*>(other), from, n * sizeof(T));
  }
  void copyToDevice(T* other, std::size_t n) const {
    require_size(n);
    amphi::copy_bytes(other, readOnlyDevicePtr(), n * sizeof(T));
  }

  T* ptr(Location loc = HEMI_ARRAY_DEFAULT_LOCATION) { return loc == host ? hostPtr() : devicePtr(); }
  T* hostPtr() {
    if (!written_) return writeOnlyHostPtr();
    return elements(bytes_.host_read_write());
  }
  T* devicePtr() {
    if (!written_) return writeOnlyDevicePtr();
    return elements(bytes_.read_write());
  }

  const T* readOnlyPtr(Location loc = HEMI_ARRAY_DEFAULT_LOCATION) const {
    return loc == host ? readOnlyHostPtr() : readOnlyDevicePtr();
  }
  const T* readOnlyHostPtr() const { return elements(bytes_.host_read()); }
  const T* readOnlyDevicePtr() const { return elements(bytes_.read()); }

  T* writeOnlyPtr(Location loc = HEMI_ARRAY_DEFAULT_LOCATION) {
    return loc == host ? writeOnlyHostPtr() : writeOnlyDevicePtr();
  }
  T* writeOnlyHostPtr() {
    written_ = true;
    return elements(bytes_.host_write());
  }
  T* writeOnlyDevicePtr() {
    written_ = true;
    return elements(bytes_.write());
  }

 private:
  // Stands for a T in amphi::array, which asks more of its elements.
  struct element {
    alignas(T) unsigned char bytes[sizeof(T)];
  };

  static T* elements(amphi::view<element> v) { return reinterpret_cast<T*>(v.data()); }
  static const T* elements(amphi::view<const element> v) { return reinterpret_cast<const T*>(v.data()); }

  void require_size(std::size_t n) const {
    if (n > size())
      throw amphi::bounds_error("a copy of " + std::to_string(n) + " elements out of a hemi::Array of " +
                                std::to_string(size()) + ": ask for no more than size()");
  }

  amphi::array<element> bytes_;
  bool written_ = false;
};

}  // namespace hemi
