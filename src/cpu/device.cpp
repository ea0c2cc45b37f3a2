// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/runtime/device.hpp"

#include <string>

#include "amphi/core/error.hpp"
#include "common/backend.hpp"
#include "common/device.hpp"
#include "common/failure.hpp"
#include "common/host.hpp"
#include "common/recording.hpp"

namespace amphi {

const char* detail::cuda_unavailable_reason() {
  return "amphi was built without the CUDA backend (configure it with -DBACKEND=cuda)";
}

detail::failure_channel detail::device_failure_channel(int) { return {}; }
std::span<detail::failure_record> detail::device_failure_records() noexcept { return {}; }

int detail::active_device() { return -1; }
detail::device_guard::device_guard(int device) : device_(device) {}
detail::device_guard::~device_guard() { (void)restore_; }

int device_count() { return 0; }
int current_device() { return -1; }

void set_device(int device) {
  throw device_error("set_device(" + std::to_string(device) +
                     "): this process runs on the CPU: " + detail::cuda_unavailable_reason());
}

void synchronize() { detail::refuse_wait_in_capture(); }

device_properties properties_of_current_device() { return detail::host_properties(); }

device_properties properties_of(int device) {
  if (device == -1) return detail::host_properties();
  throw device_error("properties were asked for device " + std::to_string(device) +
                     ", but this process runs on the CPU: " + detail::cuda_unavailable_reason());
}

}  // namespace amphi
