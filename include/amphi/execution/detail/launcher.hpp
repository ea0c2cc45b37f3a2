// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "amphi/execution/detail/context.hpp"
#include "amphi/execution/detail/cuda_unit.hpp"
#if AMPHI_CUDA_UNIT
#  include <utility>
#endif

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace amphi {

class block;  // execution/block.hpp

namespace detail {

template <class Form, class Named, class... P>
struct launchable;

inline constexpr std::size_t max_argument_bytes = 32764;  // of a CUDA kernel since sm_70 and CUDA 12.1

template <class T>
inline constexpr bool is_policy = std::is_same_v<std::remove_cvref_t<T>, policy>;

template <class... T>
inline constexpr bool first_is_policy = false;
template <class T, class... Rest>
inline constexpr bool first_is_policy<T, Rest...> = is_policy<T>;

template <class T>
inline constexpr bool is_function = std::is_function_v<std::remove_pointer_t<std::decay_t<T>>>;

// Bytes that parameters of these types take, each aligned as in a struct.
template <class... P>
constexpr std::size_t argument_bytes() {
  std::size_t bytes = 0;
  ((bytes = (bytes + alignof(P) - 1) / alignof(P) * alignof(P) + sizeof(P)), ...);
  return bytes;
}

template <class... P>
constexpr std::uint64_t pointer_bits() {
  std::uint64_t bits = 0, bit = 1;
  ((bits |= std::is_pointer_v<P> ? bit : 0, bit <<= 1), ...);
  return bits;
}

// nvcc wraps a host-device lambda on the host side, and the wrapper is never trivially copyable; there the
// device pass judges the lambda itself.
#if AMPHI_CUDA_UNIT
template <class T>
inline constexpr bool wrapped_lambda = __nv_is_extended_device_lambda_closure_type(T) ||
                                       __nv_is_extended_host_device_lambda_closure_type(T);
template <class T>
inline constexpr bool device_only_lambda = __nv_is_extended_device_lambda_closure_type(T);
#else
template <class T>
inline constexpr bool wrapped_lambda = false;
template <class T>
inline constexpr bool device_only_lambda = false;
#endif

template <class T>
constexpr bool can_travel() {
#if !AMPHI_DEVICE_CODE
  if constexpr (wrapped_lambda<T>) return true;
#endif
  return std::is_trivially_copyable_v<T> && !std::is_polymorphic_v<T>;
}

template <class... P>
constexpr void check_parameters() {
  static_assert((!std::is_reference_v<P> && ...),
                "amphi: a launched function takes this parameter by reference, which a GPU cannot reach: "
                "take it by value");
  static_assert(
      (can_travel<P>() && ...),
      "amphi: an argument or capture of a launch is polymorphic or not trivially copyable, so it can't be "
      "copied to a GPU: pass a pointer, a view or a plain struct (of an array, capture its view)");
  static_assert(
      argument_bytes<P...>() <= max_argument_bytes,
      "amphi: the arguments and captures of a launch take more than 32764 bytes, the limit of a CUDA "
      "kernel: put the data into an amphi::array and pass its view");
}

// True where launches compile: everywhere but in units of a CUDA build that are compiled as C++.
template <class...>
inline constexpr bool unit_can_launch = !AMPHI_CUDA || AMPHI_CUDA_UNIT;

// The compiler's text for X; it ends in X's name.
template <auto X>
constexpr const char* value_signature() {
  return __PRETTY_FUNCTION__;
}
template <class X>
constexpr const char* type_signature() {
  return __PRETTY_FUNCTION__;
}

// A form says how the threads of a launch call what is launched: Form::call(parameters…). Forms are types,
// because nvcc takes no function template over a lambda's type as a template argument of a kernel.
//
// The form of a launchable function; the block form gets its block from here.
template <auto Fn, class Signature = decltype(Fn)>
struct function_form;

template <auto Fn, class R, class... P>
struct function_form<Fn, R (*)(P...)> {
  static constexpr bool block_form = false;
  AMPHI_HOST_DEVICE static void call(P... p) { Fn(static_cast<P&&>(p)...); }
  template <class Named>
  using launchable = detail::launchable<function_form, Named, P...>;
};

template <auto Fn, class R, class Block, class... P>
requires std::is_same_v<Block, block>
struct function_form<Fn, R (*)(Block, P...)> {
  static constexpr bool block_form = true;
  AMPHI_HOST_DEVICE static void call(P... p) { Fn(Block::of_phases(), static_cast<P&&>(p)...); }
  template <class Named>
  using launchable = detail::launchable<function_form, Named, P...>;
};

template <auto Fn, class R, class... P>
struct function_form<Fn, R (*)(P...) noexcept> : function_form<Fn, R (*)(P...)> {};

// A form may have a second function for the CPU: end(parameters…) is called once, when all blocks have run.
template <class Form, class... P>
concept has_end = requires(P&... p) {
  Form::end(p...);
};

// The body of a form with an end; called with an argument, it does that.
template <class Body>
void run_end(void* body) {
  (*static_cast<Body*>(body))(0);
}
template <bool HasEnd, class Body>
constexpr void (*end_of())(void*) {
  if constexpr (HasEnd) {
    return &run_end<Body>;
  } else {
    return nullptr;
  }
}

#if AMPHI_CUDA_UNIT
// A launch of the CPU for later: Form::call(copies of the arguments…).
template <class Form, class... P>
struct kept_launch {
  template <class... A>
  static auto body_of(A*... arguments) {
    if constexpr (has_end<Form, const P...>) {
      return [... p = *arguments](auto... end) {
        if constexpr (sizeof...(end) > 0) {
          Form::end(p...);
        } else {
          Form::call(p...);
        }
      };
    } else {
      return [... p = *arguments] { Form::call(p...); };
    }
  }
  template <std::size_t... Index>
  static kept_body keep(void** addresses, std::index_sequence<Index...>) {
    const auto made = body_of(static_cast<P*>(addresses[Index])...);
    using Body = decltype(made);
    return {new std::remove_const_t<Body>(made), runner<Form::block_form, Body>(),
            [](void* body) { delete static_cast<std::remove_const_t<Body>*>(body); },
            end_of<has_end<Form, const P...>, Body>()};
  }
  static kept_body call(void** addresses) { return keep(addresses, std::index_sequence_for<P...>()); }
};
#endif

// Launches Form::call(arguments…); without a host body on a GPU only.
template <class Form, bool HostBody, class... P>
void launch_bound(const policy& p, kernel& k, std::int64_t work, P&... arguments) {
  constexpr bool ends = HostBody && has_end<Form, P...>;
  launch_call call;
#if AMPHI_CUDA_UNIT
  // nvcc 13.0 crashes over a captured pack of lambdas, and its lambdas can't be copied as bytes.
  const auto body = [&](auto... end) {
    if constexpr (ends) {
      if constexpr (sizeof...(end) > 0) return Form::end(arguments...);
    }
    if constexpr (HostBody) Form::call(arguments...);
  };
  if constexpr (HostBody) call.keep = &kept_launch<Form, P...>::call;
#else
  // Arguments lie side by side in the body: a worker reads few cache lines, and a copy of its bytes is a
  // body.
  const auto body = [arguments...](auto... end) {
    if constexpr (ends) {
      if constexpr (sizeof...(end) > 0) return Form::end(arguments...);
    }
    Form::call(arguments...);
  };
  call.body_bytes = sizeof(body);
  call.body_alignment = alignof(decltype(body));
#endif
  if constexpr (HostBody) call.run = runner<Form::block_form, const decltype(body)>();
  call.end = end_of<ends, const decltype(body)>();
  void* addresses[sizeof...(P) + 1] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))...,
                                       nullptr};
  call.body = const_cast<void*>(static_cast<const void*>(&body));
  call.arguments = addresses;
  call.argument_count = static_cast<int>(sizeof...(P));
  call.work = work;
  detail::launch(p, k, call);
}

