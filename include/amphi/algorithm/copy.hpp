// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/algorithm/transform.hpp"
#include "amphi/core/function_objects.hpp"

// copy([policy,] in, out)   out[i] = in[i], converted; the output has as many elements as the input, or more.
// Does not wait for a GPU. Both must lie where the launch reaches them: to move data between host and device,
// use amphi::array or copy_bytes.

namespace amphi {

template <detail::input In, detail::output Out>
void copy(const policy& p, In&& in, Out&& out) {
  detail::transform_inputs("amphi::copy", p, out, identity(), in);
}

template <detail::input In, detail::output Out>
void copy(In&& in, Out&& out) {
  amphi::copy(policy{}, in, out);
}

}  // namespace amphi
