// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "gtest/gtest.h"

namespace amphi_test {

// Tests with a path for a tuning file, in a folder of its own.
class with_tuning_file : public testing::Test {
 protected:
  with_tuning_file() {
    std::string name = testing::TempDir() + "amphi_tuning_XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/tuning.txt";
  }
  ~with_tuning_file() override { std::filesystem::remove_all(folder_); }

  std::string folder_, path_;
};

}  // namespace amphi_test
