// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "amphi/execution/detail/block_calls.hpp"

namespace amphi::detail {

// The shared memory of the blocks that one worker runs, one after another. Declared variables get their
// places as they are met, and keep them for the launch; the dynamic part is apart.
class shared_arena {
 public:
  shared_arena() = default;
  ~shared_arena();
  shared_arena(const shared_arena&) = delete;
  shared_arena& operator=(const shared_arena&) = delete;

  void begin_launch(const char* kernel, std::int64_t dynamic_bytes);
  void begin_block(bool other_half);  // two halves, so that ThreadSanitizer can tell two blocks apart

  void* declared(shared_slot& slot, std::size_t bytes, std::size_t alignment, const char* name);
  // The same, where the block has met the declaration before; null where it is not known at once.
  void* known(const shared_slot& slot) const {
    const std::uint32_t id = __atomic_load_n(&slot.id, __ATOMIC_RELAXED);
    return id < quick && quick_[id].block == block_ ? quick_[id].memory : nullptr;
  }
  void* dynamic() const { return dynamic_[half_]; }
  std::int64_t dynamic_bytes() const { return dynamic_bytes_; }

#if AMPHI_CHECKED
  // The variable of the running block that an address lies in, and how far; null when it is none.
  struct place {
    const char* variable;
    std::size_t offset;
  };
  place find(const void* address) const;
#endif

 private:
  struct entry {
    void* memory[2] = {};
    std::size_t bytes = 0;
    const char* name = nullptr;
    std::uint64_t launch = 0;     // in which it was declared
    std::uint64_t block[2] = {};  // in which it was last poisoned
  };

  entry& entry_of(std::uint32_t id);

  // Of the first declarations of the program: what the current block has met. Number 0 is no declaration.
  static constexpr std::uint32_t quick = 128;
  struct quick_entry {
    std::uint64_t block = 0;
    void* memory = nullptr;
  };
  quick_entry quick_[quick];

  // By slot; in pieces that never move.
  static constexpr std::uint32_t piece = 64, pieces = 1024;
  std::unique_ptr<entry[]> entries_[pieces];
  std::uint64_t launch_ = 1, block_ = 1;
  std::size_t half_ = 0;
  const char* kernel_ = nullptr;
  std::int64_t declared_bytes_ = 0, dynamic_bytes_ = 0;
  void* dynamic_[2] = {};
  std::size_t dynamic_capacity_ = 0;
#if AMPHI_CHECKED
  static constexpr std::size_t most_declared = 256;
  const entry* of_launch_[most_declared] = {};  // what was declared so far
  std::size_t of_launch_count_ = 0;
#endif
};

}  // namespace amphi::detail
