// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstring>

#include "amphi/core/error.hpp"
#include "amphi/memory/detail/texel.hpp"
#include "amphi/memory/detail/texture_exact.hpp"

namespace amphi::detail {
namespace {

template <class C>
C load(const unsigned char* from) {
  C c;
  std::memcpy(&c, from, sizeof(C));
  return c;
}

int bytes_of(texel_kind kind) {
  switch (kind) {
    case texel_kind::u8:
    case texel_kind::s8:
      return 1;
    case texel_kind::u16:
    case texel_kind::s16:
    case texel_kind::f16:
      return 2;
    default:
      return 4;
  }
}

// The bits of one component, and what it reads as.
std::uint32_t bits_at(const unsigned char* p, int bytes) {
  return bytes == 1 ? *p : bytes == 2 ? load<std::uint16_t>(p) : load<std::uint32_t>(p);
}

float float_at(const unsigned char* p, texel_kind kind) {
  switch (kind) {
    case texel_kind::u8:
      return read_component<true>(*p);
    case texel_kind::s8:
      return read_component<true>(load<std::int8_t>(p));
    case texel_kind::u16:
      return read_component<true>(load<std::uint16_t>(p));
    case texel_kind::s16:
      return read_component<true>(load<std::int16_t>(p));
    case texel_kind::f16:
      return read_component<false>(load<half>(p));
    default:
      return load<float>(p);
  }
}

[[noreturn]] void throw_unreachable(const host_texture& t) {
  if (t.alive == nullptr) throw memory_error("a texture view that names no texture was sampled");
  throw memory_error(
      "a texture view that was made for a GPU was sampled on the CPU: ask the texture for a view with the "
      "policy of the launch, view({.backend = amphi::backend::cpu})");
}

struct sampler {
  const host_texture& t;
  const unsigned char* texels;  // of the layer
  int bytes, texel_bytes;

  const unsigned char* at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return texels + ((k * t.size[1] + j) * t.size[0] + i) * texel_bytes;
  }
  address_mode mode(int d) const {
    const address_modes& a = t.options.address;
    return d == 0 ? a.x : d == 1 ? a.y : a.z;
  }

  void point(const float* x, void* result) const {
    std::int64_t i[3] = {0, 0, 0};
    for (int d = 0; d < t.dimensions; ++d) {
      i[d] = locate_texel(x[d], t.size[d], t.options.normalized, mode(d));
      if (i[d] < 0) {
        std::memset(result, 0, static_cast<std::size_t>(t.components * (t.as_float ? 4 : bytes)));
        return;
      }
    }
    const unsigned char* texel = at(i[0], i[1], i[2]);
    if (!t.as_float || t.kind == texel_kind::f32) {
      std::memcpy(result, texel, static_cast<std::size_t>(texel_bytes));
      return;
    }
    for (int c = 0; c < t.components; ++c)
      static_cast<float*>(result)[c] = float_at(texel + c * bytes, t.kind);
  }

  void linear(const float* x, float* result) const {
    texture_cell cell[3] = {};
    int fraction[3] = {};
    for (int d = 0; d < t.dimensions; ++d) {
      cell[d] = locate_cell(x[d], t.size[d], t.options.normalized, mode(d));
      fraction[d] = cell[d].fraction;
    }
    const unsigned char* corner[8];
    for (int q = 0; q < 1 << t.dimensions; ++q) {
      const std::int64_t i = cell[0].texel[q & 1], j = cell[1].texel[q >> 1 & 1], k = cell[2].texel[q >> 2];
      corner[q] = i < 0 || j < 0 || k < 0 ? nullptr : at(i, j, k);
    }
    for (int c = 0; c < t.components; ++c) {
      std::uint32_t bits[8];
      for (int q = 0; q < 1 << t.dimensions; ++q)
        bits[q] = corner[q] == nullptr ? 0u : bits_at(corner[q] + c * bytes, bytes);
      result[c] = filtered_cell(t.kind, t.dimensions, bits, fraction);
    }
  }

  template <int D>
  void exact(const float* x, float* result) const {
    exact_cell cell[D];
    for (int d = 0; d < D; ++d) cell[d] = locate_exact(x[d], t.size[d], t.options.normalized, mode(d));
    for (int c = 0; c < t.components; ++c)
      result[c] = exact_sample<D>(cell, [&](std::int32_t i, std::int32_t j, std::int32_t k) {
        return float_at(at(i, j, k) + c * bytes, t.kind);
      });
  }
};

}  // namespace

void sample_on_host(const host_texture& t, const float* x, void* result, std::int32_t layer) {
  if (t.alive != nullptr && __atomic_load_n(t.alive, __ATOMIC_RELAXED) != t.life)
    throw memory_error(
        "a texture was sampled after its end: the amphi::texture must live as long as its views are used");
  if (t.texels == nullptr) throw_unreachable(t);
  const int bytes = bytes_of(t.kind);
  const int texel_bytes = bytes * t.components;
  const unsigned char* texels = t.texels;
  if (t.layered) {
    // As hardware does: the number counts as unsigned, and ends at the last layer.
    const std::int64_t n =
        std::min(static_cast<std::uint32_t>(layer), static_cast<std::uint32_t>(t.size[2] - 1));
    texels += n * t.size[1] * t.size[0] * texel_bytes;
  }
  const sampler s{t, texels, bytes, texel_bytes};
  if (t.options.sampling == sampling::point)
    s.point(x, result);
  else if (t.options.sampling == sampling::linear)
    s.linear(x, static_cast<float*>(result));
  else if (t.dimensions == 1)
    s.exact<1>(x, static_cast<float*>(result));
  else if (t.dimensions == 2)
    s.exact<2>(x, static_cast<float*>(result));
  else
    s.exact<3>(x, static_cast<float*>(result));
}

}  // namespace amphi::detail
