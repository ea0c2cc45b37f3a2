// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/layered_texture.hpp"
#include "amphi/memory/texture.hpp"
#include "support/paths.hpp"

// Every kind of texture sampled by the backend in use and by the CPU, and compared by bits. On a GPU that
// compares hardware with the rules; AMPHI_TEXTURE_SAMPLES=10000000 is the full comparison. Without a GPU it
// compares workers with a serial loop.

namespace {

using amphi::address_mode;
using amphi::read_mode;
using amphi::sampling;

std::int64_t sample_count() {
  const char* text = std::getenv("AMPHI_TEXTURE_SAMPLES");
  return text != nullptr ? std::atoll(text) : 2000;
}

AMPHI_HOST_DEVICE constexpr std::uint32_t hash(std::uint32_t v) {
  v = (v ^ 61u) ^ (v >> 16);
  v *= 9u;
  v ^= v >> 4;
  v *= 0x27d4eb2du;
  return v ^ (v >> 15);
}

// Coordinate d of sample i: mostly around the texture, some on the edges of weights, some anywhere.
AMPHI_HOST_DEVICE inline float coordinate(std::int64_t i, int d, int size, bool normalized) {
  const std::uint32_t h = hash(static_cast<std::uint32_t>(i) * 3u + static_cast<std::uint32_t>(d)),
                      g = hash(h + 0x9e3779b9u);
  const float u = static_cast<float>(h >> 8) / 16777216.0f;
  float x;
  if (g % 64 == 0) return std::bit_cast<float>(hash(g));
  if (g % 4 == 1) {  // where a weight or a texel changes, give or take an ulp
    const auto steps = static_cast<int>(h % (static_cast<std::uint32_t>(size) * 512u * 2u)) - size * 256;
    x = static_cast<float>(steps) / 512.0f;
    x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + (g >> 8) % 3u - 1u);
  } else {
    x = u * (static_cast<float>(size) * (normalized ? 4.0f : 1.0f) + 4.0f) -
        (normalized ? 1.5f * static_cast<float>(size) : 2.0f);
  }
  return normalized ? x / static_cast<float>(size) : x;
}

constexpr int layers = 5;

// Some layers exist.
AMPHI_HOST_DEVICE inline int layer_of(std::int64_t i) {
  const std::uint32_t h = hash(static_cast<std::uint32_t>(i) + 77u);
  return h % 16 == 0 ? static_cast<int>(h) : static_cast<int>(h >> 4) % (layers + 4) - 2;
}

template <class View, int D, bool Layered>
struct sample_one {
  View t;
  typename View::value_type* to;
  int size[3];
  bool normalized;
  AMPHI_HOST_DEVICE void operator()(std::int64_t i) const {
    float x[3];
    for (int d = 0; d < D; ++d) x[d] = coordinate(i, d, size[d], normalized);
    if constexpr (Layered && D == 1)
      to[i] = t(x[0], layer_of(i));
    else if constexpr (Layered)
      to[i] = t(x[0], x[1], layer_of(i));
    else if constexpr (D == 1)
      to[i] = t(x[0]);
    else if constexpr (D == 2)
      to[i] = t(x[0], x[1]);
    else
      to[i] = t(x[0], x[1], x[2]);
  }
};

// Texels of random bits; floats mostly of like sizes, some special.
template <class C>
C component(std::uint32_t h) {
  if constexpr (std::is_same_v<C, float>) {
    if (h % 97 == 0) return std::bit_cast<float>(hash(h));
    return std::ldexp(static_cast<float>(static_cast<std::int32_t>(hash(h)) >> 7) / 16777216.0f,
                      static_cast<int>(h >> 8) % 3);
  } else if constexpr (std::is_same_v<C, amphi::half>) {
    return amphi::half::from_bits(
        static_cast<std::uint16_t>(h % 97 == 0 ? h >> 8 : (h >> 8 & 0x87ffu) + 0x3000u));
  } else {
    return static_cast<C>(h);
  }
}

