// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/algorithm/detail/device_radix_sort.hpp"

#include "common/cuda_launch.hpp"
#include "common/device.hpp"
#include "cuda/check.hpp"
#include "cuda/device.hpp"

namespace amphi::detail {

std::size_t radix_sort_bytes(radix_call& call, const radix_request& r) {
  const device_guard on(device_of(r.stream));
  std::size_t bytes = 0;
  bool in_others = false;
  check(static_cast<cudaError_t>(call(r, nullptr, bytes, in_others)), "sorting");
  return bytes;
}

bool radix_sort_on_device(radix_call& call, const radix_request& r, void* temporary, std::size_t bytes) {
  bool in_others = false;
  auto sort = [&] { check(static_cast<cudaError_t>(call(r, temporary, bytes, in_others)), "sorting"); };
  launch_library(
      "amphi::sort (cub::DeviceRadixSort)", r.stream, [](void* f) { (*static_cast<decltype(sort)*>(f))(); },
      &sort);
  return in_others;
}

}  // namespace amphi::detail
