// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/config/macros.hpp"
#include "amphi/core/concepts.hpp"
#include "amphi/execution/grid_stride_range.hpp"

namespace amphi {

// The integers first, first + 1, … below last, as input of an algorithm:
//   amphi::reduce(amphi::index_range(0, n), 0.0, amphi::plus{}, f)   adds f(0), f(1), …
// Any two integral types, as in grid_stride_range. A reversed range is empty.
template <integer T>
class index_range {
 public:
  using value_type = T;

  template <integer A, integer B>
  index_range(A first, B last) {
    const detail::checked_bounds<T> bounds(first, last);
    first_ = bounds.first;
    size_ = bounds.count();
  }

  T first() const { return first_; }
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  T first_;
  std::uint64_t size_;
};

template <integer A, integer B>
index_range(A, B) -> index_range<std::common_type_t<A, B>>;

}  // namespace amphi
