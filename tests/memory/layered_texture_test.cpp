// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amphi/memory/layered_texture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "amphi/core/error.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/graph.hpp"
#include "amphi/runtime/stream.hpp"
#include "support/paths.hpp"

namespace {

using amphi::address_mode;
using amphi::layered_texture;
using amphi::read_mode;
using amphi::sampling;
using amphi::texture_options;
using amphi_test::message_of;
using amphi_test::says;

struct place {
  float x, y;
  std::int64_t layer;
};

template <class View, class Layer>
struct sample_each {
  View t;
  const place* at;
  typename View::value_type* to;
  AMPHI_HOST_DEVICE void operator()(int i) const {
    const auto layer = static_cast<Layer>(at[i].layer);
    if constexpr (requires(View v) { v(0.0f, 0); })
      to[i] = t(at[i].x, layer);
    else
      to[i] = t(at[i].x, at[i].y, layer);
  }
};

template <class Layer = std::int64_t, class Texture>
auto sampled(const Texture& t, const std::vector<place>& at, const amphi::policy& p) {
  using value = typename Texture::value_type;
  const int n = static_cast<int>(at.size());
  const amphi::array<place> places{std::span<const place>(at)};
  amphi::array<value> results(n);
  auto view = t.view(p);
  amphi::parallel_for(
      p, 0, n, sample_each<decltype(view), Layer>{view, places.read(p).data(), results.write(p).data()});
  std::vector<value> v(static_cast<std::size_t>(n));
  results.copy_to(v);
  return v;
}

std::vector<amphi_test::path> paths() {
  return {{"automatic", {}},
          {"serial", amphi::serial},
          {"cpu", {.backend = amphi::backend::cpu}},
          {"cpu, 3 workers", {.backend = amphi::backend::cpu, .workers = 3}}};
}

template <class Layer = std::int64_t, class Texture>
void expect_samples(const Texture& t, const std::vector<place>& at,
                    const std::vector<typename Texture::value_type>& expected) {
  for (const amphi_test::path& p : paths()) {
    SCOPED_TRACE(p.name);
    EXPECT_TRUE(amphi_test::same_bits(sampled<Layer>(t, at, p.policy), expected));
  }
}

// x + 10 y + 100 layer.
template <class Texel = float>
std::vector<Texel> table(int w, int h, int layers, int add = 0) {
  std::vector<Texel> v;
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) v.push_back(static_cast<Texel>(x + 10 * y + 100 * z + add));
  return v;
}

layered_texture<float, 1> lines(const texture_options& options = {}) {
  layered_texture<float, 1> t(8, 3, options);
  const auto texels = table(8, 1, 3);
  t.copy_from(amphi::view2<const float>(texels.data(), {8, 3}));
  return t;
}

layered_texture<float, 2> pictures(const texture_options& options = {}) {
  layered_texture<float, 2> t({4, 3}, 5, options);
  const auto texels = table(4, 3, 5);
  t.copy_from(amphi::view3<const float>(texels.data(), {4, 3, 5}));
  return t;
}

TEST(layered_texture, extents) {
  EXPECT_EQ(lines().extent(), amphi::extent3(8));
  EXPECT_EQ(lines().layers(), 3);
  EXPECT_EQ(pictures().extent(), amphi::extent2(4, 3));
  EXPECT_EQ(pictures().layers(), 5);
  EXPECT_EQ(pictures({.sampling = sampling::linear}).options().sampling, sampling::linear);
  EXPECT_EQ((layered_texture<float, 2>().layers()), 0);
}

TEST(layered_texture, nothing_is_filtered_between_layers) {
  const std::vector<place> at = {{2.5f, 0, 0}, {2.75f, 0, 1}, {1, 0, 2}, {-5, 0, 2}, {9, 0, 1}};
  expect_samples(lines(), at, {2, 102, 201, 200, 107});
  for (const sampling s : {sampling::linear, sampling::exact})
    expect_samples(lines({.sampling = s}), at, {2, 102.25f, 200.5f, 200, 107});
  const std::vector<place> plane = {{1.5f, 1.5f, 0}, {2, 1.75f, 3}, {4, 3, 4}, {-3, -3, 1}};
  expect_samples(pictures(), plane, {11, 312, 423, 100});
  for (const sampling s : {sampling::linear, sampling::exact})
    expect_samples(pictures({.sampling = s}), plane, {11, 314, 423, 100});
}

