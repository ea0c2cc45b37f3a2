// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>

#include "amphi/config/macros.hpp"

// What soa_view and soa know about a struct of fields:
//   template <template <class> class F>
//   struct particle_fields { F<float> mass; F<vec3<float>> position; };
// F is given other meanings: particle_fields<as_pointer> is a struct of pointers with the same names.

namespace amphi::detail {

template <class T>
using as_pointer = T*;
template <class T>
using as_reference = T&;
template <class T>
using as_const_pointer = const T*;
template <class T>
using as_const_reference = const T&;
template <class T>
struct as_type {
  using type = T;
};
template <class>
struct as_three_bytes {
  char bytes[3];
};

template <class T>
struct fields {
  static_assert(sizeof(T) == 0,
                "amphi: a structure of arrays is made of a struct whose members are F<type>: "
                "template <template <class> class F> struct particle_fields { F<float> x, y; }; "
                "using particle = particle_fields<amphi::as_value>;");
};

template <template <template <class> class> class Fields, template <class> class As>
struct fields<Fields<As>> {
  template <template <class> class Other>
  using with = Fields<Other>;

  // An as_type has one byte, whatever the field is.
  static constexpr std::size_t count = sizeof(Fields<as_type>);
  static constexpr std::size_t most = 16;
  static_assert(sizeof(Fields<as_three_bytes>) == 3 * count,
                "amphi: each member of a struct of fields must be an F<type>");
  static_assert(count <= most,
                "amphi: a struct of fields has 16 members at most; put some that are used together into a "
                "struct of their own, and that into one field");
};

// A struct of N pointers, all null, whatever initialisers its members have.
template <class Pointers, std::size_t... Index>
AMPHI_HOST_DEVICE constexpr Pointers null_pointers(std::index_sequence<Index...>) {
  return Pointers{(static_cast<void>(Index), nullptr)...};
}

// f(first field, second field, …) of a struct of N fields. f may be a function of the host only, then this is
// one too: nvcc must not object to the call.
#if AMPHI_CUDA_UNIT
#  pragma nv_exec_check_disable
#endif
template <std::size_t N, class S, class F>
AMPHI_HOST_DEVICE constexpr decltype(auto) with_fields(S& s, F&& f) {
  if constexpr (N == 1) {
    auto& [a] = s;
    return f(a);
  } else if constexpr (N == 2) {
    auto& [a, b] = s;
    return f(a, b);
  } else if constexpr (N == 3) {
    auto& [a, b, c] = s;
    return f(a, b, c);
  } else if constexpr (N == 4) {
    auto& [a, b, c, d] = s;
    return f(a, b, c, d);
  } else if constexpr (N == 5) {
    auto& [a, b, c, d, e] = s;
    return f(a, b, c, d, e);
  } else if constexpr (N == 6) {
    auto& [a, b, c, d, e, g] = s;
    return f(a, b, c, d, e, g);
  } else if constexpr (N == 7) {
    auto& [a, b, c, d, e, g, h] = s;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (N == 8) {
    auto& [a, b, c, d, e, g, h, i] = s;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (N == 9) {
    auto& [a, b, c, d, e, g, h, i, j] = s;
    return f(a, b, c, d, e, g, h, i, j);
  } else if constexpr (N == 10) {
    auto& [a, b, c, d, e, g, h, i, j, k] = s;
    return f(a, b, c, d, e, g, h, i, j, k);
  } else if constexpr (N == 11) {
    auto& [a, b, c, d, e, g, h, i, j, k, l] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  } else if constexpr (N == 12) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  } else if constexpr (N == 13) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n);
  } else if constexpr (N == 14) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o);
  } else if constexpr (N == 15) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p);
  } else {
    static_assert(N == 16, "amphi: a struct of fields has 1 to 16 members");
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q);
  }
}

}  // namespace amphi::detail
