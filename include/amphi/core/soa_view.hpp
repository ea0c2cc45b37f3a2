// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"
#include "amphi/core/detail/checked_index.hpp"
#include "amphi/core/detail/fields.hpp"
#include "amphi/core/view.hpp"

// A structure of arrays with the syntax of an array of structures. Say once what an element is made of:
//
//   template <template <class> class F>
//   struct particle_fields {
//     F<float> mass;
//     F<amphi::vec3<float>> position, velocity;
//   };
//   using particle = particle_fields<amphi::as_value>;
//
// particle is an ordinary struct of a float and two vec3, soa_view<particle> names elements that lie as one
// array per field, and a kernel reads the same with it and with view<particle>:
//
//   p[i].mass = 2;   p[i].position = p[i].position + dt * p[i].velocity;   particle q = p[i];   p[i] = q;

namespace amphi {

// What F means in an ordinary struct: F<float> is a float.
template <class T>
using as_value = T;

template <class T>
class soa_view;

namespace detail {

// The value of a struct of references, and the other way round.
template <class Value, class References>
AMPHI_HOST_DEVICE constexpr Value load_fields(const References& references) {
  return with_fields<fields<Value>::count>(references, [](const auto&... f) { return Value{f...}; });
}
template <class References, class Value>
AMPHI_HOST_DEVICE constexpr void store_fields(const References& references, const Value& value) {
  with_fields<fields<Value>::count>(value, [&](const auto&... from) {
    with_fields<fields<Value>::count>(references, [&](auto&... to) { ((to = from), ...); });
  });
}

}  // namespace detail

// Element i of a soa_view: a struct of the same members, each of which is a reference. Copying it copies no
// element: `auto r = p[i]` is another name of the element, `particle q = p[i]` a copy. Assigning to it
// assigns all fields. It decomposes: auto [mass, position, velocity] = p[i];
template <class T>
class soa_reference : public soa_view<T>::column_references {
  // No plain names here: they would hide, or be hidden by, those of fields.
 public:
  soa_reference(const soa_reference&) = default;

  AMPHI_HOST_DEVICE constexpr operator T() const {
    return detail::load_fields<T, typename soa_view<T>::column_references>(*this);
  }
  AMPHI_HOST_DEVICE constexpr const soa_reference& operator=(const T& amphi_value) const {
    detail::store_fields<typename soa_view<T>::column_references>(*this, amphi_value);
    return *this;
  }
  AMPHI_HOST_DEVICE constexpr const soa_reference& operator=(const soa_reference& amphi_other) const {
    return *this = static_cast<T>(amphi_other);
  }
  // Exchanges two elements: swap(p[i], p[j]);
  AMPHI_HOST_DEVICE friend constexpr void swap(soa_reference amphi_a, soa_reference amphi_b) {
    const T amphi_kept = amphi_a;
    amphi_a = amphi_b;
    amphi_b = amphi_kept;
  }

 private:
  friend class soa_view<T>;
  template <class... AmphiField>
  AMPHI_HOST_DEVICE constexpr explicit soa_reference(std::size_t, AmphiField&... amphi_fields)
      : soa_view<T>::column_references{amphi_fields...} {}
};

// The same for elements that are only read.
template <class T>
class soa_reference<const T> : public soa_view<const T>::column_references {
 public:
  AMPHI_HOST_DEVICE constexpr operator T() const {
    return detail::load_fields<T, typename soa_view<const T>::column_references>(*this);
  }

 private:
  friend class soa_view<const T>;
  template <class... AmphiField>
  AMPHI_HOST_DEVICE constexpr explicit soa_reference(std::size_t, AmphiField&... amphi_fields)
      : soa_view<const T>::column_references{amphi_fields...} {}
};

// Names elements that somebody else owns as one array per field; an array of pointers and a size. T is the
// struct of values, or const of it where elements are only read. Like view it must point to memory that can
// be reached from where it is used, and checks its index in checked builds. At most 16 fields, of trivially
// copyable types; a field of several numbers (vec3<float>) stays together.
template <class T>
class soa_view {
  static constexpr bool is_const = std::is_const_v<T>;
  template <class U>
  using element = std::conditional_t<is_const, const U, U>;
  template <class U>
  using column = view<element<U>>;

