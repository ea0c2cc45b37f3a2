// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "amphi/execution/detail/launcher.hpp"
#include "amphi/execution/grid_stride_box.hpp"
#include "amphi/execution/grid_stride_range.hpp"

// launch<function>(args…)            runs a launchable function on the backend in use
// launch<function>(policy, args…)    the same, as the policy says
// launch(body, args…)                runs a function object or lambda: body(args…) in each thread
// launch(policy, body, args…)
//
// A launch on a GPU returns at once; on the CPU, when the work is done. A policy that the backend can't do is
// a launch_error before anything has run. Exceptions of a body on the CPU reach the caller.

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace amphi {
namespace detail {

// What a launch is called by in messages.
template <auto Fn>
struct named_function {
  static constexpr bool device_only = false;
  static constexpr const char* signature() { return value_signature<Fn>(); }
};

template <class Body>
struct named_body {
  static constexpr bool device_only = device_only_lambda<Body>;
  static constexpr const char* signature() { return type_signature<Body>(); }
};

// The form of a body. nvcc gives a __device__-only lambda no host body, so none is called there.
struct body_form {
  static constexpr bool block_form = false;
  template <class Body, class... A>
  AMPHI_HOST_DEVICE static void call(Body body, A... arguments) {
#if !AMPHI_DEVICE_CODE
    if constexpr (device_only_lambda<Body>) {
      return;
    } else
#endif
    {
      body(arguments...);
    }
  }
};

// The form of a body whose first parameter is a block; `Block` is that type, which need not be complete here.
template <class Block>
struct block_body_form {
  static constexpr bool block_form = true;
  template <class Body, class... A>
  AMPHI_HOST_DEVICE static void call(Body body, A... arguments) {
    body(Block::of_phases(), arguments...);
  }
};

template <class Body, class Block, class... A>
concept takes_block = !device_only_lambda<Body> && !requires(Body body, A... arguments) {
  body(arguments...);
}
&&requires(Body body, Block (&block)(), A... arguments) { body(block(), arguments...); };

template <class Body, class... A>
using form_of_body = std::conditional_t<takes_block<Body, block, A...>, block_body_form<block>, body_form>;

template <class... T>
constexpr void check_unit() {
  static_assert(
      unit_can_launch<T...>,
      "amphi: this file launches, but it is compiled as C++ in a build with the CUDA backend: name it in "
      "amphi_target_sources_as_cuda(target file) in your CMakeLists.txt");
}

}  // namespace detail

template <auto Function, class... A>
requires detail::is_function<decltype(Function)>
void launch(const policy& p, A&&... arguments) {
  detail::check_unit<A...>();
  using named = detail::named_function<Function>;
  detail::function_form<Function>::template launchable<named>::launch(p, -1, static_cast<A&&>(arguments)...);
}

template <auto Function, class... A>
requires(detail::is_function<decltype(Function)> &&
         !detail::first_is_policy<A...>) void launch(A&&... arguments) {
  amphi::launch<Function>(policy{}, static_cast<A&&>(arguments)...);
}

template <class Body, class... A>
requires(!detail::is_policy<Body>) void launch(const policy& p, Body body, A... arguments) {
  static_assert(
      !detail::is_function<Body>,
      "amphi: a function is launched by its name, not through a pointer: write launch<function>(arguments…)");
  detail::check_unit<Body, A...>();
  detail::launchable<detail::form_of_body<Body, A...>, detail::named_body<Body>, Body, A...>::launch(
      p, -1, body, arguments...);
}

template <class Body, class... A>
requires(!detail::is_policy<Body>) void launch(Body body, A... arguments) {
  amphi::launch(policy{}, static_cast<Body&&>(body), static_cast<A&&>(arguments)...);
}

}  // namespace amphi

AMPHI_DETAIL_CONVERSIONS_END
