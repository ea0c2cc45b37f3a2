// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/shared_arena.hpp"

#include <atomic>
#include <cstring>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/runtime/settings.hpp"
#include "common/block_state.hpp"
#include "common/failure.hpp"
#include "common/host.hpp"
#include "common/launch_checks.hpp"
#include "common/number_text.hpp"

namespace amphi::detail {
namespace {

std::atomic<std::uint32_t> slots_known{0};

std::uint32_t id_of(shared_slot& slot) {
  const std::atomic_ref<std::uint32_t> id(slot.id);
  std::uint32_t known = id.load(std::memory_order_acquire);
  if (known != 0) return known;
  const std::uint32_t made = ++slots_known;
  return id.compare_exchange_strong(known, made, std::memory_order_acq_rel) ? made : known;
}

constexpr std::size_t cache_line = 64;

void* allocate(std::size_t bytes, std::size_t alignment) {
  return allocate_host(bytes, alignment < cache_line ? cache_line : alignment);
}

// NaN as a float and as a double, an unlikely value of an integer, and a bad pointer.
void poison([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if AMPHI_CHECKED
  std::memset(memory, 0xFF, bytes);
#endif
}

[[noreturn]] void throw_at(const std::string& text, const char* file, int line) {
  const std::string inside = place_in_launch();
  throw bounds_error(text + " (at " + file + ":" + std::to_string(line) +
                     (inside.empty() ? "" : ", " + inside) + ")");
}

}  // namespace

shared_arena::~shared_arena() {
  for (const auto& e : entries_)
    for (std::uint32_t i = 0; e != nullptr && i < piece; ++i)
      for (void* m : e[i].memory) deallocate_host(m);
  for (void* m : dynamic_) deallocate_host(m);
}

void shared_arena::begin_launch(const char* kernel, std::int64_t dynamic_bytes) {
  ++launch_;
  kernel_ = kernel;
  declared_bytes_ = 0;
#if AMPHI_CHECKED
  of_launch_count_ = 0;
#endif
  dynamic_bytes_ = dynamic_bytes;
  if (static_cast<std::size_t>(dynamic_bytes) > dynamic_capacity_) {
    for (void*& m : dynamic_) {
      deallocate_host(m);
      m = nullptr;
    }
    dynamic_capacity_ = 0;
    for (void*& m : dynamic_) m = allocate(static_cast<std::size_t>(dynamic_bytes), cache_line);
    dynamic_capacity_ = static_cast<std::size_t>(dynamic_bytes);
  }
}

void shared_arena::begin_block(bool other_half) {
  ++block_;
  half_ = other_half ? 1 : 0;
  if (dynamic_bytes_ > 0) poison(dynamic_[half_], static_cast<std::size_t>(dynamic_bytes_));
}

shared_arena::entry& shared_arena::entry_of(std::uint32_t id) {
  if (id >= piece * pieces)
    throw memory_error("a program has at most " + std::to_string(piece * pieces) +
                       " AMPHI_SHARED declarations");
  std::unique_ptr<entry[]>& e = entries_[id / piece];
  if (e == nullptr) e.reset(new entry[piece]);
  return e[id % piece];
}

void* shared_arena::declared(shared_slot& slot, std::size_t bytes, std::size_t alignment, const char* name) {
  const std::uint32_t id = id_of(slot);
  entry& e = entry_of(id);
  if (e.block[half_] == block_) return e.memory[half_];
  if (e.launch != launch_) {
    const std::int64_t all = declared_bytes_ + static_cast<std::int64_t>(bytes);
    check_declared_shared(kernel_ != nullptr ? kernel_ : "(a function outside a launch)",
                          limits_of(current_settings().limits), name, all, dynamic_bytes_);
    declared_bytes_ = all;
    e.launch = launch_;
    e.name = name;
#if AMPHI_CHECKED
    if (of_launch_count_ < most_declared) of_launch_[of_launch_count_++] = &e;
#endif
  }
  if (e.memory[half_] == nullptr) e.memory[half_] = allocate(bytes, alignment);
  e.bytes = bytes;
  e.block[half_] = block_;
  if (id < quick) quick_[id] = {block_, e.memory[half_]};
  poison(e.memory[half_], bytes);
  return e.memory[half_];
}

#if AMPHI_CHECKED
shared_arena::place shared_arena::find(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto offset = [at](const void* memory) { return at - reinterpret_cast<std::uintptr_t>(memory); };
  for (std::size_t i = 0; i < of_launch_count_; ++i) {
    const entry& e = *of_launch_[i];
    if (e.block[half_] == block_ && offset(e.memory[half_]) < e.bytes)
      return {e.name, offset(e.memory[half_])};
  }
  if (dynamic_bytes_ > 0 && offset(dynamic_[half_]) < static_cast<std::size_t>(dynamic_bytes_))
    return {"dynamic shared memory", offset(dynamic_[half_])};
  return {nullptr, 0};
}
#endif

void* shared_address(shared_slot& slot, std::size_t bytes, std::size_t alignment, const char* name) {
  if (const block_state* const s = current_context.state; s != nullptr) [[likely]]
    if (void* const memory = s->arena.known(slot); memory != nullptr) [[likely]]
      return memory;
  return require_state().arena.declared(slot, bytes, alignment, name);
}

void* dynamic_shared_address(std::int64_t offset, std::int64_t bytes, std::size_t alignment, const char* file,
                             int line) {
  const shared_arena& arena = require_state().arena;
  const std::int64_t all = arena.dynamic_bytes();
  if (offset < 0 || bytes < 0 || offset > all || bytes > all - offset)
    throw_at("block.shared asks for " + index_text(bytes) + " bytes from byte " + index_text(offset) +
                 " on, but the launch gave the block " + std::to_string(all) +
                 " bytes of dynamic shared memory; set policy.shared_bytes or shared_bytes_per_thread",
             file, line);
  if (static_cast<std::size_t>(offset) % alignment != 0)
    throw_at("block.shared: the elements must begin at a multiple of " + std::to_string(alignment) +
                 " bytes, and byte " + std::to_string(offset) + " is none",
             file, line);
  return static_cast<char*>(arena.dynamic()) + offset;
}

}  // namespace amphi::detail