struct difference {
  std::int64_t count = 0, first = -1;
};

template <class Texel, int D, read_mode Read, bool Layered>
difference compare(const amphi::texture_options& options, const int (&size)[3]) {
  using shape = amphi::detail::texel_shape<Texel>;
  using part = typename shape::component;
  using texture = std::conditional_t<Layered, amphi::layered_texture<Texel, D == 1 ? 1 : 2, Read>,
                                     amphi::texture<Texel, D, Read>>;
  using value = typename texture::value_type;
  std::vector<Texel> texels(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                            static_cast<std::size_t>(size[2]) * (Layered ? layers : 1));
  auto* parts = reinterpret_cast<part*>(texels.data());
  for (std::size_t i = 0; i < texels.size() * shape::count; ++i)
    parts[i] = component<part>(hash(static_cast<std::uint32_t>(i) + 12345u));
  const auto make = [&] {
    if constexpr (Layered && D == 1) {
      texture t(size[0], layers, options);
      t.copy_from(amphi::view2<const Texel>(texels.data(), {size[0], layers}));
      return t;
    } else if constexpr (Layered) {
      texture t({size[0], size[1]}, layers, options);
      t.copy_from(amphi::view3<const Texel>(texels.data(), {size[0], size[1], layers}));
      return t;
    } else if constexpr (D == 1) {
      texture t(size[0], options);
      t.copy_from(amphi::view<const Texel>(texels.data(), texels.size()));
      return t;
    } else if constexpr (D == 2) {
      texture t({size[0], size[1]}, options);
      t.copy_from(amphi::view2<const Texel>(texels.data(), {size[0], size[1]}));
      return t;
    } else {
      texture t({size[0], size[1], size[2]}, options);
      t.copy_from(amphi::view3<const Texel>(texels.data(), {size[0], size[1], size[2]}));
      return t;
    }
  };
  const texture t = make();
  const std::int64_t n = sample_count();
  amphi::array<value> got(n), expected(n);
  const auto run = [&](amphi::array<value>& to, const amphi::policy& p) {
    amphi::parallel_for(p, std::int64_t{0}, n,
                        sample_one<typename texture::view_type, D, Layered>{
                            t.view(p), to.write(p).data(), {size[0], size[1], size[2]}, options.normalized});
  };
  run(got, {});
  if (amphi_test::on_gpu())
    run(expected, {.backend = amphi::backend::cpu});
  else
    run(expected, amphi::serial);
  const auto a = got.host_read(), b = expected.host_read();
  difference d;
  for (std::int64_t i = 0; i < n; ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(value)) != 0 && d.count++ == 0) d.first = i;
  return d;
}

struct totals {
  std::int64_t combinations = 0, samples = 0, differences = 0;
};

template <class Texel, int D, read_mode Read, bool Layered = false>
void compare_all(const char* name, totals& all) {
  constexpr bool filtered = amphi::detail::texel_read<Texel, Read>::as_float;
  const int sizes[3][3] = {{D == 1   ? 1000
                            : D == 2 ? 37
                                     : 11,
                            D > 1 ? 29 : 1, D > 2 ? 7 : 1},
                           {D == 1   ? 4096
                            : D == 2 ? 64
                                     : 16,
                            D > 1 ? 16 : 1, D > 2 ? 8 : 1},
                           {D == 1   ? 12345
                            : D == 2 ? 300
                                     : 9,
                            D > 1 ? 100 : 1, D > 2 ? 13 : 1}};
  for (const sampling s : {sampling::point, sampling::linear, sampling::exact}) {
    if (s != sampling::point && !filtered) continue;
    for (const address_mode m :
         {address_mode::clamp, address_mode::wrap, address_mode::mirror, address_mode::border})
      for (const bool normalized : {false, true}) {
        if (!normalized && (m == address_mode::wrap || m == address_mode::mirror)) continue;
        for (const auto& size : sizes) {
          const difference d =
              compare<Texel, D, Read, Layered>({.sampling = s, .address = m, .normalized = normalized}, size);
          ++all.combinations;
          all.samples += sample_count();
          if (d.count == 0) continue;
          std::printf(
              "%s, %d dimensions%s, sampling %d, address %d, normalised %d, %d x %d x %d: %lld of %lld "
              "samples differ, first %lld\n",
              name, D, Layered ? " with layers" : "", static_cast<int>(s), static_cast<int>(m),
              normalized ? 1 : 0, size[0], size[1], size[2], static_cast<long long>(d.count),
              static_cast<long long>(sample_count()), static_cast<long long>(d.first));
          all.differences += d.count;
        }
      }
  }
}

