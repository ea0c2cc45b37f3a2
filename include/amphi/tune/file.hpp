// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "amphi/tune/report.hpp"

// A tuning file keeps the winners of tune(), a line for each device and kernel, for programs that run later.

namespace amphi {

// One winner. Of the policy, only numbers are kept: grid, block, shared bytes, max_block, workers.
struct tuned_entry {
  tune_device device;
  std::string kernel;
  tune_candidate candidate;
  double milliseconds = 0;
};

class tuning_file {
 public:
  // Reads the file; one that is not there has no entries. Lines that can't be read are damage, and the others
  // count. Throws memory_error for a file that is there and can't be read.
  explicit tuning_file(std::string path);

  const std::string& path() const { return path_; }
  const std::vector<tuned_entry>& entries() const { return entries_; }
  // What is wrong with the file, a text for each line: "tuning.txt:3: …". Empty: nothing.
  const std::vector<std::string>& damage() const { return damage_; }

  // The winner of a kernel on a device; null when the file has none.
  const tuned_entry* find(const tune_device& device, const std::string& kernel) const;
  // Where the file has the kernel, but for other devices: their names. Else empty.
  std::string other_devices(const tune_device& device, const std::string& kernel) const;

  // Adds the winner or replaces it, in the file as it is by then: other programs may write it too. A reader
  // sees the old file or the new one, never a part. A damaged file is kept under the name that is returned,
  // else the result is empty. Throws memory_error when it can't be written, and bounds_error for
  // numbers that no winner has (a time that is not finite, a block of 0); the old file stays.
  std::string remember(const tuned_entry& entry);

 private:
  void read();

  std::string path_;
  std::vector<tuned_entry> entries_;
  std::vector<std::string> damage_;
};

// `base` with the numbers that tune() found for this kernel on this device. Throws bounds_error when the file
// is damaged or missing, or holds nothing for the kernel or for the device; the text says what it holds.
policy tuned_policy(const std::string& path, const std::string& kernel, const policy& base = {});

}  // namespace amphi
