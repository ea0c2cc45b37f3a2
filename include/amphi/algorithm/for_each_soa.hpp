// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/algorithm/for_each.hpp"
#include "amphi/core/soa_view.hpp"

// for_each([policy,] soa_view, f)   f(p[i]) for each element: f takes a soa_reference, whose fields it may
// change, or a const particle&. In no particular order. Does not wait for a GPU.
//
// f(p[i]) touches element i only, and no columns overlap: told so, compilers for the CPU use vectors where
// they have to give up in a loop of your own, since they would have to compare each column that is written
// with all others first.

namespace amphi {
namespace detail {

// The elements of a soa_view as a space of parallel_for.
template <class T>
struct soa_space {
  soa_view<T> elements;

  std::int64_t work() const { return static_cast<std::int64_t>(elements.size()); }
  template <class F>
  AMPHI_HOST_DEVICE void visit(F&& f) const {
    const auto n = static_cast<std::int64_t>(elements.size());
#if !AMPHI_DEVICE_CODE
    if (current_context.chunked) {
      const share s = grid_share(static_cast<std::uint64_t>(n));
      const auto end = static_cast<std::int64_t>(s.end);
      AMPHI_DETAIL_INDEPENDENT
      for (auto i = static_cast<std::int64_t>(s.offset); i < end; ++i) f(elements[i]);
      return;
    }
#endif
    for (const auto i : grid_stride_range(0, n)) f(elements[i]);
  }
};

}  // namespace detail

template <class T, class F>
void for_each(const policy& p, soa_view<T> range, F f) {
  detail::launch_body(p, detail::soa_space<T>{range}, f);
}

template <class T, class F>
void for_each(soa_view<T> range, F f) {
  amphi::for_each(policy{}, range, f);
}

}  // namespace amphi