TEST(layered_texture, address_modes) {
  for (const sampling s : {sampling::linear, sampling::exact}) {
    const auto with = [s](address_mode mode) {
      return texture_options{.sampling = s, .address = mode, .normalized = true};
    };
    expect_samples(lines(with(address_mode::wrap)), {{0, 0, 1}, {1.0625f, 0, 2}}, {103.5f, 200});
    expect_samples(lines(with(address_mode::mirror)), {{-0.1875f, 0, 1}, {1.9375f, 0, 2}}, {101, 200});
    expect_samples(lines(with(address_mode::border)), {{0, 0, 2}, {1.0625f, 0, 1}}, {100, 0});
    expect_samples(pictures(with(address_mode::wrap)), {{0, 0.5f, 2}, {1.125f, -0.5f, 4}}, {211.5f, 410});
    expect_samples(pictures(with(address_mode::border)), {{0, 0.5f, 2}, {0.5f, 2, 1}}, {105, 0});
  }
  expect_samples(pictures({.address = address_mode::border}), {{-0.5f, 1, 2}, {0.5f, 1, 2}}, {0, 210});
}

TEST(layered_texture, layers_that_do_not_exist_are_the_last) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = -(least + 1);
  std::vector<place> at;
  for (const std::int64_t layer :
       {std::int64_t{5}, std::int64_t{6}, std::int64_t{2048}, std::int64_t{65536}, std::int64_t{65537},
        std::int64_t{INT32_MAX}, std::int64_t{-1}, std::int64_t{-65536}, std::int64_t{INT32_MIN}})
    at.push_back({0.5f, 0.5f, layer});
  const std::vector<float> last(at.size(), 400.0f);
  expect_samples<int>(pictures(), at, last);
  expect_samples<std::uint32_t>(pictures(), at, last);
  for (const std::int64_t layer : {least, most, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1})
    at.push_back({0.5f, 0.5f, layer});
  expect_samples<std::int64_t>(pictures(), at, std::vector<float>(at.size(), 400.0f));
  expect_samples<std::uint64_t>(pictures(), at, std::vector<float>(at.size(), 400.0f));
  expect_samples<std::uint8_t>(pictures(), {{0.5f, 0.5f, 2}, {0.5f, 0.5f, 200}}, {200, 400});
  expect_samples<std::int8_t>(pictures(), {{0.5f, 0.5f, 2}, {0.5f, 0.5f, -2}}, {200, 400});
}

TEST(layered_texture, as_many_layers_as_there_may_be) {
  layered_texture<std::uint16_t, 1> t(2, 2048);
  const auto texels = table<std::uint16_t>(2, 1, 2048);
  t.copy_from(amphi::view2<const std::uint16_t>(texels.data(), {2, 2048}));
  std::vector<place> at;
  std::vector<std::uint16_t> expected;
  for (int layer = 0; layer < 2048; ++layer) {
    at.push_back({1.5f, 0, layer});
    expected.push_back(static_cast<std::uint16_t>(1 + 100 * layer));
  }
  expect_samples(t, at, expected);
}

TEST(layered_texture, other_texels) {
  using color = amphi::vec4<std::uint8_t>;
  layered_texture<color, 2, read_mode::normalized> t({2, 1}, 2, {.sampling = sampling::linear});
  const color texels[4] = {{0, 255, 0, 51}, {255, 255, 0, 51}, {255, 0, 51, 0}, {255, 255, 51, 0}};
  t.copy_from(amphi::view3<const color>(texels, {2, 1, 2}));
  expect_samples(t, {{0.5f, 0.5f, 0}, {1, 0.5f, 1}}, {{0, 1, 0, 0.2f}, {1, 32768.0f / 65535.0f, 0.2f, 0}});

  layered_texture<amphi::half, 1> halves(2, 2, {.sampling = sampling::linear});
  const amphi::half h[4] = {amphi::half(1.0f), amphi::half(2.0f), amphi::half(-8.0f), amphi::half(-4.0f)};
  halves.copy_from(amphi::view2<const amphi::half>(h, {2, 2}));
  expect_samples(halves, {{1, 0, 0}, {1, 0, 1}}, {1.5f, -6});

  layered_texture<std::int32_t, 2> numbers({1, 1}, 2);
  const std::int32_t n[2] = {INT32_MIN, 7};
  numbers.copy_from(amphi::view3<const std::int32_t>(n, {1, 1, 2}));
  expect_samples(numbers, {{0.5f, 0.5f, 0}, {0.5f, 0.5f, 1}}, {INT32_MIN, 7});
}

template <class T>
amphi::view3<const T> shown(const std::vector<T>& v, const amphi::extent3& e) {
  return amphi::view3<const T>(v.data(), e);
}

