// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "amphi/core/half.hpp"
#include "amphi/core/vector.hpp"
#include "amphi/memory/detail/texture_sample.hpp"

// Types that texels may have, and what reading them gives.

namespace amphi::detail {

template <class C>
struct texel_component;  // no texture holds such components
template <>
struct texel_component<std::uint8_t> {
  static constexpr texel_kind kind = texel_kind::u8;
};
template <>
struct texel_component<std::int8_t> {
  static constexpr texel_kind kind = texel_kind::s8;
};
template <>
struct texel_component<std::uint16_t> {
  static constexpr texel_kind kind = texel_kind::u16;
};
template <>
struct texel_component<std::int16_t> {
  static constexpr texel_kind kind = texel_kind::s16;
};
template <>
struct texel_component<std::uint32_t> {
  static constexpr texel_kind kind = texel_kind::u32;
};
template <>
struct texel_component<std::int32_t> {
  static constexpr texel_kind kind = texel_kind::s32;
};
template <>
struct texel_component<half> {
  static constexpr texel_kind kind = texel_kind::f16;
};
template <>
struct texel_component<float> {
  static constexpr texel_kind kind = texel_kind::f32;
};

template <class T>
struct texel_shape {
  using component = T;
  static constexpr int count = 1;
  template <class C>
  using same = C;
};
template <class T>
struct texel_shape<vec2<T>> {
  using component = T;
  static constexpr int count = 2;
  template <class C>
  using same = vec2<C>;
};
template <class T>
struct texel_shape<vec4<T>> {
  using component = T;
  static constexpr int count = 4;
  template <class C>
  using same = vec4<C>;
};

}  // namespace amphi::detail

namespace amphi {

// 8-, 16- or 32-bit integers, half or float, alone or as vec2 or vec4.
template <class T>
concept texel = requires {
  detail::texel_component<typename detail::texel_shape<T>::component>::kind;
};

namespace detail {

template <texel T, read_mode Read>
struct texel_read {
  using component = typename texel_shape<T>::component;
  static constexpr texel_kind kind = texel_component<component>::kind;
  static constexpr bool is_number = kind == texel_kind::f16 || kind == texel_kind::f32;
  static constexpr bool as_float = is_number || Read == read_mode::normalized;
  static_assert(Read == read_mode::element || (!is_number && sizeof(component) < 4),
                "amphi: texels of 8- and 16-bit integers can be read as normalised floats; for others write "
                "read_mode::element");
  using value_component = std::conditional_t<as_float, float, component>;
  using value = typename texel_shape<T>::template same<value_component>;
};

// What one component reads as.
template <bool Normalized, class C>
AMPHI_HOST_DEVICE constexpr auto read_component(C c) {
  if constexpr (std::is_same_v<C, half>) {
    return static_cast<float>(c);
  } else if constexpr (!Normalized) {
    return c;
  } else if constexpr (std::is_signed_v<C>) {
    constexpr float one = sizeof(C) == 1 ? 127.0f : 32767.0f;
    const float v = static_cast<float>(c) / one;
    return v < -1.0f ? -1.0f : v;
  } else {
    constexpr float one = sizeof(C) == 1 ? 255.0f : 65535.0f;
    return static_cast<float>(c) / one;
  }
}

template <read_mode Read, class T>
AMPHI_HOST_DEVICE constexpr typename texel_read<T, Read>::value read_texel(const T& t) {
  constexpr bool normalized = Read == read_mode::normalized;
  if constexpr (texel_shape<T>::count == 1) {
    return read_component<normalized>(t);
  } else if constexpr (texel_shape<T>::count == 2) {
    return {read_component<normalized>(t.x), read_component<normalized>(t.y)};
  } else {
    return {read_component<normalized>(t.x), read_component<normalized>(t.y), read_component<normalized>(t.z),
            read_component<normalized>(t.w)};
  }
}

}  // namespace detail
}  // namespace amphi
