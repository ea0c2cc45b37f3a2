// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "amphi/memory/detail/texture_storage.hpp"
#include "common/array_state.hpp"

namespace amphi::detail {

// Some of a texture's layers or, in three dimensions, of its planes.
struct texture_part {
  std::int64_t first, count;
};

// Texels on both sides. All functions but the special members want `mutex` held.
struct texture_state {
  texture_state(const host_texture& description, std::size_t texel_bytes);
  ~texture_state();
  texture_state(const texture_state&) = delete;
  texture_state& operator=(const texture_state&) = delete;

  texture_part all() const { return {0, shape.size[2]}; }
  texture_part one_layer(std::int64_t layer, const char* doing) const;  // throws when there is no such layer
  void copy_from(const texel_memory& from, const texture_part& to, stream_view stream);
  void copy_to(const texel_memory& to, const texture_part& from, stream_view stream);
  texture_handles on_policy(const policy& p);

  std::mutex mutex;
  host_texture shape;  // without texels
  std::size_t texel_bytes, bytes;

 private:
  void require_written(const texture_part& part) const;
  void require_extent(const texel_memory& m, const texture_part& part, const char* doing) const;
  std::string size_text(const extent3& size) const;
  texel_memory on_host(const texture_part& part) const;
  void make_host();
  void make_array();
  void require_upload(stream_view stream);  // throws when it can't be copied to there
  void upload(const texture_part& part, stream_view stream);
  void bind(stream_view stream);  // the device side to the stream's device
  void to_host();
  void to_device(stream_view stream);

  int device = -1;
  void* host = nullptr;
  void* array = nullptr;  // a cudaArray_t
  unsigned long long object = 0;
  std::vector<bool> written;                     // for each layer, or one for all
  bool host_valid = false, array_valid = false;  // hold all that was written
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
void fill_texture_array(void* array, std::int64_t first_plane, std::size_t texel_bytes,
                        const texel_memory& from, stream_view s);
void read_texture_array(void* array, std::int64_t first_plane, std::size_t texel_bytes,
                        const texel_memory& to, stream_view s);

}  // namespace amphi::detail
