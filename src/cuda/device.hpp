// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/runtime/limits.hpp"
#include "common/device.hpp"

namespace amphi::detail {

// What the device itself says; -1 means the current one. Read once per device.
const device_limits& limits_of_device(int device);

}  // namespace amphi::detail
