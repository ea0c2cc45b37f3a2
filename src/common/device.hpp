// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace amphi::detail {

// The current device of the calling thread; -1 in a build without CUDA. The first call in a thread makes it
// what AMPHI_DEVICE says, unless the thread has chosen another one before.
int active_device();

// Makes a device the current one while it lives; -1 means the one that is current already.
class device_guard {
 public:
  explicit device_guard(int device);
  ~device_guard();
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

  int device() const { return device_; }

 private:
  int device_;
  int restore_ = -1;
};

}  // namespace amphi::detail
