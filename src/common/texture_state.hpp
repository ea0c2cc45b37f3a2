// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "amphi/memory/detail/texture_storage.hpp"
#include "common/array_state.hpp"

namespace amphi::detail {

// Texels on both sides. All functions but the special members want `mutex` held.
struct texture_state {
  texture_state(const host_texture& description, std::size_t texel_bytes);
  ~texture_state();
  texture_state(const texture_state&) = delete;
  texture_state& operator=(const texture_state&) = delete;

  void copy_from(const texel_memory& from, stream_view stream);
  void copy_to(const texel_memory& to, stream_view stream);
  texture_handles on_policy(const policy& p);

  std::mutex mutex;
  host_texture shape;  // without texels
  std::size_t texel_bytes, bytes;

 private:
  void require_written() const;
  void require_extent(const texel_memory& m, const char* doing) const;
  texel_memory whole_host() const;
  void make_host();
  void bind(stream_view stream);  // the device side to the stream's device
  void to_host();
  void to_device(stream_view stream);

  int device = -1;
  void* host = nullptr;
  void* array = nullptr;  // a cudaArray_t
  unsigned long long object = 0;
  bool host_valid = false, array_valid = false;
  memory_use host_use, array_use;
  std::uint32_t* life = nullptr;
};

// "4 x 2".
std::string texel_count_text(const extent3& size, int dimensions);

// What differs by backend (src/cpu/texture_memory.cpp, src/cuda/texture_memory.cpp).
bool is_device_memory(const void* memory);
void* make_texture_array(const host_texture& shape);
unsigned long long make_texture_object(void* array, const host_texture& shape);
void end_texture(void* array, unsigned long long object) noexcept;
void fill_texture_array(void* array, const host_texture& shape, std::size_t texel_bytes,
                        const texel_memory& from, stream_view s);
void read_texture_array(void* array, const host_texture& shape, std::size_t texel_bytes,
                        const texel_memory& to, stream_view s);

}  // namespace amphi::detail
