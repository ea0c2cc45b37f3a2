// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// convolution: a picture is blurred and its edges are found, with the weights in constant memory, directly
// and by tiles with a halo in shared memory, under three rules for what lies outside the picture. Everything
// is compared, bit by bit, with a plain loop, and drawn: rows are the filters, columns the picture, clamp,
// mirror and zero.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "amphi/execution/launch.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/median_time.hpp"
#include "common/png.hpp"
#include "common/same_bits.hpp"
#include "convolution/kernels.hpp"

namespace {

using convolution::border;

// A grey picture, 0 … 1, with things that touch its edges: a ramp, a disc, checks and stripes.
std::vector<float> make_picture(int nx, int ny) {
  std::vector<float> pixels;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      float v = 0.25f + 0.5f * static_cast<float>(x) / static_cast<float>(nx);
      const int cx = x - nx / 8, cy = y - ny / 6, r = ny / 4;
      if (cx * cx + cy * cy < r * r) v = 1.0f;
      if (x > 3 * nx / 4 && y < ny / 2) v = (x / 12 + y / 12) % 2 == 0 ? 1.0f : 0.0f;
      if (y > 3 * ny / 4 && (x + y) / 10 % 2 == 0) v = 0.05f;
      pixels.push_back(v);
    }
  return pixels;
}

struct filter {
  const char* name;
  int radius;
  float offset;  // what 0 is drawn as
  std::vector<float> weights;
};

filter blur() {
  constexpr int r = convolution::most_radius;
  filter f{"blur", r, 0.0f, {}};
  float sum = 0.0f;
  for (int y = -r; y <= r; ++y)
    for (int x = -r; x <= r; ++x) {
      f.weights.push_back(std::exp(-static_cast<float>(x * x + y * y) / 32.0f));
      sum += f.weights.back();
    }
  for (float& w : f.weights) w /= sum;
  return f;
}

filter edges() { return {"edges", 1, 0.5f, {-0.5f, -0.5f, -0.5f, -0.5f, 4.0f, -0.5f, -0.5f, -0.5f, -0.5f}}; }

// The plain loop, over a picture that was made larger on all sides first.
std::vector<float> serial_loop(const std::vector<float>& in, int nx, int ny, const filter& f, border b) {
  const int r = f.radius, wide = nx + 2 * r;
  const auto inside = [](int i, int n) {
    while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
  };
  std::vector<float> large, out;
  for (int y = -r; y < ny + r; ++y)
    for (int x = -r; x < nx + r; ++x) {
      const bool outside = x < 0 || y < 0 || x >= nx || y >= ny;
      const int sx = b == border::mirror ? inside(x, nx) : std::clamp(x, 0, nx - 1),
                sy = b == border::mirror ? inside(y, ny) : std::clamp(y, 0, ny - 1);
      large.push_back(outside && b == border::zero ? 0.0f : in[static_cast<std::size_t>(sy * nx + sx)]);
    }
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      float sum = 0.0f;
      for (int dy = 0; dy <= 2 * r; ++dy)
        for (int dx = 0; dx <= 2 * r; ++dx)
          sum += f.weights[static_cast<std::size_t>(dy * (2 * r + 1) + dx)] *
                 large[static_cast<std::size_t>((y + dy) * wide + x + dx)];
      out.push_back(sum);
    }
  return out;
}

// Pictures side by side.
class sheet {
 public:
  sheet(int columns, int lines, int nx, int ny)
      : nx_(nx),
        ny_(ny),
        width_(columns * (nx + gap) - gap),
        height_(lines * (ny + gap) - gap),
        pixels_(static_cast<std::size_t>(width_ * height_) * 3, 255) {}

