// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

#include "amphi/memory/detail/texel.hpp"
#include "amphi/memory/detail/texture_exact.hpp"
#include "amphi/memory/detail/texture_storage.hpp"

// Sampling in device code: CUDA's texture functions, and sampling::exact on top of them.

namespace amphi::detail {

#if AMPHI_CUDA_UNIT

// CUDA's vector type with the same layout as vec2 or vec4.
template <class C>
struct cuda_vectors;
#  define AMPHI_DETAIL_CUDA_VECTORS(component, prefix) \
    template <>                                        \
    struct cuda_vectors<component> {                   \
      using two = prefix##2;                           \
      using four = prefix##4;                          \
    }
AMPHI_DETAIL_CUDA_VECTORS(std::uint8_t, uchar);
AMPHI_DETAIL_CUDA_VECTORS(std::int8_t, char);
AMPHI_DETAIL_CUDA_VECTORS(std::uint16_t, ushort);
AMPHI_DETAIL_CUDA_VECTORS(std::int16_t, short);
AMPHI_DETAIL_CUDA_VECTORS(std::uint32_t, uint);
AMPHI_DETAIL_CUDA_VECTORS(std::int32_t, int);
AMPHI_DETAIL_CUDA_VECTORS(float, float);
#  undef AMPHI_DETAIL_CUDA_VECTORS

template <class V>
struct cuda_value {
  using type = V;
};
template <class C>
struct cuda_value<vec2<C>> {
  using type = typename cuda_vectors<C>::two;
};
template <class C>
struct cuda_value<vec4<C>> {
  using type = typename cuda_vectors<C>::four;
};

// `layer`: nothing, or the layer of a layered texture; hardware takes the last for one that does not exist.
template <class Value, int D, class... Layer>
__device__ inline Value fetch_sample(unsigned long long object, const float (&at)[D], Layer... layer) {
#  if AMPHI_DEVICE_CODE
  using cuda = typename cuda_value<Value>::type;
  cuda v;
  if constexpr (D == 1 && sizeof...(Layer) == 1)
    v = tex1DLayered<cuda>(object, at[0], layer...);
  else if constexpr (sizeof...(Layer) == 1)
    v = tex2DLayered<cuda>(object, at[0], at[1], layer...);
  else if constexpr (D == 1)
    v = tex1D<cuda>(object, at[0]);
  else if constexpr (D == 2)
    v = tex2D<cuda>(object, at[0], at[1]);
  else
    v = tex3D<cuda>(object, at[0], at[1], at[2]);
  return std::bit_cast<Value>(v);
#  else
  return Value{};
#  endif
}

template <class Value>
__device__ inline float& component_of(Value& v, int c) {
  return reinterpret_cast<float*>(&v)[c];
}

// Point-sampled corners of a cell, interpolated component by component.
template <class Value, int D, class... Layer>
__device__ Value exact_on_device(const texture_handles& t, const float (&at)[D], Layer... layer) {
  const address_mode modes[3] = {t.host.options.address.x, t.host.options.address.y,
                                 t.host.options.address.z};
  exact_cell cell[D];
  for (int d = 0; d < D; ++d)
    cell[d] = locate_exact(at[d], t.host.size[d], t.host.options.normalized, modes[d]);
  Value result{};
  for (int c = 0; c < static_cast<int>(sizeof(Value) / sizeof(float)); ++c)
    component_of(result, c) = exact_sample<D>(cell, [&](std::int32_t i, std::int32_t j, std::int32_t k) {
      const float whole[3] = {static_cast<float>(i) + 0.5f, static_cast<float>(j) + 0.5f,
                              static_cast<float>(k) + 0.5f};
      float corner[D];
      for (int d = 0; d < D; ++d) corner[d] = whole[d];
      Value v = fetch_sample<Value, D>(t.object, corner, layer...);
      return component_of(v, c);
    });
  return result;
}

template <class Texel, int D, read_mode Read, class... Layer>
__device__ inline typename texel_read<Texel, Read>::value sample_on_device(const texture_handles& t,
                                                                           const float (&at)[D],
                                                                           Layer... layer) {
  using value = typename texel_read<Texel, Read>::value;
  if constexpr (texel_read<Texel, Read>::as_float) {
    if (t.host.options.sampling == sampling::exact) return exact_on_device<value, D>(t, at, layer...);
  }
  return fetch_sample<value, D>(t.object, at, layer...);
}

#endif

}  // namespace amphi::detail
