// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/histogram_kernel.hpp"
#include "amphi/algorithm/scatter_add.hpp"

// histogram([policy,] in, counts[, f])
//   counts[b] = how many elements have the bin f(element) = b; without f the elements are bins
// histogram([policy,] bins, weights, sums)
//   sums[b] = the sum of the weights whose bin is b
//
// There are as many bins as counts or sums, all of which are written. Counts are exact, of 32 or 64 bits.
// Sums are reproducible: those of reduce() over a bin's weights in their order, with the init T(); the
// accumulator is of the type of `sums`. A bin out of range is a bounds_error, on a GPU at the next
// synchronisation. Does not wait for a GPU.

namespace amphi {

template <detail::input In, detail::output Counts, class F>
requires(!detail::contiguous<F>) void histogram(const policy& p, In&& in, Counts&& counts, F f) {
  const std::int64_t n = detail::count_of(detail::histogram_name::name, in);
  const std::int64_t bins = detail::count_of(detail::histogram_name::name, counts);
  auto* const to = view(counts).data();
  if constexpr (!detail::is_index_range<std::remove_cvref_t<In>>)
    detail::check_apart(detail::histogram_name::name, view(in).data(), n, to, bins);
  detail::count_bins(p, detail::elements_of(in), n, to, bins, f);
}

template <detail::input In, detail::output Counts>
void histogram(const policy& p, In&& in, Counts&& counts) {
  amphi::histogram(p, in, counts, identity());
}

template <detail::input Bins, detail::input Weights, detail::output Sums>
void histogram(const policy& p, Bins&& bins, Weights&& weights, Sums&& sums) {
  using A = typename decltype(view(sums))::value_type;
  detail::sum_into_bins<detail::histogram_name>(p, bins, weights, sums, A(), false, plus<>());
}

template <detail::input In, detail::output Counts, class F>
requires(!detail::contiguous<F>) void histogram(In&& in, Counts&& counts, F f) {
  amphi::histogram(policy{}, in, counts, f);
}

template <detail::input In, detail::output Counts>
void histogram(In&& in, Counts&& counts) {
  amphi::histogram(policy{}, in, counts, identity());
}

template <detail::input Bins, detail::input Weights, detail::output Sums>
void histogram(Bins&& bins, Weights&& weights, Sums&& sums) {
  amphi::histogram(policy{}, bins, weights, sums);
}

}  // namespace amphi
