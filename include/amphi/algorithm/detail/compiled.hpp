// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/algorithm/detail/input.hpp"
#include "amphi/core/function_objects.hpp"
#include "amphi/execution/launch.hpp"

// What algorithms do in a unit that can't launch, one of a CUDA build that is compiled as C++. Each of the
// functions run_map, run_reduce, run_reduce_value, run_scan and run_sort is declared everywhere and defined
// where kernels can be compiled. The library defines them too, for the types and operators below
// (src/cuda/compiled_*.cpp), so that calls of these link in any unit; others are told apart here.

namespace amphi::detail {

template <class... T>
struct type_list {
  template <class U>
  static constexpr bool holds = (std::is_same_v<T, U> || ...);
};

using compiled_types = type_list<float, double, std::int32_t, std::int64_t>;
using compiled_operators = type_list<plus<>, minimum<>, maximum<>, multiplies<>>;

template <class T>
inline constexpr bool is_compiled = compiled_types::holds<T>;

// Elements of type T, as they lie in memory.
template <class Source, class T>
inline constexpr bool reads_plainly = std::is_same_v<Source, zip<const T*>>;

// plus<float> does with floats what plus<> does, and need not be compiled beside it.
template <class T, class Op>
struct operator_as_compiled {
  using type = Op;
};
template <class T, template <class> class Op>
struct operator_as_compiled<T, Op<T>> {
  using type = std::conditional_t<is_compiled<T> && compiled_operators::holds<Op<void>>, Op<void>, Op<T>>;
};
template <class T, class Op>
typename operator_as_compiled<T, Op>::type as_compiled(const Op& op) {
  if constexpr (std::is_same_v<typename operator_as_compiled<T, Op>::type, Op>) {
    return op;
  } else {
    return {};
  }
}

template <class T, class Source, class Op, class F>
inline constexpr bool is_compiled_reduction = is_compiled<T>&& reads_plainly<Source, T>&&
    compiled_operators::holds<typename operator_as_compiled<T, Op>::type>&& std::is_same_v<F, identity>;

// T...: what a launch would be made of.
template <bool Compiled, class... T>
constexpr void check_unit_or_library() {
  static_assert(
      Compiled || unit_can_launch<T...>,
      "amphi: this file calls an algorithm, but it is compiled as C++ in a build with the CUDA backend: name "
      "it in amphi_target_sources_as_cuda(target file) in your CMakeLists.txt. (In any file work fill, copy, "
      "reduce, inclusive_scan, exclusive_scan and sort of float, double, int32_t and int64_t, with plus, "
      "minimum, maximum and multiplies, whose accumulator, input and output are of one type)");
}

}  // namespace amphi::detail
