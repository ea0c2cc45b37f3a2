// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/runtime/limits.hpp"

namespace amphi {

// Number of GPUs that this program can use; 0 when it runs on the CPU.
int device_count();

// The device that the calling host thread works on: device 0, what AMPHI_DEVICE says, or what set_device() or
// cudaSetDevice() chose in this thread. -1 when the program runs on the CPU.
int current_device();

// Makes a device the current one of the calling host thread. Throws device_error for a number outside
// [0, device_count()).
void set_device(int device);

// Waits for all work of the current device. Throws what failed in it: a cuda_error, or the first failed check
// of device code.
void synchronize();

// What there is to know about a device without measuring it.
struct device_properties {
  char name[256] = {};
  int device = -1;
  int multiprocessors = 0;  // of the CPU: threads that can run at once
  std::int64_t memory_bytes = 0;
  std::int64_t l2_bytes = 0;  // of the CPU: its last cache
  std::int64_t constant_bytes = 0;
  int clock_khz = 0;
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
  bool concurrent_managed_access = true;  // host and device may use managed memory at the same time
  device_limits limits;
};

// The properties of a device; of the current one without an argument. A program that runs on the CPU gets
// those of its host for device -1, with the limits that AMPHI_LIMITS chose. Throws device_error for a device
// that is not there.
device_properties properties_of(int device);
device_properties properties_of_current_device();

}  // namespace amphi
