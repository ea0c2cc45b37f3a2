// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/extent.hpp"
#include "amphi/execution/launch.hpp"

// parallel_for<function>([policy,] first, last, args…)   function(i, args…) for each i of [first, last)
// parallel_for([policy,] first, last, body)              body(i)
// parallel_for<function>([policy,] space, args…)         function(x, y, args…) for each element of an extent2
// or parallel_for([policy,] space, body)                    box2; (x, y, z, …) of an extent3 or box3
//
// Each index is visited once; which thread visits it, and when, is open. Empty and reversed ranges launch
// nothing. Returns at once on a GPU, when the work is done on the CPU. The forms with a function are fast
// everywhere; a host-device lambda is slow on the CPU fallback of a CUDA build, where nvcc hides its body
// from the optimiser.

AMPHI_DETAIL_CONVERSIONS_BEGIN

namespace amphi {
namespace detail {

// Ranges of indices as one thing that says its size and visits the caller's part of it.
template <integer T>
struct index_space {
  T first, last;

  std::int64_t work() const {
    const std::uint64_t n = checked_bounds<T>(first, last).count();
    return n > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(n);
  }
  template <class F>
  AMPHI_HOST_DEVICE void visit(F&& f) const {
#if AMPHI_DEVICE_CODE
    // Unrolled by hand: a compiler that does it divides, to count the visits, before the first one. Items are
    // counted from 0, and no launch gets as far as 2^63 of them.
    using U = std::make_unsigned_t<T>;
    const share items = device_share(static_cast<U>(static_cast<U>(last) - static_cast<U>(first)));
    const auto visit_item = [&](std::uint64_t item) {
      f(static_cast<T>(static_cast<U>(static_cast<U>(first) + static_cast<U>(item))));
    };
    std::uint64_t item = items.offset;
#  pragma unroll 1
    for (; item + 3 * items.stride < items.end; item += 4 * items.stride)
      for (std::uint64_t k = 0; k < 4; ++k) visit_item(item + k * items.stride);
#  pragma unroll 1
    for (; item < items.end; item += items.stride) visit_item(item);
#else
    for (auto i : grid_stride_range(first, last)) f(i);
#endif
  }
};

template <class Space>
struct box_space {
  Space space;

  std::int64_t work() const { return counted(space); }
  template <class F>
  AMPHI_HOST_DEVICE void visit(F&& f) const {
    const auto range = grid_stride_range(space);
#if !AMPHI_DEVICE_CODE
    if (current_context.chunked) return range.visit_rows(f);
#endif
    for (const auto i : range) range.apply(f, i);
  }
};

template <class T>
concept space = std::is_same_v<T, extent2> || std::is_same_v<T, extent3> || std::is_same_v<T, box2> ||
    std::is_same_v<T, box3>;

template <integer A, integer B>
index_space<std::common_type_t<A, B>> make_space(A first, B last) {
  const checked_bounds<std::common_type_t<A, B>> bounds(first, last);
  return {bounds.first, bounds.last};
}

// The forms of loops: Function(index…, arguments…) and body(index…) over a space.
template <auto Function>
struct visit_function {
  static constexpr bool block_form = false;
  template <class Space, class... A>
  AMPHI_HOST_DEVICE static void call(Space space, A... arguments) {
    space.visit([&](auto... index) { Function(index..., arguments...); });
  }
};

struct visit_body {
  static constexpr bool block_form = false;
  template <class Space, class Body>
  AMPHI_HOST_DEVICE static void call(Space space, Body body) {
#if !AMPHI_DEVICE_CODE
    if constexpr (device_only_lambda<Body>) {
      return;
    } else
#endif
    {
      space.visit(body);
    }
  }
};

// The parameters of Function behind its indices, to which the arguments of parallel_for convert.
template <std::size_t Indices, class Signature>
struct trailing;
template <class R, class Index, class... P>
struct trailing<1, R (*)(Index, P...)> {
  template <auto Function, class Space>
  static void launch(const policy& p, const Space& space, P... arguments) {
    const std::int64_t work = space.work();
    if (work == 0) return;
    launchable<visit_function<Function>, named_function<Function>, Space, P...>::launch(p, work, space,
                                                                                        arguments...);
  }
};
template <class R, class X, class Y, class... P>
struct trailing<2, R (*)(X, Y, P...)> : trailing<1, R (*)(X, P...)> {};
template <class R, class X, class Y, class Z, class... P>
struct trailing<3, R (*)(X, Y, Z, P...)> : trailing<1, R (*)(X, P...)> {};
template <std::size_t Indices, class R, class... P>
struct trailing<Indices, R (*)(P...) noexcept> : trailing<Indices, R (*)(P...)> {};

template <class Space>
inline constexpr std::size_t rank = std::is_same_v<Space, extent2> || std::is_same_v<Space, box2> ? 2 : 3;

template <class Space, class Body>
void launch_body(const policy& p, const Space& space, const Body& body) {
  static_assert(
      !is_function<Body>,
      "amphi: a function is launched by its name, not through a pointer: write parallel_for<function>(…)");
  check_unit<Body>();
  const std::int64_t work = space.work();
  if (work == 0) return;
  launchable<visit_body, named_body<Body>, Space, Body>::launch(p, work, space, body);
}

}  // namespace detail

template <auto Function, integer A, integer B, class... P>
requires detail::is_function<decltype(Function)>
void parallel_for(const policy& p, A first, B last, P&&... arguments) {
  detail::check_unit<A, B>();
  detail::trailing<1, decltype(Function)>::template launch<Function>(p, detail::make_space(first, last),
                                                                     static_cast<P&&>(arguments)...);
}

template <auto Function, integer A, integer B, class... P>
requires detail::is_function<decltype(Function)>
void parallel_for(A first, B last, P&&... arguments) {
  amphi::parallel_for<Function>(policy{}, first, last, static_cast<P&&>(arguments)...);
}

template <auto Function, detail::space Space, class... P>
requires detail::is_function<decltype(Function)>
void parallel_for(const policy& p, Space space, P&&... arguments) {
  detail::check_unit<Space>();
  detail::trailing<detail::rank<Space>, decltype(Function)>::template launch<Function>(
      p, detail::box_space<Space>{space}, static_cast<P&&>(arguments)...);
}

template <auto Function, detail::space Space, class... P>
requires detail::is_function<decltype(Function)>
void parallel_for(Space space, P&&... arguments) {
  amphi::parallel_for<Function>(policy{}, space, static_cast<P&&>(arguments)...);
}

template <integer A, integer B, class Body>
void parallel_for(const policy& p, A first, B last, Body body) {
  detail::launch_body(p, detail::make_space(first, last), body);
}

template <integer A, integer B, class Body>
void parallel_for(A first, B last, Body body) {
  detail::launch_body(policy{}, detail::make_space(first, last), body);
}

template <detail::space Space, class Body>
void parallel_for(const policy& p, Space space, Body body) {
  detail::launch_body(p, detail::box_space<Space>{space}, body);
}

template <detail::space Space, class Body>
void parallel_for(Space space, Body body) {
  detail::launch_body(policy{}, detail::box_space<Space>{space}, body);
}

}  // namespace amphi

AMPHI_DETAIL_CONVERSIONS_END
