// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/view.hpp"

namespace amphi::detail {

// Linear memory that texels are copied from or to; pitches in texels.
struct texel_memory {
  void* data;
  extent3 extent;
  std::int64_t pitch, plane_pitch;
};

template <class T>
texel_memory texels_of(const view<T>& v) {
  const auto n = static_cast<std::int64_t>(v.size());
  return {const_cast<std::remove_const_t<T>*>(v.data()), extent3(n), n, n};
}
template <class T>
texel_memory texels_of(const view2<T>& v) {
  const extent2 e = v.extent();
  return {const_cast<std::remove_const_t<T>*>(v.data()), {e.x, e.y, 1}, v.pitch(), v.pitch() * e.y};
}
template <class T>
texel_memory texels_of(const view3<T>& v) {
  return {const_cast<std::remove_const_t<T>*>(v.data()), v.extent(), v.pitch(), v.plane_pitch()};
}

// One-dimensional layers are rows of memory.
template <class T>
texel_memory layers_of(const view2<T>& v) {
  const extent2 e = v.extent();
  return {const_cast<std::remove_const_t<T>*>(v.data()), {e.x, 1, e.y}, v.pitch(), v.pitch()};
}
template <class T>
texel_memory layers_of(const view3<T>& v) {
  return texels_of(v);
}

}  // namespace amphi::detail
