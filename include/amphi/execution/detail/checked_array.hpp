// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/core/detail/access_watch.hpp"
#include "amphi/core/detail/checked_index.hpp"

// What an array in shared memory is in checked builds: the same bytes, with an index that is looked at.

namespace amphi::detail {

template <class T, std::size_t N>
class checked_array;

template <class T>
struct checked_form {
  using type = T;
};
template <class T, std::size_t N>
struct checked_form<T[N]> {
  using type = checked_array<typename checked_form<T>::type, N>;
};
template <class T>
using checked = typename checked_form<T>::type;

template <class T>
inline constexpr bool is_checked_array = false;
template <class T, std::size_t N>
inline constexpr bool is_checked_array<checked_array<T, N>> = true;

template <class T, std::size_t N>
class checked_array {
 public:
  AMPHI_HOST_DEVICE T& operator[](checked_index i) {
    if (!in_bounds("a shared array", i, static_cast<std::int64_t>(N))) return dummy_element<T>();
#if AMPHI_CHECKED
    if constexpr (!is_checked_array<T>) watch_access(elements_[i.value], i);
#endif
    return elements_[i.value];
  }
  // As an array turns into a pointer.
  template <class P>
  requires(std::is_pointer_v<P>&& std::is_convertible_v<T*, P>) AMPHI_HOST_DEVICE operator P() {
    return elements_;
  }
  template <integer Index>
  friend AMPHI_HOST_DEVICE T* operator+(checked_array& a, Index i) {
    return a.elements_ + i;
  }
  AMPHI_HOST_DEVICE T& operator*() { return elements_[0]; }

  AMPHI_HOST_DEVICE T* data() { return elements_; }
  AMPHI_HOST_DEVICE static constexpr std::size_t size() { return N; }
  AMPHI_HOST_DEVICE T* begin() { return elements_; }
  AMPHI_HOST_DEVICE T* end() { return elements_ + N; }

 private:
  T elements_[N];
};

}  // namespace amphi::detail
