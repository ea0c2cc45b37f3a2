// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/texture.hpp"

#include <string>

#include "amphi/core/error.hpp"
#include "common/texture_state.hpp"

namespace amphi::detail {
namespace {

std::string text(std::int64_t n) { return std::to_string(n); }

// Of sm_75 and later.
void require_size(const extent3& size, int dimensions, bool layered) {
  constexpr std::int64_t most[3][3] = {{131072, 1, 1}, {131072, 65536, 1}, {16384, 16384, 16384}};
  constexpr std::int64_t most_layered[2][3] = {{32768, 1, 1}, {32768, 32768, 1}};
  const std::int64_t* limit = layered ? most_layered[dimensions - 1] : most[dimensions - 1];
  const std::int64_t n[3] = {size.x, size.y, size.z};
  for (int d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    if (n[d] < 1)
      throw memory_error("a texture of " + texel_count_text(size, dimensions) + " texels has no texels in " +
                         axis + "; the least is 1");
    if (n[d] > limit[d])
      throw memory_error("a texture can't have " + text(n[d]) + " texels in " + axis + "; the limit in " +
                         text(dimensions) + " dimension" + (dimensions > 1 ? "s" : "") +
                         (layered ? " with layers" : "") + " is " + text(limit[d]));
  }
}

void require_layers(std::int64_t n) {
  constexpr std::int64_t most = 2048;
  if (n < 1) throw memory_error("a layered texture can't have " + text(n) + " layers; the least is 1");
  if (n > most)
    throw memory_error("a layered texture can't have " + text(n) + " layers; the limit is " + text(most));
}

void require_options(const texture_options& o, int dimensions, bool as_float) {
  if (o.sampling != sampling::point && !as_float)
    throw memory_error(
        "integer texels can't be filtered as integers: use sampling::point, or read_mode::normalized for 8- "
        "and 16-bit texels");
  const address_mode modes[3] = {o.address.x, o.address.y, o.address.z};
  for (int d = 0; d < dimensions; ++d)
    if (!o.normalized && (modes[d] == address_mode::wrap || modes[d] == address_mode::mirror))
      throw memory_error(
          std::string(modes[d] == address_mode::wrap ? "address_mode::wrap" : "address_mode::mirror") +
          " in " + std::string(1, "xyz"[d]) +
          " needs normalised coordinates: set .normalized = true and divide coordinates by "
          "the size");
}

}  // namespace

texture_storage::texture_storage(const extent3& size, const texture_options& options, texel_kind kind,
                                 int components, int dimensions, bool as_float,
                                 const texture_layers& layers) {
  require_size(size, dimensions, layers.layered);
  if (layers.layered) require_layers(layers.count);
  require_options(options, dimensions, as_float);
  host_texture shape;
  shape.size[0] = static_cast<std::int32_t>(size.x);
  shape.size[1] = static_cast<std::int32_t>(size.y);
  shape.size[2] = static_cast<std::int32_t>(layers.layered ? layers.count : size.z);
  shape.options = options;
  shape.kind = kind;
  shape.components = static_cast<unsigned char>(components);
  shape.dimensions = static_cast<unsigned char>(dimensions);
  shape.as_float = as_float;
  shape.layered = layers.layered;
  const int component = kind == texel_kind::u8 || kind == texel_kind::s8                                ? 1
                        : kind == texel_kind::u32 || kind == texel_kind::s32 || kind == texel_kind::f32 ? 4
                                                                                                        : 2;
  state_ = new texture_state(shape, static_cast<std::size_t>(component * components));
}

texture_storage::~texture_storage() { delete state_; }

texture_storage& texture_storage::operator=(texture_storage&& other) noexcept {
  if (this != &other) {
    delete state_;
    state_ = other.state_;
    other.state_ = nullptr;
  }
  return *this;
}

namespace {

texture_state& living(texture_state* state) {
  if (state == nullptr) throw memory_error("a texture that was default-made or moved from holds no texels");
  return *state;
}

}  // namespace

extent3 texture_storage::extent() const {
  return state_ == nullptr ? extent3(0, 0, 0)
                           : extent3(state_->shape.size[0], state_->shape.size[1], state_->shape.size[2]);
}

texture_options texture_storage::options() const {
  return state_ == nullptr ? texture_options{} : state_->shape.options;
}

void texture_storage::copy_from(const texel_memory& from, stream_view stream) {
  texture_state& s = living(state_);
  const std::lock_guard lock(s.mutex);
  s.copy_from(from, s.all(), stream);
}

void texture_storage::copy_to(const texel_memory& to, stream_view stream) const {
  texture_state& s = living(state_);
  const std::lock_guard lock(s.mutex);
  s.copy_to(to, s.all(), stream);
}

void texture_storage::copy_layer_from(std::int64_t layer, const texel_memory& from, stream_view stream) {
  texture_state& s = living(state_);
  const std::lock_guard lock(s.mutex);
  s.copy_from(from, s.one_layer(layer, "copying to a layer of a texture"), stream);
}

void texture_storage::copy_layer_to(std::int64_t layer, const texel_memory& to, stream_view stream) const {
  texture_state& s = living(state_);
  const std::lock_guard lock(s.mutex);
  s.copy_to(to, s.one_layer(layer, "copying from a layer of a texture"), stream);
}

texture_handles texture_storage::on_policy(const policy& p) const {
  texture_state& s = living(state_);
  const std::lock_guard lock(s.mutex);
  return s.on_policy(p);
}

}  // namespace amphi::detail