TEST(layered_texture, copies_with_pitch_of_all_layers) {
  const int w = 5, h = 3, layers = 2, pitch = 7, plane = 28;
  std::vector<float> padded(static_cast<std::size_t>(plane * layers), -1.0f);
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        padded[static_cast<std::size_t>(z * plane + y * pitch + x)] =
            static_cast<float>(x + 10 * y + 100 * z);
  layered_texture<float, 2> t({w, h}, layers);
  t.copy_from(amphi::view3<const float>(padded.data(), {w, h, layers}, pitch, plane));
  std::vector<float> dense(30);
  t.copy_to(amphi::view3<float>(dense.data(), {w, h, layers}));
  EXPECT_EQ(dense, table(w, h, layers));
  expect_samples(t, {{4.5f, 2.5f, 1}}, {124});

  layered_texture<float, 1> u(w, 2);
  u.copy_from(amphi::view2<const float>(padded.data(), {w, 2}, pitch));
  std::vector<float> rows(14, -2.0f);
  u.copy_to(amphi::view2<float>(rows.data(), {w, 2}, pitch));
  EXPECT_EQ(rows, (std::vector<float>{0, 1, 2, 3, 4, -2, -2, 10, 11, 12, 13, 14, -2, -2}));
  expect_samples(u, {{4.5f, 0, 1}}, {14});

  // The same through memory of the device.
  amphi::array<float> source{std::span<const float>(padded)}, target(30);
  layered_texture<float, 2> v({w, h}, layers);
  v.copy_from(amphi::view3<const float>(source.read().data(), {w, h, layers}, pitch, plane));
  v.copy_to(amphi::view3<float>(target.write().data(), {w, h, layers}));
  std::vector<float> got(30);
  target.copy_to(got);
  EXPECT_EQ(got, dense);
  expect_samples(v, {{4.5f, 2.5f, 1}, {0.5f, 1.5f, 0}}, {124, 10});
}

// One layer copied, from host or device memory, into a texture whose newest texels are on the host only, on
// both sides, or on the device only: the others stay.
void expect_one_layer_replaced(bool from_device, int sides) {
  SCOPED_TRACE(testing::Message() << "from device " << from_device << ", sides " << sides);
  const int w = 4, h = 3, layers = 5;
  auto expected = table(w, h, layers);
  layered_texture<float, 2> t({w, h}, layers);
  amphi::array<float> all{std::span<const float>(expected)};
  t.copy_from(amphi::view3<const float>(sides == 2 ? all.read().data() : expected.data(), {w, h, layers}));
  if (sides == 1) t.view();
  const auto cpu_view = t.view({.backend = sides == 2 ? amphi::backend::automatic : amphi::backend::cpu});
  const auto layer = table(w, h, 1, 5000);
  amphi::array<float> device_layer{std::span<const float>(layer)};
  t.copy_layer_from(3, {from_device ? device_layer.read().data() : layer.data(), {w, h}});
  std::copy(layer.begin(), layer.end(), expected.begin() + 3 * w * h);
  std::vector<place> at;
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        at.push_back({static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, z});
  expect_samples(t, at, expected);
  std::vector<float> got(expected.size());
  t.copy_to(amphi::view3<float>(got.data(), {w, h, layers}));
  EXPECT_EQ(got, expected);
  std::vector<float> one(layer.size()), other(layer.size());
  t.copy_layer_to(3, {one.data(), {w, h}});
  EXPECT_EQ(one, layer);
  amphi::array<float> device_one(w * h);
  t.copy_layer_to(2, {device_one.write().data(), {w, h}});
  device_one.copy_to(other);
  EXPECT_EQ(other, std::vector<float>(expected.begin() + 2 * w * h, expected.begin() + 3 * w * h));
  if (sides < 2 && !from_device) {
    EXPECT_EQ(cpu_view(0.5f, 0.5f, 3), 5000);
  }
}

TEST(layered_texture, one_layer_is_replaced) {
  for (const bool from_device : {false, true})
    for (const int sides : {0, 1, 2}) expect_one_layer_replaced(from_device, sides);

  auto t = lines();
  const float other[8] = {9, 8, 7, 6, 5, 4, 3, 2};
  t.copy_layer_from(1, other);
  float back[8] = {};
  t.copy_layer_to(1, back);
  EXPECT_EQ(back[7], 2);
  expect_samples(t, {{0.5f, 0, 0}, {0.5f, 0, 1}, {7.5f, 0, 1}, {0.5f, 0, 2}}, {0, 9, 2, 200});
}

TEST(layered_texture, layers_one_by_one) {
  layered_texture<float, 1> t(4, 3);
  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, c[4] = {9, 10, 11, 12};
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { t.view(); }),
                   {"layer 0", "4 texels in 3 layers", "before anybody wrote"}));
  t.copy_layer_from(2, c);
  t.copy_layer_from(0, a);
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { t.view(); }), {"layer 1"}));
  float back[4] = {};
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { t.copy_layer_to(1, back); }), {"layer 1"}));
  t.copy_layer_to(2, back);
  EXPECT_EQ(back[3], 12);
  amphi::array<float> device{std::span<const float>(b)};
  t.copy_layer_from(1, {device.read().data(), 4});
  expect_samples(t, {{3.5f, 0, 0}, {3.5f, 0, 1}, {3.5f, 0, 2}}, {4, 8, 12});
}

