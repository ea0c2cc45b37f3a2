// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/compat/hemi/detail/launcher.hpp"
#include "amphi/compat/hemi/device_api.h"
#include "amphi/compat/hemi/execution_policy.h"
#include "amphi/compat/hemi/hemi.h"
#include "amphi/compat/hemi/kernel.h"
#include "amphi/execution/launch_global.hpp"

// launch([policy,] function_object_or_lambda, args…)
// cudaLaunch([policy,] function, args…)
//
// An automatic launch spreads over the GPU, or over all workers of the CPU. Errors of a launch are thrown.

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace hemi {
inline namespace AMPHI_DETAIL_HEMI_UNIT {
namespace detail {

template <class T>
inline constexpr bool is_policy = std::is_convertible_v<const T&, const ExecutionPolicy&>;

// Do the arguments have the parameters' types exactly? Those calls have an overload of their own.
template <class... P>
struct types {
  template <class... A>
  static constexpr bool match = std::is_same_v<types<P...>, types<std::decay_t<A>...>>;
};

// A function known when running only: on the CPU.
template <class... P>
struct function_pointer {
  void (*function)(P...);
  void operator()(P... p) const { function(static_cast<P&&>(p)...); }
};

template <class... P>
struct named<function_pointer<P...>> {
  static constexpr const char* signature() { return "a HEMI_LAUNCHABLE function"; }
};

template <class... P>
void launch_function(const amphi::policy& p, void (*function)(P...), P... arguments) {
  static_assert(
      (!std::is_reference_v<P> && ...),
      "amphi: a launched function takes this parameter by reference, which a GPU cannot reach: take it by "
      "value");
#if defined(HEMI_CUDA_COMPILER)
  amphi::launch_global(p, function, static_cast<P&&>(arguments)...);
#else
  launcher<function_pointer<P...>, P...>::launch(p, -1, false, {function}, static_cast<P&&>(arguments)...);
#endif
}

}  // namespace detail

// Runs f(args…) in each thread of the launch.
template <class Function, class... Arguments>
void launch(const ExecutionPolicy& p, Function f, Arguments... args) {
#if defined(HEMI_CUDA_COMPILER)
  static_assert(
      !amphi::detail::is_function<Function>,
      "amphi: a pointer to a function of the host is of no use on a GPU: give hemi::launch a function object "
      "or lambda, or a HEMI_LAUNCHABLE function to hemi::cudaLaunch");
#endif
  detail::launcher<Function, Arguments...>::launch(p, -1, false, f, args...);
}

template <class Function, class... Arguments>
requires(!detail::is_policy<Function>) void launch(Function f, Arguments... args) {
  hemi::launch(ExecutionPolicy(), f, args...);
}

// Runs a HEMI_LAUNCHABLE function; its arguments convert as in a normal call. In CUDA units that is a
// __global__ function, which needs a GPU: without one this throws amphi::device_error. In C++ units an
// ordinary function.
template <class... P, class... Arguments>
requires(!detail::types<P...>::template match<Arguments...>) void cudaLaunch(const ExecutionPolicy& p,
                                                                             void (*function)(P...),
                                                                             Arguments&&... args) {
  detail::launch_function<P...>(p, function, static_cast<Arguments&&>(args)...);
}

template <class... P, class... Arguments>
requires(!detail::types<P...>::template match<Arguments...>) void cudaLaunch(void (*function)(P...),
                                                                             Arguments&&... args) {
  detail::launch_function<P...>(ExecutionPolicy(), function, static_cast<Arguments&&>(args)...);
}

// The same with arguments of the very types, which may choose an instance of a template.
template <class... P>
void cudaLaunch(const ExecutionPolicy& p, void (*function)(P...), P... args) {
  detail::launch_function<P...>(p, function, args...);
}

template <class... P>
void cudaLaunch(void (*function)(P...), P... args) {
  detail::launch_function<P...>(ExecutionPolicy(), function, args...);
}

}  // namespace AMPHI_DETAIL_HEMI_UNIT
}  // namespace hemi

AMPHI_DETAIL_CONVERSIONS_END
