// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "amphi/core/error.hpp"

namespace amphi::detail {
namespace {

[[noreturn]] void fail(const char* doing, const char* what, const std::string& path, const char* cure) {
  const std::string reason = std::strerror(errno);
  throw memory_error(std::string("can't ") + doing + " the " + what + " " + path + ": " + reason + cure);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string without_links(const std::string& path) {
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;  // not there yet
  std::string out = resolved;
  std::free(resolved);
  return out;
}

bool write_all(int descriptor, const std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t n = ::write(descriptor, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return ::fsync(descriptor) == 0;
}

}  // namespace

bool read_file(const std::string& path, const char* what, std::string& content) {
  content.clear();
  std::FILE* const f = std::fopen(path.c_str(), "rb");
  if (f == nullptr) {
    if (errno == ENOENT) return false;
    fail("read", what, path, "");
  }
  char piece[4096];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof(piece), f)) > 0;) content.append(piece, n);
  const bool good = std::ferror(f) == 0;
  const int reason = errno;
  (void)std::fclose(f);
  errno = reason;
  if (!good) fail("read", what, path, "");
  return true;
}

void check_writable(const std::string& path, const char* what) {
  constexpr const char* cure = "; give a file in a folder that is there and may be written";
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0) {
    if (S_ISDIR(s.st_mode)) errno = EISDIR, fail("write", what, path, cure);
    if (::access(path.c_str(), W_OK) != 0) fail("write", what, path, cure);
  }
  if (::access(folder_of(without_links(path)).c_str(), W_OK | X_OK) != 0) fail("write", what, path, cure);
}

locked_file::locked_file(const std::string& path, const char* what) : path_(path), what_(what) {
  for (;;) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("write", what_, path, "");
    while (::flock(descriptor_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int reason = errno;
      ::close(descriptor_);
      errno = reason;
      fail("lock", what_, path, "");
    }
    // Who held it before may have put another file in its place.
    struct stat held {
    }, there{};
    if (::fstat(descriptor_, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
        held.st_ino == there.st_ino && held.st_dev == there.st_dev)
      break;
    ::close(descriptor_);
  }
  path_ = without_links(path);
}

locked_file::~locked_file() {
  ::close(descriptor_);  // and with it the lock
}

std::string locked_file::keep_old() {
  for (int i = 1;; ++i) {
    const std::string copy = path_ + ".damaged" + (i > 1 ? "." + std::to_string(i) : "");
    if (::link(path_.c_str(), copy.c_str()) == 0) return copy;
    if (errno != EEXIST) fail("keep", what_, path_, "");
  }
}

void locked_file::replace(const std::string& content) {
  static std::atomic<unsigned> number{0};
  const std::string temporary =
      path_ + ".new." + std::to_string(::getpid()) + "." + std::to_string(number.fetch_add(1));
  const int out = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out < 0) fail("write", what_, path_, "");
  struct stat old {};
  if (::fstat(descriptor_, &old) == 0) (void)::fchmod(out, old.st_mode & 07777);
  bool good = write_all(out, content);
  good = ::close(out) == 0 && good;
  if (good && ::rename(temporary.c_str(), path_.c_str()) == 0) return;
  const int reason = errno;
  (void)::unlink(temporary.c_str());
  errno = reason;
  fail("write", what_, path_, "; the old file is unchanged");
}

}  // namespace amphi::detail
