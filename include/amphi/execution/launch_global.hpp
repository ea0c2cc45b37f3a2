// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/execution/launch.hpp"

// launch_global([policy,] kernel, args…) runs an existing __global__ function through amphi's checks, streams
// and observers, so that a program is ported one kernel at a time. It runs on a GPU only: elsewhere it throws
// device_error, with the reason and the cure.

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace amphi {
namespace detail {

#if AMPHI_CUDA && AMPHI_CUDA_UNIT
inline const char* global_name(const void* kernel) {
  const char* name = nullptr;
  return clear(cudaFuncGetName(&name, kernel)) == 0 ? name : "a __global__ function";
}
#endif

template <class... P>
void launch_global(const policy& p, [[maybe_unused]] void (*function)(P...), P... arguments) {
  check_unit<P...>();
  kernel description = {.signature = "a __global__ function", .pointers = pointer_bits<P...>()};
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
  // Each kernel has its own description, found by its address.
  description.address = reinterpret_cast<const void*>(function);
  description.cuda = &unit_cuda_calls;
  if (resolve(p.backend) == backend::cuda) description.signature = global_name(description.address);
#endif
  void* addresses[sizeof...(P) + 1] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))...,
                                       nullptr};
  launch_call call;
  call.arguments = addresses;
  call.argument_count = static_cast<int>(sizeof...(P));
  launch(p, global_kernel(description), call);
}

}  // namespace detail

template <class... P, class... A>
void launch_global(const policy& p, void (*kernel)(P...), A&&... arguments) {
  detail::launch_global<P...>(p, kernel, static_cast<A&&>(arguments)...);
}

template <class... P, class... A>
void launch_global(void (*kernel)(P...), A&&... arguments) {
  detail::launch_global<P...>(policy{}, kernel, static_cast<A&&>(arguments)...);
}

}  // namespace amphi

AMPHI_DETAIL_CONVERSIONS_END