  void put(int column, int line, const float* picture, float offset) {
    for (int y = 0; y < ny_; ++y)
      for (int x = 0; x < nx_; ++x) {
        const float v = std::clamp(picture[y * nx_ + x] + offset, 0.0f, 1.0f);
        const auto at =
            static_cast<std::size_t>((line * (ny_ + gap) + y) * width_ + column * (nx_ + gap) + x) * 3;
        std::fill_n(&pixels_[at], 3, static_cast<unsigned char>(v * 255.0f + 0.5f));
      }
  }

  void write(const std::string& file) const {
    example::png_file(file, static_cast<std::uint32_t>(width_), static_cast<std::uint32_t>(height_),
                      pixels_.data());
  }

 private:
  static constexpr int gap = 8;
  int nx_, ny_, width_, height_;
  std::vector<unsigned char> pixels_;
};

class comparison {
 public:
  comparison(int nx, int ny, int runs)
      : nx_(nx),
        ny_(ny),
        runs_(runs),
        source_(make_picture(nx, ny)),
        in_(source_.size()),
        out_(source_.size()) {
    in_.copy_from(source_);
  }

  template <int Radius>
  bool run(const filter& f, int line, sheet& to) {
    amphi::copy_to_constant(convolution::weights, amphi::view<const float>(f.weights));
    to.put(0, line, source_.data(), 0.0f);
    const border rules[] = {border::clamp, border::mirror, border::zero};
    const char* const names[] = {"clamp", "mirror", "zero"};
    bool good = true;
    for (int i = 0; i < 3; ++i) {
      const std::vector<float> expected = serial_loop(source_, nx_, ny_, f, rules[i]);
      good &= time<convolution::naive<Radius>>(f.name, names[i], "naive", rules[i], expected);
      good &= time<convolution::tiled<Radius>>(f.name, names[i], "tiled", rules[i], expected);
      to.put(i + 1, line, out_.host_read().data(), f.offset);
    }
    return good;
  }

 private:
  template <auto Kernel>
  bool time(const char* filter_name, const char* rule, const char* way, border b,
            const std::vector<float>& expected) {
    const amphi::extent2 size(nx_, ny_);
    const amphi::policy p = convolution::geometry(size);
    out_.copy_from(std::vector<float>(source_.size(), -1.0f));
    const double ms = example::median_milliseconds(runs_, [&] {
      amphi::launch<Kernel>(p, convolution::const_image(in_.read(p).data(), size), b,
                            convolution::image(out_.write(p).data(), size));
    });
    const bool same = example::same_bits<float>(way, expected, out_.host_read());
    std::printf("  %-7s %-7s %-7s %10.4f %12.1f  %s\n", filter_name, rule, way, ms,
                1e-3 * static_cast<double>(size.size()) / ms, same ? "yes" : "NO");
    return same;
  }

  int nx_, ny_, runs_;
  std::vector<float> source_;
  amphi::array<float> in_, out_;
};

}  // namespace

int main(int argc, char** argv) try {
  example::command_line line(argc, argv,
                             "a picture is filtered, with constant weights, halo tiles, three borders");
  const int nx = static_cast<int>(line.number("--nx", 330, 1, 8192, "pixels in x"));
  const int ny = static_cast<int>(line.number("--ny", 250, 1, 8192, "pixels in y"));
  const int runs = static_cast<int>(line.number("--runs", 11, 1, 1001, "timed samples"));
  const std::string file = line.text("--output", "convolution.png", "the image");
  line.finish();

  std::printf("%d x %d pixels on %s\n  %-7s %-7s %-7s %10s %12s  %s\n", nx, ny,
              amphi::properties_of_current_device().name, "filter", "border", "way", "ms", "Mpixel/s",
              "equal");
  comparison c(nx, ny, runs);
  sheet to(4, 2, nx, ny);
  bool good = c.run<convolution::most_radius>(blur(), 0, to);
  good &= c.run<1>(edges(), 1, to);
  to.write(file);
  std::printf("%s: rows blur, edges; columns picture, clamp, mirror, zero\n", file.c_str());
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "convolution: %s\n", e.what());
  return 1;
}
