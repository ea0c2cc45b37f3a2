// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "amphi/config/macros.hpp"

namespace amphi {

// Two, three and four numbers with the sizes and alignments of CUDA's vector types (float2, uchar4, …) on
// every compiler, so that device code loads them at once and one memory serves both names. Aggregates:
// vec4<float>{1, 2, 3, 4}. vec3 is aligned as one number is: an array of vec3<float> is an array of 12 bytes.
template <class T>
struct alignas(2 * sizeof(T)) vec2 {
  T x, y;
  friend constexpr bool operator==(const vec2&, const vec2&) = default;
};

template <class T>
struct vec3 {
  T x, y, z;
  friend constexpr bool operator==(const vec3&, const vec3&) = default;
};

template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) vec4 {
  T x, y, z, w;
  friend constexpr bool operator==(const vec4&, const vec4&) = default;
};

// Sums, differences and multiples, component by component.
template <class T>
AMPHI_HOST_DEVICE constexpr vec2<T> operator+(const vec2<T>& a, const vec2<T>& b) {
  return {static_cast<T>(a.x + b.x), static_cast<T>(a.y + b.y)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec2<T> operator-(const vec2<T>& a, const vec2<T>& b) {
  return {static_cast<T>(a.x - b.x), static_cast<T>(a.y - b.y)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec2<T> operator*(T s, const vec2<T>& v) {
  return {static_cast<T>(s * v.x), static_cast<T>(s * v.y)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec3<T> operator+(const vec3<T>& a, const vec3<T>& b) {
  return {static_cast<T>(a.x + b.x), static_cast<T>(a.y + b.y), static_cast<T>(a.z + b.z)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec3<T> operator-(const vec3<T>& a, const vec3<T>& b) {
  return {static_cast<T>(a.x - b.x), static_cast<T>(a.y - b.y), static_cast<T>(a.z - b.z)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec3<T> operator*(T s, const vec3<T>& v) {
  return {static_cast<T>(s * v.x), static_cast<T>(s * v.y), static_cast<T>(s * v.z)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec4<T> operator+(const vec4<T>& a, const vec4<T>& b) {
  return {static_cast<T>(a.x + b.x), static_cast<T>(a.y + b.y), static_cast<T>(a.z + b.z),
          static_cast<T>(a.w + b.w)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec4<T> operator-(const vec4<T>& a, const vec4<T>& b) {
  return {static_cast<T>(a.x - b.x), static_cast<T>(a.y - b.y), static_cast<T>(a.z - b.z),
          static_cast<T>(a.w - b.w)};
}
template <class T>
AMPHI_HOST_DEVICE constexpr vec4<T> operator*(T s, const vec4<T>& v) {
  return {static_cast<T>(s * v.x), static_cast<T>(s * v.y), static_cast<T>(s * v.z), static_cast<T>(s * v.w)};
}

}  // namespace amphi
