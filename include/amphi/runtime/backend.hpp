// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/abi.hpp"

namespace amphi {

// Where work runs. `automatic` means: a usable GPU if this build has the CUDA backend, else the CPU.
enum class backend { automatic, cuda, cpu };

// The backend that an automatic launch of this process uses: `cuda` or `cpu`. Decided at the first call
// from the build, the GPUs found and AMPHI_BACKEND. A build with the CUDA backend that finds no usable GPU
// says so once on standard error, and uses the CPU. Throws device_error when AMPHI_BACKEND=cuda can't be met.
backend backend_in_use();

// `requested` resolved: `automatic` becomes backend_in_use(). Throws device_error, with the reason, when
// `cuda` is asked for and can't be had. AMPHI_BACKEND=cpu turns every request into `cpu`.
backend resolve(backend requested);

// "automatic", "cuda" or "cpu".
const char* name(backend b);

}  // namespace amphi
