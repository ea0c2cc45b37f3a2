// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include "amphi/core/integer.hpp"
#include "amphi/core/view.hpp"
#include "amphi/memory/detail/constant_copy.hpp"
#include "amphi/runtime/stream.hpp"

// AMPHI_CONSTANT(name, type…); declares a constant that host and device read by one name:
//   AMPHI_CONSTANT(weights, float[256]);
//   amphi::copy_to_constant(weights, amphi::view<const float>(w, 256));
//   … weights[i] …                      in launchables and in host code
// It stands at namespace scope, in a source file or a header, and starts as zeros. Each unit has its own
// copy; copies of one name (with its namespace) and type are one constant: copy_to_constant() writes all of
// them, on every device and on the host. In device code it lies in constant memory, of which a program has 64
// KiB a unit. To read and write it on the host at the same time is a race, as for any variable.
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
#  if AMPHI_DEVICE_CODE
#    define AMPHI_DETAIL_CONSTANT_REFERENCE(name, ...)                                               \
      [[maybe_unused]] static __device__ constexpr const ::std::type_identity_t<__VA_ARGS__>& name = \
          amphi_device_##name
#  else
#    define AMPHI_DETAIL_CONSTANT_REFERENCE(name, ...) \
      [[maybe_unused]] static constexpr const ::std::type_identity_t<__VA_ARGS__>& name = amphi_host_##name
#  endif
#  define AMPHI_DETAIL_CONSTANT_DEVICE(name, ...) \
    [[maybe_unused]] static __constant__ ::std::type_identity_t<__VA_ARGS__> amphi_device_##name
#  define AMPHI_DETAIL_CONSTANT_SYMBOL(name) &amphi_device_##name
#else
#  define AMPHI_DETAIL_CONSTANT_REFERENCE(name, ...) \
    [[maybe_unused]] static constexpr const ::std::type_identity_t<__VA_ARGS__>& name = amphi_host_##name
#  define AMPHI_DETAIL_CONSTANT_DEVICE(name, ...) static_assert(true)
#  define AMPHI_DETAIL_CONSTANT_SYMBOL(name) nullptr
#endif

// The struct carries the name, with its namespaces, to where the copies of all units meet.
#define AMPHI_CONSTANT(name, ...)                                                                           \
  static_assert(::amphi::detail::constant_type<__VA_ARGS__>,                                                \
                "amphi: a constant is a trivial type or an array of one (CUDA's rule): no constructor, no " \
                "member initialisers");                                                                     \
  struct amphi_name_of_##name {};                                                                           \
  AMPHI_DETAIL_CONSTANT_DEVICE(name, __VA_ARGS__);                                                          \
  [[maybe_unused]] static ::std::type_identity_t<__VA_ARGS__> amphi_host_##name;                            \
  AMPHI_DETAIL_CONSTANT_REFERENCE(name, __VA_ARGS__);                                                       \
  [[maybe_unused]] static const ::amphi::detail::constant_entry amphi_entry_of_##name(                      \
      #name, ::amphi::detail::type_text<amphi_name_of_##name>(), ::amphi::detail::type_text<__VA_ARGS__>(), \
      &amphi_host_##name, AMPHI_DETAIL_CONSTANT_SYMBOL(name), sizeof(::std::type_identity_t<__VA_ARGS__>))

namespace amphi {
namespace detail {

template <class T>
concept constant_type = std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>> &&
                        std::is_trivially_copyable_v<T> && !std::is_const_v<T> &&
                        !std::is_reference_v<T>;

template <class T>
const char* type_text() {
  return typeid(T).name();
}

// What a constant is made of: its innermost array elements.
template <class T>
using constant_element = std::remove_cv_t<std::remove_all_extents_t<T>>;

}  // namespace detail

// Writes elements from `offset` on into every copy of a constant; those of a GPU in the order of the stream
// on its device, of the default stream on others. The memory is the host's, and may be changed afterwards. An
// array of arrays is written as the elements of its innermost arrays. Throws bounds_error past the end, and
// memory_error for what AMPHI_CONSTANT has not declared.
template <class T, integer N = int>
void copy_to_constant(const T& constant, std::type_identity_t<view<const detail::constant_element<T>>> from,
                      N offset = 0, stream_view stream = {}) {
  using element = detail::constant_element<T>;
  detail::write_constant(&constant, sizeof(T), from.data(), from.size(), signed_value(offset),
                         sizeof(element), stream);
}

// The same for a constant that is one value, or all of an array.
template <class T>
void copy_to_constant(const T& constant, const std::type_identity_t<T>& value, stream_view stream = {}) {
  detail::write_constant(&constant, sizeof(T), &value, 1, 0, sizeof(T), stream);
}

// Reads elements from `offset` on, as the last copy_to_constant() left them.
template <class T, integer N = int>
void copy_from_constant(const T& constant, std::type_identity_t<view<detail::constant_element<T>>> to,
                        N offset = 0) {
  using element = detail::constant_element<T>;
  detail::read_constant(&constant, sizeof(T), to.data(), to.size(), signed_value(offset), sizeof(element));
}

}  // namespace amphi
