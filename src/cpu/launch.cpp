// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/core/error.hpp"
#include "common/cuda_launch.hpp"

namespace amphi::detail {

void cuda_launch(const policy&, kernel&, kernel_state& state, const launch_call&) {
  throw device_error("launch of " + state.name + " on a GPU: this build of amphi has no CUDA backend");
}

}  // namespace amphi::detail
