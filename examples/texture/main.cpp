// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// texture: a small picture, turned and tiled, sampled in three ways (rows: by point, linear, exact) with four
// address modes (columns: clamp, wrap, mirror, border), below it four cuts through a volume, coloured by a
// one-dimensional texture, and four maps whose fields are the layers of one texture. Each tile is drawn by
// the backend in use and again by the CPU: the bits are equal, linear filtering by a GPU's texture unit
// included.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/memory/layered_texture.hpp"
#include "amphi/memory/texture.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/png.hpp"

namespace {

using amphi::address_mode;
using amphi::sampling;
using color = amphi::vec4<float>;
using pixel = amphi::vec4<std::uint8_t>;
using picture = amphi::texture<pixel, 2, amphi::read_mode::normalized>;  // 0 … 255 read as 0 … 1
using volume = amphi::texture<float, 3>;
using color_map = amphi::texture<amphi::vec4<amphi::half>, 1>;
using field_set = amphi::layered_texture<pixel, 2, amphi::read_mode::normalized>;

// 16 x 12 texels: checks that fade to the right, a red first row and a green first column.
picture make_picture(const amphi::texture_options& options) {
  const int w = 16, h = 12;
  std::vector<pixel> texels;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int level = (x + y) % 2 == 0 ? 255 - 12 * x : 40 + 6 * x;
      const auto v = static_cast<std::uint8_t>(level), blue = static_cast<std::uint8_t>(255 - level);
      texels.push_back(y == 0   ? pixel{230, 30, 30, 255}
                       : x == 0 ? pixel{30, 200, 60, 255}
                                : pixel{v, v, blue, 255});
    }
  picture t({w, h}, options);
  t.copy_from(amphi::view2<const pixel>(texels.data(), {w, h}));
  return t;
}

// Waves around a point of a coarse grid.
volume make_volume() {
  const int n = 16;
  std::vector<float> texels;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const int d = (x - 5) * (x - 5) + (y - 8) * (y - 8) + (z - 10) * (z - 10);
        texels.push_back(0.5f + 0.5f * std::cos(0.9f * std::sqrt(static_cast<float>(d))));
      }
  volume t({n, n, n}, {.sampling = sampling::linear, .normalized = true});
  t.copy_from(amphi::view3<const float>(texels.data(), {n, n, n}));
  return t;
}

color_map make_color_map() {
  const auto c = [](float r, float g, float b) {
    return amphi::vec4<amphi::half>{amphi::half(r), amphi::half(g), amphi::half(b), amphi::half(1.0f)};
  };
  const amphi::vec4<amphi::half> map[] = {c(0, 0, 0.25f), c(0.1f, 0.3f, 0.8f), c(0.9f, 0.9f, 0.8f),
                                          c(0.95f, 0.6f, 0.1f), c(0.6f, 0, 0)};
  color_map t(5, {.sampling = sampling::linear, .normalized = true});
  t.copy_from(map);
  return t;
}

// Four fields of 8 x 8 texels: grass, water, sand and a wall, one in each layer.
field_set make_field_set() {
  const int n = 8, layers = 4;
  const pixel grounds[layers] = {
      {60, 150, 50, 255}, {40, 90, 190, 255}, {220, 200, 130, 255}, {130, 70, 60, 255}};
  field_set t({n, n}, layers, {.sampling = sampling::linear, .normalized = true});
  for (int layer = 0; layer < layers; ++layer) {
    std::vector<pixel> texels;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const bool mark = layer == 0   ? (3 * x + 5 * y) % 7 == 0
                          : layer == 1 ? (y + x / 2) % 4 == 0
                          : layer == 2 ? (x * y + x) % 5 == 1
                                       : y % 4 == 3 || (x + y / 4 * 4) % 8 == 7;
        pixel p = grounds[layer];
        if (mark)
          p = {static_cast<std::uint8_t>(p.x / 2 + 110), static_cast<std::uint8_t>(p.y / 2 + 110),
               static_cast<std::uint8_t>(p.z / 2 + 110), 255};
        texels.push_back(p);
      }
    t.copy_layer_from(layer, amphi::view2<const pixel>(texels.data(), {n, n}));
  }
  return t;
}

// The picture, turned by a half radian, five quarters of it in either direction from its centre.
struct draw_picture {
  picture::view_type t;
  int side;
  color* to;
  AMPHI_HOST_DEVICE void operator()(int x, int y) const {
    const float u = 2.5f * ((static_cast<float>(x) + 0.5f) / static_cast<float>(side) - 0.5f),
                v = 2.5f * ((static_cast<float>(y) + 0.5f) / static_cast<float>(side) - 0.5f);
    to[y * side + x] = t(0.5f + 0.87758256f * u - 0.47942554f * v, 0.5f + 0.47942554f * u + 0.87758256f * v);
  }
};

// A cut through the volume that leans more, the deeper it lies.
struct draw_cut {
  volume::view_type t;
  color_map::view_type map;
  int side;
  float depth;
  color* to;
  AMPHI_HOST_DEVICE void operator()(int x, int y) const {
    const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(side),
                v = (static_cast<float>(y) + 0.5f) / static_cast<float>(side);
    to[y * side + x] = map(t(u, v, depth + 0.5f * depth * (u - v)));
  }
};

