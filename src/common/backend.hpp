// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace amphi::detail {

// Why this process can't use a GPU: no CUDA backend in this build, no driver, no device, no code for the
// device. Null when it can. Asked once for the process; does not look at AMPHI_BACKEND.
const char* cuda_unavailable_reason();

}  // namespace amphi::detail