  using fields = detail::fields<std::remove_const_t<T>>;

  static_assert(std::is_same_v<std::remove_const_t<T>, typename fields::template with<as_value>>,
                "amphi: the elements of a structure of arrays are particle_fields<amphi::as_value>");
  static_assert(std::is_trivially_copyable_v<T>,
                "amphi: fields travel as bytes: their types must be trivially copyable");

 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using reference = soa_reference<T>;
  // The same struct, of references, of pointers, and of views.
  using column_references =
      std::conditional_t<is_const, typename fields::template with<detail::as_const_reference>,
                         typename fields::template with<detail::as_reference>>;
  using column_pointers =
      std::conditional_t<is_const, typename fields::template with<detail::as_const_pointer>,
                         typename fields::template with<detail::as_pointer>>;
  using column_views = typename fields::template with<column>;

  AMPHI_HOST_DEVICE constexpr soa_view()
      : columns_(detail::null_pointers<column_pointers>(std::make_index_sequence<fields::count>())) {}
  // Of arrays that lie anywhere: soa_view<particle>({mass, position, velocity}, n).
  template <integer N>
  AMPHI_HOST_DEVICE constexpr soa_view(const column_pointers& columns, N size)
      : columns_(columns), size_(static_cast<std::size_t>(size)) {}
  // From a view of the same elements that may be written.
  template <class U>
  requires(is_const&& std::is_same_v<const U, T>)
      AMPHI_HOST_DEVICE constexpr soa_view(const soa_view<U>& other)
      : columns_(detail::with_fields<fields::count>(other.pointers(),
                                                    [](auto*... c) { return column_pointers{c...}; })),
        size_(other.size()) {}

  AMPHI_HOST_DEVICE constexpr std::size_t size() const { return size_; }
  AMPHI_HOST_DEVICE constexpr bool empty() const { return size_ == 0; }

#if AMPHI_CHECKED
  AMPHI_HOST_DEVICE constexpr reference operator[](detail::checked_index i) const {
    const bool inside = detail::in_bounds("a soa_view", i, static_cast<std::int64_t>(size_));
    return detail::with_fields<fields::count>(columns_, [&](auto*... c) {
      return reference(
          0, (inside ? c[i.value] : detail::dummy_element<std::remove_pointer_t<decltype(c)>>())...);
    });
  }
#else
  template <integer Index>
  AMPHI_HOST_DEVICE constexpr reference operator[](Index i) const {
    return detail::with_fields<fields::count>(columns_,
                                              [i](auto*... c) { return reference(0, *(c + i)...); });
  }
#endif

  // One field of all elements, as a view: p.columns().mass, for algorithms.
  AMPHI_HOST_DEVICE constexpr column_views columns() const {
    const std::size_t n = size_;
    return detail::with_fields<fields::count>(columns_, [n](auto*... c) {
      return column_views{view<std::remove_pointer_t<decltype(c)>>(c, n)...};
    });
  }
  AMPHI_HOST_DEVICE constexpr const column_pointers& pointers() const { return columns_; }

  // `count` elements from `offset` on, the first, and the last ones.
  template <integer O, integer N>
  AMPHI_HOST_DEVICE constexpr soa_view subview(O offset, N count) const {
    // Views look at the bounds in checked builds.
    return detail::with_fields<fields::count>(columns_, [this, offset, count](auto* first, auto*... rest) {
      const auto part = view(first, size_).subview(offset, count);
      return soa_view(column_pointers{part.data(), view(rest, size_).subview(offset, count).data()...},
                      part.size());
    });
  }
  template <integer N>
  AMPHI_HOST_DEVICE constexpr soa_view first(N count) const {
    return subview(0, count);
  }
  template <integer N>
  AMPHI_HOST_DEVICE constexpr soa_view last(N count) const {
    return subview(static_cast<std::int64_t>(size_) - static_cast<std::int64_t>(count), count);
  }

 private:
  column_pointers columns_;
  std::size_t size_ = 0;
};

}  // namespace amphi