TEST(layered_texture, other_texels_are_seen_by_the_same_view) {
  auto t = lines();
  const auto cpu = t.view({.backend = amphi::backend::cpu});
  EXPECT_EQ(cpu(1.5f, 2), 201);
  const auto second = table(8, 1, 3, 1000);
  t.copy_from(amphi::view2<const float>(second.data(), {8, 3}));
  EXPECT_EQ(cpu(1.5f, 2), 1201);
  expect_samples(t, {{1.5f, 0, 2}}, {1201});
}

TEST(layered_texture, moves_and_ends) {
  auto a = lines();
  const auto view = a.view({.backend = amphi::backend::cpu});
  layered_texture<float, 1> b = std::move(a);
  EXPECT_EQ(view(3.5f, 1), 103);
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { a.view(); }), {"moved from"}));
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { a.copy_layer_from(0, {}); }), {"moved from"}));
  b = layered_texture<float, 1>();
  EXPECT_TRUE(says(message_of<amphi::memory_error>([&] { view(3.5f, 1); }), {"after its end", "must live"}));
  EXPECT_TRUE(says(message_of<amphi::memory_error>([] { amphi::layered_texture_view<float, 2>()(0, 0, 0); }),
                   {"names no texture"}));
}

TEST(layered_texture, copies_of_host_memory_are_not_captured) {
  const amphi::stream s;
  auto t = lines();
  t.view({.stream = s});
  const float other[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  EXPECT_TRUE(
      says(message_of<amphi::launch_error>([&] { s.capture([&] { t.copy_layer_from(1, other, s); }); }),
           {"captured"}));
  expect_samples(t, {{0.5f, 0, 1}}, {100});  // nothing was changed
}

TEST(layered_texture, bad_requests_say_what_is_wrong) {
  const auto error = [](auto f) { return message_of<amphi::memory_error>(f); };
  const auto bounds = [](auto f) { return message_of<amphi::bounds_error>(f); };
  EXPECT_TRUE(says(error([] { layered_texture<float, 1>(4, 0); }), {"0 layers", "least is 1"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 2>({4, 4}, -1); }), {"-1 layers", "least is 1"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 2>({4, 4}, 2049); }), {"2049 layers", "2048"}));
  EXPECT_TRUE(says(error([] {
                     layered_texture<float, 2>({4, 4}, std::int64_t{1} << 32);
                   }),
                   {"4294967296 layers", "2048"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 1>(32769, 2); }), {"32769", "with layers is 32768"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 2>({1, 32769}, 2); }), {"in y", "32768"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 2>({0, 1}, 2); }), {"no texels in x"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 1>({4, 2}, 2); }), {"2 texels in y"}));
  EXPECT_TRUE(says(error([] { layered_texture<float, 1>(4, 2, {.address = address_mode::wrap}); }),
                   {"address_mode::wrap", "normalised"}));
  EXPECT_TRUE(
      says(error([] { layered_texture<int, 1>(4, 2, {.sampling = sampling::linear}); }), {"integer texels"}));

  auto t = pictures();
  std::vector<float> v(64, 1.0f);
  const amphi::view2<const float> one(v.data(), {4, 3});
  EXPECT_TRUE(says(bounds([&] { t.copy_layer_from(5, one); }), {"no layer 5", "has 5", "from 0"}));
  EXPECT_TRUE(says(bounds([&] { t.copy_layer_from(-1, one); }), {"no layer -1"}));
  EXPECT_TRUE(says(bounds([&] { t.copy_layer_to(5, {v.data(), {4, 3}}); }), {"copying from", "no layer 5"}));
  EXPECT_TRUE(says(bounds([&] {
                     t.copy_layer_from(0, amphi::view2<const float>(v.data(), {3, 4}));
                   }),
                   {"3 x 4", "4 x 3"}));
  EXPECT_TRUE(says(bounds([&] { t.copy_from(shown(v, {4, 3, 4})); }), {"in 4 layers", "in 5 layers"}));
  EXPECT_TRUE(says(bounds([&] {
                     t.copy_from(amphi::view3<const float>(v.data(), {4, 3, 5}, 4, 11));
                   }),
                   {"plane pitch of 11", "3 rows of 4"}));
  EXPECT_TRUE(says(bounds([&] {
                     lines().copy_from(amphi::view2<const float>(v.data(), {8, 3}, 7));
                   }),
                   {"pitch of 7", "row of 8"}));
  EXPECT_TRUE(says(error([&] { t.copy_from(amphi::view3<const float>(nullptr, {4, 3, 5})); }), {"null"}));
  // Nothing was changed by the failures.
  expect_samples(t, {{0.5f, 0.5f, 0}, {3.5f, 2.5f, 4}}, {0, 423});
}

}  // namespace
