// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/detail/map_kernel.hpp"
#include "amphi/algorithm/detail/tasks.hpp"
#include "amphi/execution/parallel_for.hpp"

// gather([policy,] in, indices, out)    out[i] = in[indices[i]]
// scatter([policy,] in, indices, out)   out[indices[i]] = in[i]; no index may occur twice
//
// Indices are of any integral type. One outside the input (gather) or output (scatter) is found in checked
// builds only. No output may overlap an input. Does not wait for a GPU.

namespace amphi {
namespace detail {

template <class T>
struct gather_from {
  view<const T> in;
  template <class Index>
  AMPHI_HOST_DEVICE T operator()(const Index& i) const {
    return in[i];
  }
};

template <class T, class Index, class Out>
struct scatter_to {
  view<const T> in;
  view<const Index> indices;
  view<Out> out;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const { out[indices[i]] = static_cast<Out>(in[i]); }
};

template <contiguous In, contiguous Indices, class Out>
void check_apart(const char* name, In& in, Indices& indices, Out& out) {
  const auto i = view(in);
  const auto x = view(indices);
  const auto o = view(out);
  static_assert(integer<typename decltype(x)::value_type>,
                "amphi: the indices of gather and scatter are integers");
  const auto separate = [&](const auto& v) {
    const auto a = reinterpret_cast<std::uintptr_t>(v.begin()), b = reinterpret_cast<std::uintptr_t>(v.end());
    const auto c = reinterpret_cast<std::uintptr_t>(o.begin()), d = reinterpret_cast<std::uintptr_t>(o.end());
    if (a < d && c < b) throw_not_apart(name, v.data(), o.data());
  };
  separate(i), separate(x);
}

}  // namespace detail

template <detail::contiguous In, detail::contiguous Indices, detail::output Out>
void gather(const policy& p, In&& in, Indices&& indices, Out&& out) {
  constexpr const char* name = "amphi::gather";
  using T = typename decltype(view(in))::value_type;
  const std::int64_t n = detail::count_of(name, indices);
  detail::check_size(name, "the output", out, n);
  detail::check_apart(name, in, indices, out);
  detail::map_elements(name, p, detail::source_of(indices), view(out).data(), n,
                       detail::gather_from<T>{view<const T>(view(in))});
}

template <detail::contiguous In, detail::contiguous Indices, detail::output Out>
void scatter(const policy& p, In&& in, Indices&& indices, Out&& out) {
  constexpr const char* name = "amphi::scatter";
  using T = typename decltype(view(in))::value_type;
  using Index = typename decltype(view(indices))::value_type;
  using O = typename decltype(view(out))::value_type;
  const std::int64_t n = detail::count_of(name, in);
  detail::check_size(name, "the indices", indices, n);
  detail::check_apart(name, in, indices, out);
  parallel_for(p, std::int64_t{0}, n,
               detail::scatter_to<T, Index, O>{view<const T>(view(in)), view<const Index>(view(indices)),
                                               view<O>(view(out))});
}

template <detail::contiguous In, detail::contiguous Indices, detail::output Out>
void gather(In&& in, Indices&& indices, Out&& out) {
  amphi::gather(policy{}, in, indices, out);
}

template <detail::contiguous In, detail::contiguous Indices, detail::output Out>
void scatter(In&& in, Indices&& indices, Out&& out) {
  amphi::scatter(policy{}, in, indices, out);
}

}  // namespace amphi
