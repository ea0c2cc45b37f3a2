// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "amphi/core/extent.hpp"
#include "amphi/memory/detail/texel_memory.hpp"
#include "amphi/memory/detail/texture_sample.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi::detail {

struct texture_state;  // src/common/texture_state.hpp

// Everything that a view holds: the host's part, or the two texture objects of a GPU (the second is for
// sampling::exact and gives single texels).
struct texture_handles {
  host_texture host{};
  unsigned long long object = 0;
};

// How many layers a texture has; most have none.
struct texture_layers {
  bool layered = false;
  std::int64_t count = 1;
};

// A texture whose texel type is known by its kind only: everything that amphi::texture does, compiled once.
class texture_storage {
 public:
  texture_storage() = default;
  texture_storage(const extent3& size, const texture_options& options, texel_kind kind, int components,
                  int dimensions, bool as_float, const texture_layers& layers = {});
  ~texture_storage();
  texture_storage(texture_storage&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  texture_storage& operator=(texture_storage&& other) noexcept;
  texture_storage(const texture_storage&) = delete;
  texture_storage& operator=(const texture_storage&) = delete;

  extent3 extent() const;  // z: the layers, where there are some
  texture_options options() const;
  void copy_from(const texel_memory& from, stream_view stream);
  void copy_to(const texel_memory& to, stream_view stream) const;
  void copy_layer_from(std::int64_t layer, const texel_memory& from, stream_view stream);
  void copy_layer_to(std::int64_t layer, const texel_memory& to, stream_view stream) const;
  texture_handles on_policy(const policy& p) const;

 private:
  texture_state* state_ = nullptr;
};

}  // namespace amphi::detail