#if AMPHI_CUDA && AMPHI_CUDA_UNIT
// nvcc 13.0 warns (#1407) where the attribute is not needed: a function of an anonymous namespace is hidden.
#  pragma nv_diagnostic push
#  pragma nv_diag_suppress 1407

// A kernel in block form is compiled twice, and the host takes the one with `Line` where a block is a line of
// threads: the number of a thread is threadIdx.x there. To read y and z as well takes 6 % of the time of a
// small kernel, to ask on the GPU 2 %.
template <bool Line, class Form, class... P>
[[gnu::visibility("hidden")]] __global__ void run_on_device(P... p) {
  check_parameters<P...>();
  begin_kernel();
  if constexpr (Line) {
    __builtin_assume(threadIdx.y == 0);
    __builtin_assume(threadIdx.z == 0);
    __builtin_assume(blockDim.y == 1);
    __builtin_assume(blockDim.z == 1);
  }
  Form::call(p...);
}
#  pragma nv_diagnostic pop
#endif

// One launchable as the library sees it, and the launch of it. `Named` is what a user calls it by: a function
// or the type of a body. Hidden, because a kernel belongs to the program or shared library that it was
// compiled into.
template <class Form, class Named, class... P>
struct [[gnu::visibility("hidden")]] launchable {
  // Arguments are converted, and copied no more: a copy of nvcc's lambdas takes 0.1 µs.
  static void launch(const policy& p, std::int64_t work, const P&... arguments) {
    check_parameters<P...>();
    launch_bound<Form, !Named::device_only>(p, description, work, arguments...);
  }

  static inline constinit kernel description = {
    .signature = Named::signature(),
#if AMPHI_CUDA && AMPHI_CUDA_UNIT
    .address = reinterpret_cast<const void*>(&run_on_device<false, Form, P...>),
    .line_address = reinterpret_cast<const void*>(&run_on_device<Form::block_form, Form, P...>),
    .cuda = &unit_cuda_calls,
#endif
    .block_form = Form::block_form,
    .device_only = Named::device_only,
    .starts_early = true,
    .pointers = pointer_bits<P...>(),
  };
};

}  // namespace detail
}  // namespace amphi

AMPHI_DETAIL_CONVERSIONS_END
