// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/host.hpp"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/runtime/settings.hpp"

namespace amphi::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// What follows `key` in a file of lines "key : value".
bool read_line(const char* file, const char* key, char* out, std::size_t size) {
  std::FILE* f = std::fopen(file, "r");
  if (f == nullptr) return false;
  char line[512];
  bool found = false;
  while (!found && std::fgets(line, sizeof(line), f) != nullptr) {
    if (std::strncmp(line, key, std::strlen(key)) != 0) continue;
    const char* value = std::strchr(line, ':');
    if (value == nullptr) continue;
    value += std::strspn(value, ": \t");
    const std::size_t length = std::min(std::strcspn(value, "\n"), size - 1);
    std::memcpy(out, value, length);
    out[length] = 0;
    found = true;
  }
  (void)std::fclose(f);
  return found;
}

// All memory that there is. More can be promised by the system, but never be used.
std::size_t host_bytes_in_all() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return SIZE_MAX;
  return (static_cast<std::size_t>(info.totalram) + static_cast<std::size_t>(info.totalswap)) *
         static_cast<std::size_t>(info.mem_unit);
}

}  // namespace

device_properties host_properties() {
  device_properties p;
  if (!read_line("/proc/cpuinfo", "model name", p.name, sizeof(p.name))) std::strcpy(p.name, "CPU");
  p.multiprocessors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  p.memory_bytes = static_cast<std::int64_t>(host_bytes_in_all());
  const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  p.l2_bytes = l3 > 0 ? l3 : 0;
  p.limits = limits_of(current_settings().limits);
  return p;
}

std::size_t host_bytes_left() {
  char text[64];
  if (read_line("/proc/meminfo", "MemAvailable", text, sizeof(text)))
    return static_cast<std::size_t>(std::strtoull(text, nullptr, 10)) * 1024;
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void throw_out_of_memory(std::size_t bytes, const char* space, std::size_t left) {
  throw memory_error("out of memory: " + std::to_string(bytes) + " bytes of " + space +
                     " memory were asked for, about " + std::to_string(left) + " are left");
}

void* allocate_host(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0) return nullptr;
  if (bytes >= (std::size_t{1} << 30) && bytes > host_bytes_in_all())
    throw_out_of_memory(bytes, "host", host_bytes_left());
  if (bytes >= 2 * huge_page) alignment = std::max(alignment, huge_page);
  void* memory = std::aligned_alloc(alignment, round_up(bytes, alignment));
  if (memory == nullptr) throw_out_of_memory(bytes, "host", host_bytes_left());
  if (alignment >= huge_page) (void)madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void deallocate_host(void* memory) noexcept { std::free(memory); }

}  // namespace amphi::detail
