// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

// Small files that several processes read and replace.

namespace amphi::detail {

// Reads all of a file. False when there is none; memory_error when it can't be read. `what` is what a message
// calls it.
bool read_file(const std::string& path, const char* what, std::string& content);

// Throws memory_error when the file can't be replaced: no folder, or no right to write.
void check_writable(const std::string& path, const char* what);

// Holds a file, made if need be, against other locked_files, in other processes too. Readers are not held up.
class locked_file {
 public:
  locked_file(const std::string& path, const char* what);
  ~locked_file();
  locked_file(const locked_file&) = delete;
  locked_file& operator=(const locked_file&) = delete;

  // Gives what is in the file now another name, <path>.damaged or <path>.damaged.2, …, and returns it.
  std::string keep_old();
  // Puts a new content in its place at once: a reader sees the old or the new one. Throws memory_error, and
  // the old one stays.
  void replace(const std::string& content);

 private:
  std::string path_;  // without symbolic links
  const char* what_;
  int descriptor_ = -1;
};

}  // namespace amphi::detail
