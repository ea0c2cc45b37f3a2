// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/transpose_kernel.hpp"

// transpose([policy,] in, out)   out(y, x) = in(x, y)
//
// Both are of type view2, with any pitch that keeps their rows apart; elements are trivially copyable. The
// extent of `out` is that of `in` with x and y exchanged. A square matrix may be transposed in place, in ==
// out; any other overlap of elements is a bounds_error, while two halves of one picture, row beside row, are
// fine. Does not wait for a GPU.

namespace amphi {

template <class T, class Out>
void transpose(const policy& p, view2<T> in, view2<Out> out) {
  using E = std::remove_const_t<T>;
  static_assert(std::is_same_v<E, Out>,
                "amphi: transpose moves elements to a view2 of the same type, not const");
  static_assert(std::is_trivially_copyable_v<E>,
                "amphi: transpose moves elements between host and device: they must be trivially copyable");
  const bool in_place = detail::check_transpose({in.data(), in.extent(), in.pitch()},
                                                {out.data(), out.extent(), out.pitch()}, sizeof(E));
  if (in.extent().empty()) return;
  detail::transpose_matrix<E>(
      p, {in.data(), out.data(), in.pitch(), out.pitch(), in.extent().x, in.extent().y}, in_place);
}

template <class T, class Out>
void transpose(view2<T> in, view2<Out> out) {
  amphi::transpose(policy{}, in, out);
}

}  // namespace amphi
