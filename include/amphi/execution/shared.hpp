// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/execution/detail/block_calls.hpp"
#include "amphi/execution/detail/checked_array.hpp"

// AMPHI_SHARED(name, type…); declares a variable that the threads of a block share:
//   AMPHI_SHARED(tile, float[32][33]);
//   AMPHI_SHARED(best, std::pair…);   a type may hold commas
// It stands in a function, also in a helper, a template or a lambda, before the use of `name`. Each
// declaration and each instantiation is one variable per block. The value at the start of a block is
// unspecified; checked builds fill it with NaN (0xFF bytes) on the CPU, and check the indices of arrays on
// both sides.
#if AMPHI_DEVICE_CODE
#  define AMPHI_SHARED(name, ...) __shared__ ::amphi::detail::shared_type<__VA_ARGS__> name
#else
#  define AMPHI_SHARED(name, ...)                                                                 \
    static ::amphi::detail::shared_slot amphi_slot_of_##name;                                     \
    [[maybe_unused]] ::amphi::detail::shared_type<__VA_ARGS__>& name =                            \
        *static_cast<::amphi::detail::shared_type<__VA_ARGS__>*>(::amphi::detail::shared_address( \
            amphi_slot_of_##name, sizeof(::amphi::detail::shared_type<__VA_ARGS__>),              \
            alignof(::amphi::detail::shared_type<__VA_ARGS__>), #name))
#endif

namespace amphi::detail {

template <class T>
struct shared_variable {
  static_assert(!std::is_reference_v<T> && !std::is_const_v<T>, "amphi: shared memory holds plain variables");
  static_assert(
      std::is_trivially_default_constructible_v<std::remove_all_extents_t<T>> &&
          std::is_trivially_destructible_v<std::remove_all_extents_t<T>>,
      "amphi: a type in shared memory must not construct or destroy anything (CUDA's rule): give it "
      "no member initialisers and no constructor, and let a thread assign it");
#if AMPHI_CHECKED
  using type = checked<T>;
#else
  using type = T;
#endif
};

template <class T>
using shared_type = typename shared_variable<T>::type;

}  // namespace amphi::detail
