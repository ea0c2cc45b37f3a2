// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/view.hpp"
#include "amphi/memory/detail/texel.hpp"
#include "amphi/memory/detail/texture_device.hpp"
#include "amphi/memory/detail/texture_storage.hpp"
#include "amphi/memory/texture_options.hpp"
#include "amphi/runtime/policy.hpp"

namespace amphi {

// What a kernel samples: t(x), t(x, y) or t(x, y, z) with float coordinates. The centre of the first texel is
// at 0.5, or at 0.5 / size when coordinates are normalised. Trivially copyable; it must not outlive its
// texture, and works where the policy that it was asked for runs. A coordinate that is NaN counts as 0, an
// infinite one as far outside. On the CPU a view of a texture that is gone throws memory_error.
template <texel Texel, int D, read_mode Read = read_mode::element>
class texture_view {
 public:
  using value_type = typename detail::texel_read<Texel, Read>::value;

  texture_view() = default;
  explicit texture_view(const detail::texture_handles& handles) : handles_(handles) {}

  AMPHI_HOST_DEVICE value_type operator()(float x) const requires(D == 1) { return sample({x}); }
  AMPHI_HOST_DEVICE value_type operator()(float x, float y) const requires(D == 2) { return sample({x, y}); }
  AMPHI_HOST_DEVICE value_type operator()(float x, float y, float z) const requires(D == 3) {
    return sample({x, y, z});
  }

 private:
  AMPHI_HOST_DEVICE value_type sample(const float (&at)[D]) const {
#if AMPHI_DEVICE_CODE
    return detail::sample_on_device<Texel, D, Read>(handles_, at);
#else
    value_type v;
    detail::sample_on_host(handles_.host, at, &v);
    return v;
#endif
  }

  detail::texture_handles handles_;
};

// Owns texels in D dimensions in the layout that a GPU's texture unit likes, and on the CPU as they are;
// samples have the same bits on both.
//
//   amphi::texture<float, 2> t({w, h}, {.sampling = amphi::sampling::linear});
//   t.copy_from(amphi::view2<const float>(pixels, {w, h}));
//   amphi::parallel_for(size, [=, t = t.view()] …  t(x + 0.5f, y + 0.5f)
//
// The texels may be copied anew as often as wanted; views stay good. Copies take views of host memory, or of
// memory of a GPU in use, then in the order of the stream. The device side belongs to the device of the first
// use. Wrong sizes, wrap or mirror without normalised coordinates, and filtering of integers that are not
// read as normalised floats throw memory_error when the texture is made, on both backends.
template <texel Texel, int D, read_mode Read = read_mode::element>
class texture {
  static_assert(D >= 1 && D <= 3, "amphi: textures have one, two or three dimensions");
  using read = detail::texel_read<Texel, Read>;

 public:
  using view_type = texture_view<Texel, D, Read>;
  using value_type = typename read::value;
  using extent_type = std::conditional_t<D == 2, extent2, extent3>;  // one dimension converts to extent3

  texture() = default;
  explicit texture(const extent_type& size, const texture_options& options = {})
      : storage_(widened(size), options, read::kind, detail::texel_shape<Texel>::count, D, read::as_float) {}

  extent_type extent() const {
    const extent3 e = storage_.extent();
    if constexpr (D == 2)
      return {e.x, e.y};
    else
      return e;
  }
  texture_options options() const { return storage_.options(); }

  // The view must have the texture's extent, else bounds_error. Host memory may be changed afterwards.
  void copy_from(amphi::view<const Texel> from, stream_view stream = {}) requires(D == 1) {
    storage_.copy_from(detail::texels_of(from), stream);
  }
  void copy_from(view2<const Texel> from, stream_view stream = {}) requires(D == 2) {
    storage_.copy_from(detail::texels_of(from), stream);
  }
  void copy_from(view3<const Texel> from, stream_view stream = {}) requires(D == 3) {
    storage_.copy_from(detail::texels_of(from), stream);
  }
  void copy_to(amphi::view<Texel> to, stream_view stream = {}) const requires(D == 1) {
    storage_.copy_to(detail::texels_of(to), stream);
  }
  void copy_to(view2<Texel> to, stream_view stream = {}) const requires(D == 2) {
    storage_.copy_to(detail::texels_of(to), stream);
  }
  void copy_to(view3<Texel> to, stream_view stream = {}) const requires(D == 3) {
    storage_.copy_to(detail::texels_of(to), stream);
  }

  // For a launch with this policy, and other work put on its stream afterwards.
  view_type view(const policy& p = {}) const { return view_type(storage_.on_policy(p)); }

 private:
  static extent3 widened(const extent2& e) { return {e.x, e.y, 1}; }
  static extent3 widened(const extent3& e) { return e; }

  detail::texture_storage storage_;
};

// Texels in ordinary memory, read one by one with t(i): 0 outside, and integers as normalised floats when
// asked for. It owns nothing; another memory is bound by assigning another view. Host or device memory, as
// for any view.
template <texel Texel, read_mode Read = read_mode::element>
class linear_texture {
 public:
  using value_type = typename detail::texel_read<Texel, Read>::value;

  linear_texture() = default;
  AMPHI_HOST_DEVICE linear_texture(amphi::view<const Texel> texels)
      : data_(texels.data()), size_(texels.size()) {}

  AMPHI_HOST_DEVICE std::size_t size() const { return size_; }
  template <integer Index>
  AMPHI_HOST_DEVICE value_type operator()(Index i) const {
    const auto at = static_cast<std::uint64_t>(static_cast<std::int64_t>(i));
    return at < size_ ? detail::read_texel<Read>(data_[at]) : value_type{};
  }

 private:
  const Texel* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace amphi
