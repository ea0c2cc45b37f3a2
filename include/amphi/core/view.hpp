// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"
#include "amphi/core/detail/access_watch.hpp"
#include "amphi/core/detail/checked_index.hpp"
#include "amphi/core/extent.hpp"

namespace amphi {
namespace detail {

// May a pointer to From stand where one to To is meant? Adds const, never changes the element type.
template <class From, class To>
concept same_elements = std::is_convertible_v<From (*)[], To (*)[]>;

// Containers with contiguous elements and a life of their own: vector, array, string, span's like.
template <class C, class T>
concept contiguous_of = requires(C& c) {
  { *c.data() } -> std::convertible_to<const T&>;
  requires same_elements<std::remove_pointer_t<decltype(c.data())>, T>;
  static_cast<std::size_t>(c.size());
};

}  // namespace detail

// A pointer and a size: names elements that somebody else owns, on host or device. Like std::span, but it is
// indexed by any integral type, converts to a pointer (so that it can be passed to a function that takes
// one), checks its index in checked builds, and works in device code of every compiler. It must point to
// memory that can be reached from where it is used. Constness is shallow: view<const T> protects elements.
template <class T>
class view {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr view() = default;
  template <integer N>
  AMPHI_HOST_DEVICE constexpr view(T* data, N size) : data_(data), size_(static_cast<std::size_t>(size)) {}

  // From a view or span of the same elements, or an array of C.
  template <detail::same_elements<T> U>
  AMPHI_HOST_DEVICE constexpr view(const view<U>& other) : data_(other.data()), size_(other.size()) {}
  template <detail::same_elements<T> U, std::size_t Extent>
  AMPHI_HOST_DEVICE constexpr view(std::span<U, Extent> s) : data_(s.data()), size_(s.size()) {}
  template <std::size_t N>
  AMPHI_HOST_DEVICE constexpr view(T (&elements)[N]) : data_(elements), size_(N) {}
  // From a container that is kept elsewhere; a temporary does not bind.
  template <detail::contiguous_of<T> C>
  constexpr view(C& container) : data_(container.data()), size_(container.size()) {}

  // To a pointer. A span takes a view by itself, as it takes any contiguous range.
  template <class P>
  requires(std::is_pointer_v<P>&& std::is_convertible_v<T*, P>) AMPHI_HOST_DEVICE constexpr operator P()
      const {
    return data_;
  }

  AMPHI_HOST_DEVICE constexpr T* data() const { return data_; }
  AMPHI_HOST_DEVICE constexpr std::size_t size() const { return size_; }
  AMPHI_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }
  AMPHI_HOST_DEVICE constexpr T* begin() const { return data_; }
  AMPHI_HOST_DEVICE constexpr T* end() const { return data_ + size_; }

#if AMPHI_CHECKED
  AMPHI_HOST_DEVICE constexpr T& operator[](detail::checked_index i) const {
    if (!detail::in_bounds("a view", i, static_cast<std::int64_t>(size_))) return detail::dummy_element<T>();
    detail::watch_access(data_[i.value], i);
    return data_[i.value];
  }
#else
  template <integer Index>
  AMPHI_HOST_DEVICE constexpr T& operator[](Index i) const {
    return *(data_ + i);  // also a char, which must not be a subscript
  }
#endif