// A map of six by six fields: each is clamped at its own edges, whatever its neighbours are.
struct draw_map {
  field_set::view_type t;
  int side, seed;
  color* to;
  AMPHI_HOST_DEVICE void operator()(int x, int y) const {
    const float u = 6.0f * (static_cast<float>(x) + 0.5f) / static_cast<float>(side),
                v = 6.0f * (static_cast<float>(y) + 0.5f) / static_cast<float>(side);
    const int i = static_cast<int>(u), j = static_cast<int>(v), layer = (i * i + 2 * j + i * j + seed) % 4;
    to[y * side + x] = t(u - static_cast<float>(i), v - static_cast<float>(j), layer);
  }
};

struct result {
  std::vector<color> colors;
  double milliseconds;
};

// Draws a tile twice, and gives the second time. `draw(policy, to)` makes the function object.
template <class Draw>
result drawn(const amphi::policy& p, int side, const Draw& draw) {
  amphi::array<color> to(side * side);
  double ms = 0;
  for (int run = 0; run < 2; ++run) {
    const auto f = draw(p, to.write(p).data());
    amphi::synchronize();
    const auto begin = std::chrono::steady_clock::now();
    amphi::parallel_for(p, amphi::extent2(side, side), f);
    amphi::synchronize();
    ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  result r{std::vector<color>(static_cast<std::size_t>(side * side)), ms};
  to.copy_to(r.colors);
  return r;
}

class sheet {
 public:
  explicit sheet(int side) : side_(side), pixels_(static_cast<std::size_t>(side * side) * 20 * 3) {}

  template <class Draw>
  void tile(int column, int row, const char* what, const Draw& draw) {
    const result here = drawn({}, side_, draw), cpu = drawn({.backend = amphi::backend::cpu}, side_, draw);
    const bool same =
        std::memcmp(here.colors.data(), cpu.colors.data(), sizeof(color) * here.colors.size()) == 0;
    same_ = same_ && same;
    std::printf("  %-24s %10.3f %10.3f   %s\n", what, here.milliseconds, cpu.milliseconds,
                same ? "yes" : "NO");
    for (int y = 0; y < side_; ++y)
      for (int x = 0; x < side_; ++x) {
        const color c = here.colors[static_cast<std::size_t>(y * side_ + x)];
        unsigned char* to =
            &pixels_[static_cast<std::size_t>(((row * side_ + y) * 4 + column) * side_ + x) * 3];
        const float parts[3] = {c.x, c.y, c.z};
        for (int k = 0; k < 3; ++k) to[k] = static_cast<unsigned char>(parts[k] * 255.0f + 0.5f);
      }
  }

  void write(const std::string& file) const {
    const auto n = static_cast<std::uint32_t>(side_);
    example::png_file(file, 4 * n, 5 * n, pixels_.data());
  }
  bool same() const { return same_; }

 private:
  int side_;
  bool same_ = true;
  std::vector<unsigned char> pixels_;
};

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "a picture and a volume through textures, as a PNG file");
  const int side = static_cast<int>(options.number("--side", 200, 8, 4096, "pixels of a tile"));
  const std::string file = options.text("--output", "texture.png", "the image");
  options.finish();

  std::printf("%d x %d samples a tile on %s and on the cpu\n\n  %-24s %10s %10s   same bits\n", side, side,
              amphi::name(amphi::backend_in_use()), "tile", "ms", "cpu ms");
  sheet s(side);
  const sampling samplings[] = {sampling::point, sampling::linear, sampling::exact};
  const char* sampling_names[] = {"point", "linear", "exact"};
  const address_mode modes[] = {address_mode::clamp, address_mode::wrap, address_mode::mirror,
                                address_mode::border};
  const char* mode_names[] = {"clamp", "wrap", "mirror", "border"};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) {
      const picture t =
          make_picture({.sampling = samplings[row], .address = modes[column], .normalized = true});
      s.tile(column, row, (std::string(sampling_names[row]) + ", " + mode_names[column]).c_str(),
             [&](const amphi::policy& p, color* to) {
               return draw_picture{t.view(p), side, to};
             });
    }
  const volume t = make_volume();
  const color_map map = make_color_map();
  for (int column = 0; column < 4; ++column) {
    const float depth = 0.2f * static_cast<float>(column + 1);
    s.tile(column, 3, ("volume at " + std::to_string(depth).substr(0, 3)).c_str(),
           [&](const amphi::policy& p, color* to) {
             return draw_cut{t.view(p), map.view(p), side, depth, to};
           });
  }
  const field_set fields = make_field_set();
  for (int column = 0; column < 4; ++column)
    s.tile(column, 4, ("map " + std::to_string(column)).c_str(), [&](const amphi::policy& p, color* to) {
      return draw_map{fields.view(p), side, column, to};
    });
  s.write(file);
  std::printf("\n%s: rows point, linear, exact, cuts, maps; columns clamp, wrap, mirror, border\n",
              file.c_str());
  return s.same() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "texture: %s\n", e.what());
  return 1;
}
