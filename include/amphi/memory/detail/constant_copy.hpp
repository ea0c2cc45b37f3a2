// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "amphi/config/abi.hpp"
#include "amphi/runtime/stream.hpp"

namespace amphi::detail {

// One unit's copy of a constant, in a list of all; joins it when the unit is loaded, which touches no CUDA.
class constant_entry {
 public:
  constant_entry(const char* name, const char* full_name, const char* type, void* host, const void* symbol,
                 std::size_t bytes);
  ~constant_entry();
  constant_entry(const constant_entry&) = delete;
  constant_entry& operator=(const constant_entry&) = delete;

  bool same_constant(const constant_entry& other) const;

  const char *name, *full_name, *type;
  void* host;
  const void* symbol;  // of device code; null in a unit without
  std::size_t bytes;
  constant_entry* next;
};

void write_constant(const void* constant, std::size_t bytes, const void* from, std::size_t count,
                    std::int64_t offset, std::size_t element_bytes, stream_view stream);
void read_constant(const void* constant, std::size_t bytes, void* to, std::size_t count, std::int64_t offset,
                   std::size_t element_bytes);

}  // namespace amphi::detail