template <class Texel, read_mode Read = read_mode::element>
void compare_dimensions(const char* name, totals& all) {
  compare_all<Texel, 1, Read>(name, all);
  compare_all<Texel, 2, Read>(name, all);
  compare_all<Texel, 3, Read>(name, all);
}

template <class Texel, read_mode Read = read_mode::element>
void compare_layers(const char* name, totals& all) {
  compare_all<Texel, 1, Read, true>(name, all);
  compare_all<Texel, 2, Read, true>(name, all);
}

void expect_none(const char* what, const totals& all) {
  std::printf("%s: %lld combinations, %lld samples, %lld differ\n", what,
              static_cast<long long>(all.combinations), static_cast<long long>(all.samples),
              static_cast<long long>(all.differences));
  EXPECT_EQ(all.differences, 0);
  EXPECT_GT(all.combinations, 0);
}

TEST(texture_comparison, floats) {
  totals all;
  compare_dimensions<float>("float", all);
  compare_dimensions<amphi::vec2<float>>("vec2<float>", all);
  compare_dimensions<amphi::vec4<float>>("vec4<float>", all);
  expect_none("float", all);
}

TEST(texture_comparison, layers) {
  constexpr auto normalized = read_mode::normalized;
  totals all;
  compare_layers<float>("float", all);
  compare_layers<amphi::vec4<amphi::half>>("vec4<half>", all);
  compare_layers<std::uint8_t, normalized>("uint8", all);
  compare_layers<amphi::vec2<std::int16_t>, normalized>("vec2<int16>", all);
  compare_layers<std::int8_t>("int8", all);
  compare_layers<amphi::vec4<std::uint32_t>>("vec4<uint32>", all);
  expect_none("layers", all);
}

TEST(texture_comparison, halfs) {
  totals all;
  compare_dimensions<amphi::half>("half", all);
  compare_dimensions<amphi::vec4<amphi::half>>("vec4<half>", all);
  expect_none("half", all);
}

TEST(texture_comparison, integers_as_floats) {
  constexpr auto normalized = read_mode::normalized;
  totals all;
  compare_dimensions<std::uint8_t, normalized>("uint8", all);
  compare_dimensions<std::int8_t, normalized>("int8", all);
  compare_dimensions<std::uint16_t, normalized>("uint16", all);
  compare_dimensions<std::int16_t, normalized>("int16", all);
  compare_dimensions<amphi::vec2<std::int8_t>, normalized>("vec2<int8>", all);
  compare_dimensions<amphi::vec4<std::uint8_t>, normalized>("vec4<uint8>", all);
  expect_none("integers as floats", all);
}

TEST(texture_comparison, integers) {
  totals all;
  compare_dimensions<std::uint8_t>("uint8", all);
  compare_dimensions<std::int8_t>("int8", all);
  compare_dimensions<std::int16_t>("int16", all);
  compare_dimensions<std::uint32_t>("uint32", all);
  compare_dimensions<amphi::vec2<std::uint16_t>>("vec2<uint16>", all);
  compare_dimensions<amphi::vec4<std::int32_t>>("vec4<int32>", all);
  expect_none("integers", all);
}

}  // namespace
