// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/texture_state.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "amphi/core/error.hpp"
#include "common/device.hpp"
#include "common/host.hpp"

namespace amphi::detail {
namespace {

// Numbers that say whether a texture still lives; they outlive every texture, and are used again.
struct lives {
  std::mutex mutex;
  std::vector<std::uint32_t*> free;
};
lives& all_lives() {
  static auto& l = *new lives;
  return l;
}

std::uint32_t* begin_life() {
  lives& l = all_lives();
  const std::lock_guard lock(l.mutex);
  if (l.free.empty()) return new std::uint32_t(0);
  std::uint32_t* life = l.free.back();
  l.free.pop_back();
  return life;
}

void end_life(std::uint32_t* life) noexcept {
  __atomic_add_fetch(life, 1, __ATOMIC_RELAXED);
  lives& l = all_lives();
  const std::lock_guard lock(l.mutex);
  try {
    l.free.push_back(life);
  } catch (...) {  // not used again, then
  }
}

void copy_rows(const texel_memory& to, const texel_memory& from, std::size_t texel_bytes) {
  const auto at = [&](const texel_memory& m, std::int64_t y, std::int64_t z) {
    return static_cast<unsigned char*>(m.data) +
           static_cast<std::size_t>(z * m.plane_pitch + y * m.pitch) * texel_bytes;
  };
  const std::size_t row = static_cast<std::size_t>(to.extent.x) * texel_bytes;
  for (std::int64_t z = 0; z < to.extent.z; ++z)
    for (std::int64_t y = 0; y < to.extent.y; ++y) std::memcpy(at(to, y, z), at(from, y, z), row);
}

std::string text(std::int64_t n) { return std::to_string(n); }

}  // namespace

std::string texel_count_text(const extent3& e, int dimensions) {
  std::string s = text(e.x);
  if (dimensions > 1) s += " x " + text(e.y);
  if (dimensions > 2) s += " x " + text(e.z);
  return s;
}

texture_state::texture_state(const host_texture& description, std::size_t bytes_of_texel)
    : shape(description),
      texel_bytes(bytes_of_texel),
      bytes(bytes_of_texel * static_cast<std::size_t>(description.size[0]) *
            static_cast<std::size_t>(description.size[1]) * static_cast<std::size_t>(description.size[2])),
      written(description.layered ? static_cast<std::size_t>(description.size[2]) : 1u),
      life(begin_life()) {
  shape.alive = life;
  shape.life = *life;
}

texture_state::~texture_state() {
  end_life(life);
  host_use.end_quietly();
  array_use.end_quietly();
  if (array != nullptr) end_texture(array, object);
  deallocate_host(host);
}

texture_part texture_state::one_layer(std::int64_t layer, const char* doing) const {
  if (layer < 0 || layer >= shape.size[2])
    throw bounds_error(std::string(doing) + ": there is no layer " + text(layer) + "; the texture has " +
                       text(shape.size[2]) + ", counted from 0");
  return {layer, 1};
}

std::string texture_state::size_text(const extent3& size) const {
  std::string s = texel_count_text(size, shape.dimensions) + " texels";
  if (shape.layered) s += " in " + text(size.z) + (size.z == 1 ? " layer" : " layers");
  return s;
}

void texture_state::require_written(const texture_part& part) const {
  const std::string what = "a texture of " + size_text({shape.size[0], shape.size[1], shape.size[2]}) +
                           " was read before anybody wrote it: copy_from() comes first";
  if (!shape.layered && !written[0]) throw memory_error(what);
  for (std::int64_t i = 0; shape.layered && i < part.count; ++i)
    if (!written[static_cast<std::size_t>(part.first + i)])
      throw memory_error("layer " + text(part.first + i) + " of " + what);
}

void texture_state::require_extent(const texel_memory& m, const texture_part& part, const char* doing) const {
  const extent3 own{shape.size[0], shape.size[1], part.count};
  const bool has_planes = shape.dimensions > 2 || shape.layered;
  const std::string what = std::string(doing) + ": ";
  if (m.extent != own)
    throw bounds_error(what + "the memory has " + size_text(m.extent) + ", the texture " + size_text(own));
  if (m.pitch < own.x)
    throw bounds_error(what + "a pitch of " + text(m.pitch) + " is less than a row of " + text(own.x) +
                       " texels");
  if (has_planes && m.plane_pitch < m.pitch * own.y)
    throw bounds_error(what + "a plane pitch of " + text(m.plane_pitch) + " is less than " + text(own.y) +
                       " rows of " + text(m.pitch) + " texels");
  if (has_planes && m.plane_pitch % m.pitch != 0)
    throw bounds_error(what + "the plane pitch of " + text(m.plane_pitch) +
                       " is no multiple of the pitch of " + text(m.pitch));
  if (m.data == nullptr) throw memory_error(what + "the memory is a null pointer");
}

texel_memory texture_state::on_host(const texture_part& part) const {
  const std::int64_t row = shape.size[0], plane = row * shape.size[1];
  return {static_cast<unsigned char*>(host) + static_cast<std::size_t>(part.first * plane) * texel_bytes,
          extent3{shape.size[0], shape.size[1], part.count}, row, plane};
}

void texture_state::make_host() {
  if (host == nullptr) host = allocate_host(bytes);
}

void texture_state::make_array() {
  if (array != nullptr) return;
  void* const made = make_texture_array(shape);
  object = make_texture_object(made, shape);
  array = made;
}

void texture_state::bind(stream_view stream) {
  int wanted = device_of(stream);
  if (wanted < 0) wanted = active_device();
  if (device >= 0 && device != wanted)
    throw device_error("a texture of device " + text(device) + " was used for device " + text(wanted) +
                       ": use a stream of the texture's device, or set_device(" + text(device) + ")");
  device = wanted;
}

void texture_state::to_host() {
  if (host_valid) return;
  make_host();
  array_use.host_reads();
  const device_guard on(device);
  read_texture_array(array, 0, texel_bytes, on_host(all()), {});
  host_valid = true;
}

void texture_state::to_device(stream_view stream) {
  if (array_valid) return;
  upload(all(), stream);
  array_valid = true;
}

void texture_state::require_upload(stream_view stream) {
  if (is_capturing(stream))
    throw launch_error(
        "a texture would have to be copied to the GPU while its stream is captured, and each replay would "
        "repeat that: ask for its view before the capture");
  bind(stream);
}

void texture_state::upload(const texture_part& part, stream_view stream) {
  require_upload(stream);
  const device_guard on(device);
  make_array();
  const stream_use s = use_of(stream);
  array_use.write_by(s);
  host_use.read_by(s);
  fill_texture_array(array, part.first, texel_bytes, on_host(part), stream);
}

void texture_state::copy_from(const texel_memory& from, const texture_part& to, stream_view stream) {
  require_extent(from, to, "copying to a texture");
  const bool whole = to.count == shape.size[2];
  if (!is_device_memory(from.data)) {
    if (is_capturing(stream))
      throw launch_error(
          "a texture would be copied to from memory of the host while its stream is captured, and that can't "
          "be kept for a replay: copy before the capture");
    if (array != nullptr) bind(stream);
    host_use.host_writes();
    make_host();
    copy_rows(on_host(to), from, texel_bytes);
    // Views that a GPU has already must see the new texels.
    if (array_valid && !whole) {
      upload(to, stream);
    } else {
      host_valid = true;
      array_valid = false;
      if (array != nullptr) to_device(stream);
    }
  } else {
    if (host_valid && !whole) to_device(stream);
    bind(stream);
    const device_guard on(device);
    make_array();
    array_use.write_by(use_of(stream));
    fill_texture_array(array, to.first, texel_bytes, from, stream);
    array_valid = true;
    host_valid = false;
  }
  if (!shape.layered) written[0] = true;
  for (std::int64_t i = 0; shape.layered && i < to.count; ++i)
    written[static_cast<std::size_t>(to.first + i)] = true;
}

void texture_state::copy_to(const texel_memory& to, const texture_part& from, stream_view stream) {
  require_extent(to, from, "copying from a texture");
  require_written(from);
  if (!is_device_memory(to.data)) {
    to_host();
    copy_rows(to, on_host(from), texel_bytes);
    return;
  }
  to_device(stream);
  bind(stream);
  const device_guard on(device);
  array_use.read_by(use_of(stream));
  read_texture_array(array, from.first, texel_bytes, to, stream);
}

texture_handles texture_state::on_policy(const policy& p) {
  require_written(all());
  texture_handles h{shape, 0};
  if (resolve(p.backend) == backend::cpu) {
    to_host();
    h.host.texels = static_cast<const unsigned char*>(host);
    return h;
  }
  to_device(p.stream);
  bind(p.stream);
  const device_guard on(device);
  array_use.read_by(use_of(p.stream));
  h.object = object;
  return h;
}

}  // namespace amphi::detail