  // `count` elements from `offset` on, the first, and the last ones.
  template <integer O, integer N>
  AMPHI_HOST_DEVICE constexpr view subview(O offset, N count) const {
#if AMPHI_CHECKED
    const auto all = static_cast<std::int64_t>(size_);
    const detail::checked_index o(offset), n(count);
    if (!detail::in_bounds("a subview's begin", o, all + 1) ||
        !detail::in_bounds("a subview's size", n, all - o.value + 1))
      return {};
#endif
    return {data_ + offset, count};
  }
  template <integer N>
  AMPHI_HOST_DEVICE constexpr view first(N count) const {
    return subview(0, count);
  }
  template <integer N>
  AMPHI_HOST_DEVICE constexpr view last(N count) const {
    return subview(static_cast<std::int64_t>(size_) - static_cast<std::int64_t>(count), count);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T, integer N>
view(T*, N) -> view<T>;
template <class T, std::size_t N>
view(T (&)[N]) -> view<T>;
template <class T, std::size_t Extent>
view(std::span<T, Extent>) -> view<T>;
template <class C>
view(C&) -> view<std::remove_pointer_t<decltype(std::declval<C&>().data())>>;

// A picture-like arrangement: x is contiguous, rows are `pitch` elements apart.
template <class T>
class view2 {
 public:
  using element_type = T;

  constexpr view2() = default;
  AMPHI_HOST_DEVICE constexpr view2(T* data, extent2 extent) : view2(data, extent, extent.x) {}
  template <integer P>
  AMPHI_HOST_DEVICE constexpr view2(T* data, extent2 extent, P pitch)
      : data_(data), extent_(extent), pitch_(static_cast<std::int64_t>(pitch)) {}
  template <detail::same_elements<T> U>
  AMPHI_HOST_DEVICE constexpr view2(const view2<U>& v) : view2(v.data(), v.extent(), v.pitch()) {}

  AMPHI_HOST_DEVICE constexpr T* data() const { return data_; }
  AMPHI_HOST_DEVICE constexpr extent2 extent() const { return extent_; }
  AMPHI_HOST_DEVICE constexpr std::int64_t pitch() const { return pitch_; }
  AMPHI_HOST_DEVICE constexpr std::size_t size() const { return static_cast<std::size_t>(extent_.size()); }

#if AMPHI_CHECKED
  AMPHI_HOST_DEVICE constexpr T& operator()(detail::checked_index x, detail::checked_index y) const {
    return detail::in_bounds("x of a view2", x, extent_.x) && detail::in_bounds("y of a view2", y, extent_.y)
               ? data_[y.value * pitch_ + x.value]
               : detail::dummy_element<T>();
  }
#else
  template <integer X, integer Y>
  AMPHI_HOST_DEVICE constexpr T& operator()(X x, Y y) const {
    return data_[static_cast<std::int64_t>(y) * pitch_ + static_cast<std::int64_t>(x)];
  }
#endif
  AMPHI_HOST_DEVICE constexpr T& operator[](index2 i) const { return (*this)(i.x, i.y); }

  template <integer Y>
  AMPHI_HOST_DEVICE constexpr view<T> row(Y y) const {
#if AMPHI_CHECKED
    if (!detail::in_bounds("the rows of a view2", y, extent_.y)) return {};
#endif
    return {data_ + static_cast<std::int64_t>(y) * pitch_, extent_.x};
  }
  // The elements of a box, which must lie inside.
  AMPHI_HOST_DEVICE constexpr view2 subview(box2 b) const {
#if AMPHI_CHECKED
    if (b.extent().empty()) return {};
    if (!detail::in_bounds("x of a view2", b.first.x, extent_.x) ||
        !detail::in_bounds("x of a view2", b.last.x - 1, extent_.x) ||
        !detail::in_bounds("y of a view2", b.first.y, extent_.y) ||
        !detail::in_bounds("y of a view2", b.last.y - 1, extent_.y))
      return {};
#endif
    return {data_ + (b.first.y * pitch_ + b.first.x), b.extent(), pitch_};
  }

 private:
  T* data_ = nullptr;
  extent2 extent_;
  std::int64_t pitch_ = 0;
};

// A stack of planes: x is contiguous, rows are `pitch` elements apart, planes `plane_pitch`.
template <class T>
class view3 {
 public:
  using element_type = T;

  constexpr view3() = default;
  AMPHI_HOST_DEVICE constexpr view3(T* data, extent3 extent) : view3(data, extent, extent.x) {}
  template <integer P>
  AMPHI_HOST_DEVICE constexpr view3(T* data, extent3 extent, P pitch)
      : view3(data, extent, pitch, static_cast<std::int64_t>(pitch) * extent.y) {}
  template <integer P, integer Q>
  AMPHI_HOST_DEVICE constexpr view3(T* data, extent3 extent, P pitch, Q plane_pitch)
      : data_(data),
        extent_(extent),
        pitch_(static_cast<std::int64_t>(pitch)),
        plane_pitch_(static_cast<std::int64_t>(plane_pitch)) {}
  template <detail::same_elements<T> U>
  AMPHI_HOST_DEVICE constexpr view3(const view3<U>& v)
      : view3(v.data(), v.extent(), v.pitch(), v.plane_pitch()) {}

  AMPHI_HOST_DEVICE constexpr T* data() const { return data_; }
  AMPHI_HOST_DEVICE constexpr extent3 extent() const { return extent_; }
  AMPHI_HOST_DEVICE constexpr std::int64_t pitch() const { return pitch_; }
  AMPHI_HOST_DEVICE constexpr std::int64_t plane_pitch() const { return plane_pitch_; }
  AMPHI_HOST_DEVICE constexpr std::size_t size() const { return static_cast<std::size_t>(extent_.size()); }

#if AMPHI_CHECKED
  AMPHI_HOST_DEVICE constexpr T& operator()(detail::checked_index x, detail::checked_index y,
                                            detail::checked_index z) const {
    return detail::in_bounds("x of a view3", x, extent_.x) &&
                   detail::in_bounds("y of a view3", y, extent_.y) &&
                   detail::in_bounds("z of a view3", z, extent_.z)
               ? data_[z.value * plane_pitch_ + y.value * pitch_ + x.value]
               : detail::dummy_element<T>();
  }
#else
  template <integer X, integer Y, integer Z>
  AMPHI_HOST_DEVICE constexpr T& operator()(X x, Y y, Z z) const {
    return data_[static_cast<std::int64_t>(z) * plane_pitch_ + static_cast<std::int64_t>(y) * pitch_ +
                 static_cast<std::int64_t>(x)];
  }
#endif
  AMPHI_HOST_DEVICE constexpr T& operator[](index3 i) const { return (*this)(i.x, i.y, i.z); }

  template <integer Z>
  AMPHI_HOST_DEVICE constexpr view2<T> plane(Z z) const {
#if AMPHI_CHECKED
    if (!detail::in_bounds("the planes of a view3", z, extent_.z)) return {};
#endif
    return {data_ + static_cast<std::int64_t>(z) * plane_pitch_, extent2(extent_.x, extent_.y), pitch_};
  }
  template <integer Y, integer Z>
  AMPHI_HOST_DEVICE constexpr view<T> row(Y y, Z z) const {
    return plane(z).row(y);
  }
  // The elements of a box, which must lie inside.
  AMPHI_HOST_DEVICE constexpr view3 subview(box3 b) const {
#if AMPHI_CHECKED
    if (b.extent().empty()) return {};
    if (!detail::in_bounds("x of a view3", b.first.x, extent_.x) ||
        !detail::in_bounds("x of a view3", b.last.x - 1, extent_.x) ||
        !detail::in_bounds("y of a view3", b.first.y, extent_.y) ||
        !detail::in_bounds("y of a view3", b.last.y - 1, extent_.y) ||
        !detail::in_bounds("z of a view3", b.first.z, extent_.z) ||
        !detail::in_bounds("z of a view3", b.last.z - 1, extent_.z))
      return {};
#endif
    return {data_ + (b.first.z * plane_pitch_ + b.first.y * pitch_ + b.first.x), b.extent(), pitch_,
            plane_pitch_};
  }

 private:
  T* data_ = nullptr;
  extent3 extent_;
  std::int64_t pitch_ = 0, plane_pitch_ = 0;
};

}  // namespace amphi

template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<amphi::view<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<amphi::view<T>> = true;
