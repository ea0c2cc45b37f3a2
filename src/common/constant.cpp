// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/constant.hpp"

#include <cstring>
#include <mutex>
#include <string>

#include "amphi/core/error.hpp"
#include "common/constant_memory.hpp"
#include "common/number_text.hpp"
#include "common/stream_order.hpp"

namespace amphi::detail {
namespace {

// Units join before main, and leave when a library is unloaded or the program ends.
struct constant_list {
  std::mutex mutex;
  constant_entry* first = nullptr;
};
constant_list& list() {
  static auto& l = *new constant_list;
  return l;
}

// The copy that a caller named; wants the mutex held.
const constant_entry& find(const constant_list& l, const void* constant, const char* doing) {
  for (const constant_entry* e = l.first; e != nullptr; e = e->next)
    if (e->host == constant) return *e;
  throw memory_error(
      std::string(doing) +
      ": the destination or source is no constant: declare it with AMPHI_CONSTANT(name, type)");
}

void require_range(const constant_entry& e, const void* memory, std::size_t count, std::int64_t offset,
                   std::size_t element_bytes, const char* doing) {
  const std::size_t all = e.bytes / element_bytes;
  const std::string what = std::string(doing) + " the constant " + e.name + ": ";
  if (offset < 0) throw bounds_error(what + "an offset of " + std::to_string(offset) + " is negative");
  if (static_cast<std::size_t>(offset) > all || count > all - static_cast<std::size_t>(offset))
    throw bounds_error(what + std::to_string(count) + " elements from element " + index_text(offset) +
                       " on reach past its end; it has " + std::to_string(all));
  if (count != 0 && memory == nullptr) throw memory_error(what + "the memory is a null pointer");
}

}  // namespace

constant_entry::constant_entry(const char* name_, const char* full_name_, const char* type_, void* host_,
                               const void* symbol_, std::size_t bytes_)
    : name(name_), full_name(full_name_), type(type_), host(host_), symbol(symbol_), bytes(bytes_) {
  constant_list& l = list();
  const std::lock_guard lock(l.mutex);
  next = l.first;
  l.first = this;
}

constant_entry::~constant_entry() {
  constant_list& l = list();
  const std::lock_guard lock(l.mutex);
  for (constant_entry** e = &l.first; *e != nullptr; e = &(*e)->next)
    if (*e == this) {
      *e = next;
      return;
    }
}

bool constant_entry::same_constant(const constant_entry& other) const {
  return std::strcmp(full_name, other.full_name) == 0 && std::strcmp(type, other.type) == 0;
}

void write_constant(const void* constant, std::size_t, const void* from, std::size_t count,
                    std::int64_t offset, std::size_t element_bytes, stream_view stream) {
  constexpr const char* doing = "copying to";
  constant_list& l = list();
  const std::lock_guard lock(l.mutex);
  const constant_entry& named = find(l, constant, doing);
  require_range(named, from, count, offset, element_bytes, doing);
  if (is_capturing(stream))
    throw launch_error(std::string("copying to the constant ") + named.name +
                       " while its stream is captured: each replay would repeat that copy; copy before the "
                       "capture");
  if (count == 0) return;
  const std::size_t begin = static_cast<std::size_t>(offset) * element_bytes, bytes = count * element_bytes;
  // The source may be a part of a copy.
  std::string part(static_cast<const char*>(from), bytes);
  for (constant_entry* e = l.first; e != nullptr; e = e->next) {
    if (!e->same_constant(named)) continue;
    std::memcpy(static_cast<unsigned char*>(e->host) + begin, part.data(), bytes);
    if (e->symbol != nullptr) write_symbol(e->symbol, e->name, part.data(), bytes, begin, stream);
  }
}

void read_constant(const void* constant, std::size_t, void* to, std::size_t count, std::int64_t offset,
                   std::size_t element_bytes) {
  constexpr const char* doing = "copying from";
  constant_list& l = list();
  const std::lock_guard lock(l.mutex);
  const constant_entry& named = find(l, constant, doing);
  require_range(named, to, count, offset, element_bytes, doing);
  if (count == 0) return;
  std::memmove(
      to, static_cast<const unsigned char*>(named.host) + static_cast<std::size_t>(offset) * element_bytes,
      count * element_bytes);
}

}  // namespace amphi::detail
