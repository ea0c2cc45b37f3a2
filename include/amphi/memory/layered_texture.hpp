// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/memory/texture.hpp"

namespace amphi {

// What a kernel samples: t(x, layer) or t(x, y, layer), with float coordinates as in texture_view and a layer
// of any integral type, counted from 0. Nothing is filtered between layers. A layer that does not exist is
// the last one, for negative numbers too: so does a GPU, which takes the number as unsigned. Trivially
// copyable, with the lifetime of a texture_view.
template <texel Texel, int D, read_mode Read = read_mode::element>
class layered_texture_view {
 public:
  using value_type = typename detail::texel_read<Texel, Read>::value;

  layered_texture_view() = default;
  explicit layered_texture_view(const detail::texture_handles& handles) : handles_(handles) {}

  template <integer Layer>
  AMPHI_HOST_DEVICE value_type operator()(float x, Layer layer) const requires(D == 1) {
    return sample({x}, number(layer));
  }
  template <integer Layer>
  AMPHI_HOST_DEVICE value_type operator()(float x, float y, Layer layer) const requires(D == 2) {
    return sample({x, y}, number(layer));
  }

 private:
  // -1 for what 31 bits can't hold.
  template <integer Layer>
  AMPHI_HOST_DEVICE static std::int32_t number(Layer layer) {
    if constexpr (sizeof(Layer) > sizeof(std::int32_t))
      return static_cast<std::uint64_t>(layer) > 0x7fffffffu ? -1 : static_cast<std::int32_t>(layer);
    else
      return static_cast<std::int32_t>(layer);
  }
  AMPHI_HOST_DEVICE value_type sample(const float (&at)[D], std::int32_t layer) const {
#if AMPHI_DEVICE_CODE
    return detail::sample_on_device<Texel, D, Read>(handles_, at, layer);
#else
    value_type v;
    detail::sample_on_host(handles_.host, at, &v, layer);
    return v;
#endif
  }

  detail::texture_handles handles_;
};

// Textures of one size, in one or two dimensions, that one view samples: owns up to 2048 layers of up to
// 32768 or 32768 x 32768 texels.
//
//   amphi::layered_texture<float, 2> t({w, h}, 12, {.sampling = amphi::sampling::linear});
//   t.copy_from(amphi::view3<const float>(pixels, {w, h, 12}));
//   t.copy_layer_from(3, amphi::view2<const float>(others, {w, h}));
//   …  t(x + 0.5f, y + 0.5f, month)
//
// All that texture says holds for each layer. A view needs all layers written, a copy those that it reads.
template <texel Texel, int D, read_mode Read = read_mode::element>
class layered_texture {
  static_assert(D == 1 || D == 2, "amphi: layers of textures have one or two dimensions");
  using read = detail::texel_read<Texel, Read>;

 public:
  using view_type = layered_texture_view<Texel, D, Read>;
  using value_type = typename read::value;
  using extent_type = std::conditional_t<D == 2, extent2, extent3>;  // one dimension converts to extent3

  layered_texture() = default;
  layered_texture(const extent_type& size, std::int64_t layers, const texture_options& options = {})
      : storage_(widened(size), options, read::kind, detail::texel_shape<Texel>::count, D, read::as_float,
                 {true, layers}) {}

  // Of each layer.
  extent_type extent() const {
    const extent3 e = storage_.extent();
    if constexpr (D == 2)
      return {e.x, e.y};
    else
      return {e.x, e.y, e.y};  // 1, or 0 without texels
  }
  std::int64_t layers() const { return storage_.extent().z; }
  texture_options options() const { return storage_.options(); }

  // All layers; the last axis of the view counts them.
  void copy_from(view2<const Texel> from, stream_view stream = {}) requires(D == 1) {
    storage_.copy_from(detail::layers_of(from), stream);
  }
  void copy_from(view3<const Texel> from, stream_view stream = {}) requires(D == 2) {
    storage_.copy_from(detail::layers_of(from), stream);
  }
  void copy_to(view2<Texel> to, stream_view stream = {}) const requires(D == 1) {
    storage_.copy_to(detail::layers_of(to), stream);
  }
  void copy_to(view3<Texel> to, stream_view stream = {}) const requires(D == 2) {
    storage_.copy_to(detail::layers_of(to), stream);
  }

  // One layer; bounds_error when there is no such layer.
  void copy_layer_from(std::int64_t layer, amphi::view<const Texel> from,
                       stream_view stream = {}) requires(D == 1) {
    storage_.copy_layer_from(layer, detail::texels_of(from), stream);
  }
  void copy_layer_from(std::int64_t layer, view2<const Texel> from,
                       stream_view stream = {}) requires(D == 2) {
    storage_.copy_layer_from(layer, detail::texels_of(from), stream);
  }
  void copy_layer_to(std::int64_t layer, amphi::view<Texel> to, stream_view stream = {}) const
      requires(D == 1) {
    storage_.copy_layer_to(layer, detail::texels_of(to), stream);
  }
  void copy_layer_to(std::int64_t layer, view2<Texel> to, stream_view stream = {}) const requires(D == 2) {
    storage_.copy_layer_to(layer, detail::texels_of(to), stream);
  }

  // For a launch with this policy, and other work put on its stream afterwards.
  view_type view(const policy& p = {}) const { return view_type(storage_.on_policy(p)); }

 private:
  static extent3 widened(const extent2& e) { return {e.x, e.y, 1}; }
  static extent3 widened(const extent3& e) { return e; }

  detail::texture_storage storage_;
};

}  // namespace amphi
