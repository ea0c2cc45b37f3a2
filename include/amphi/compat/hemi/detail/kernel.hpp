// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/compat/hemi/detail/mode.hpp"

namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {

// What every launch of a function object runs: f(args…), each thread with copies of its own. In CUDA units a
// __global__ function. Types with copy constructors may travel; those with destructors may not.
#if defined(HEMI_CUDA_COMPILER)
// nvcc 13.0 warns (#1407) where the attribute is not needed: a function of an anonymous namespace is hidden.
#  pragma nv_diagnostic push
#  pragma nv_diag_suppress 1407
template <class Function, class... Arguments>
[[gnu::visibility("hidden")]] __global__ void Kernel(Function f, Arguments... args) {
#  if defined(HEMI_DEV_CODE)
  static_assert(
      (std::is_trivially_destructible_v<Function> && ... && std::is_trivially_destructible_v<Arguments>),
      "amphi: an argument or capture of a launch has a destructor, so it can't be copied to a GPU: pass "
      "a pointer or a plain struct (of a hemi::Array, its pointer)");
  static_assert(!(std::is_polymorphic_v<Function> || ... || std::is_polymorphic_v<Arguments>),
                "amphi: an argument of a launch is polymorphic, and a GPU can't call functions of the host");
#  endif
  f(args...);
}
#  pragma nv_diagnostic pop
#else
template <class Function, class... Arguments>
void Kernel(Function f, Arguments... args) {
  f(args...);
}
#endif

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi
