// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// heat_2d: heat spreads over a plate between a hot and a cold edge. Two buffers take turns, a box names the
// interior, and every 100 steps an image is drawn, copied on a second stream and written to a file by another
// thread while the solver goes on. The result is compared, bit by bit, with a serial loop.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"
#include "common/same_bits.hpp"

namespace {

using field = amphi::view2<float>;
using const_field = amphi::view2<const float>;

struct rgb {
  unsigned char red, green, blue;
};

// One explicit step. The order of the operations is written down, so that every path rounds alike.
AMPHI_LAUNCHABLE void heat_step(int x, int y, float k, const_field old, field next) {
  const float across = old(x - 1, y) + old(x + 1, y), along = old(x, y - 1) + old(x, y + 1);
  next(x, y) = old(x, y) + k * ((across + along) - 4.0f * old(x, y));
}

AMPHI_LAUNCHABLE void start(int x, int y, field u) {
  const amphi::extent2 size = u.extent();
  const bool hot_edge = y == 0 || (x == 0 && y < size.y / 3);
  const auto dx = x - 2 * size.x / 3, dy = y - 2 * size.y / 3;
  const bool hot_spot = dx * dx + dy * dy < size.y * size.y / 64;
  u(x, y) = hot_edge || hot_spot ? 1.0f : 0.0f;
}

// Black, red, yellow, white.
AMPHI_LAUNCHABLE void draw(int x, int y, const_field u, amphi::view2<rgb> image) {
  const int heat = static_cast<int>(u(x, y) * 767.0f);
  const auto part = [heat](int from) {
    return static_cast<unsigned char>(heat < from ? 0 : heat > from + 255 ? 255 : heat - from);
  };
  image(x, y) = {part(0), part(256), part(512)};
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void write_ppm(const std::string& file, const amphi::extent2& size, amphi::view<const rgb> image) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (out == nullptr) throw std::runtime_error("can't write " + file);
  std::fprintf(out, "P6\n%lld %lld\n255\n", static_cast<long long>(size.x), static_cast<long long>(size.y));
  const bool written = std::fwrite(image.data(), sizeof(rgb), image.size(), out) == image.size();
  if (std::fclose(out) != 0 || !written) throw std::runtime_error("can't write all of " + file);
}

// Two images on their way to files: while one is drawn, the other may still be written.
class image_writer {
 public:
  image_writer(amphi::extent2 size, std::string prefix) : size_(size), prefix_(std::move(prefix)) {
    for (slot& s : slots_) s.image = amphi::array<rgb>(size.size());
  }

  // Draws u, with what `solver` has done so far, and starts copying and writing. Waits only when both images
  // are still being written.
  void put(std::int64_t step, const amphi::array<float>& u, const amphi::policy& solver, double begin) {
    slot& s = slots_[next_++ % 2];
    finish(s);
    amphi::parallel_for<draw>(solver, size_, const_field(u.read(solver).data(), size_),
                              amphi::view2<rgb>(s.image.write(solver).data(), size_));
    s.image.to_host(output_);  // waits for the drawing by event; the solver's stream goes on
    s.step = step, s.put = seconds() - begin;
    s.written = std::async(std::launch::async, [this, &s, begin] {
      if (!prefix_.empty()) write_ppm(file(s.step), size_, s.image.host_read());
      return seconds() - begin;
    });
  }

  void finish() {
    for (int i = 0; i < 2; ++i) finish(slots_[next_++ % 2]);
  }

 private:
  struct slot {
    amphi::array<rgb> image;
    std::int64_t step = 0;
    double put = 0;
    std::future<double> written;
  };

  std::string file(std::int64_t step) const { return prefix_ + std::to_string(step) + ".ppm"; }

  void finish(slot& s) {
    if (!s.written.valid()) return;
    const double done = s.written.get();
    std::printf("  %6lld %12.2f %12.2f  %s\n", static_cast<long long>(s.step), 1000 * s.put, 1000 * done,
                prefix_.empty() ? "not written (--output)" : file(s.step).c_str());
  }

  amphi::extent2 size_;
  std::string prefix_;
  amphi::stream output_;
  slot slots_[2];
  unsigned next_ = 0;
};

// The same steps by two nested loops.
std::vector<float> serial_loop(const amphi::extent2& size, std::int64_t steps, float k) {
  std::vector<float> u(static_cast<std::size_t>(size.size())), v(u.size());
  const auto run = [&](auto&& visit, int margin) {
    for (int y = margin; y < size.y - margin; ++y)
      for (int x = margin; x < size.x - margin; ++x) visit(x, y);
  };
  run([&](int x, int y) { start(x, y, field(u.data(), size)); }, 0);
  v = u;
  for (std::int64_t step = 0; step < steps; ++step) {
    const float* old = u.data();
    run(
        [&](int x, int y) {
          const auto i = y * size.x + x;
          const float across = old[i - 1] + old[i + 1], along = old[i - size.x] + old[i + size.x];
          v[static_cast<std::size_t>(i)] = old[i] + k * ((across + along) - 4.0f * old[i]);
        },
        1);
    u.swap(v);
  }
  return u;
}

void print_plate(const_field u) {
  constexpr int columns = 64, rows = 16;
  for (int row = 0; row < rows; ++row) {
    std::printf("  ");
    for (int column = 0; column < columns; ++column) {
      const float heat = u(u.extent().x * column / columns, u.extent().y * row / rows);
      std::putchar(" .:-=+*#%@"[static_cast<int>(heat * 9.99f)]);
    }
    std::putchar('\n');
  }
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv, "heat on a plate, with images written while the solver runs");
  const auto nx = options.number("--nx", 1024, 3, 1 << 15, "cells in x");
  const auto ny = options.number("--ny", 768, 3, 1 << 15, "cells in y");
  const auto steps = options.number("--steps", 1000, 0, 1 << 24, "time steps");
  const auto every = options.number("--every", 100, 1, 1 << 24, "steps from image to image");
  const auto output = options.text("--output", "", "begin of the names of the images, as in /tmp/heat_");
  const bool check = !options.flag("--no-check", "leave out the comparison with a serial loop");
  options.finish();

  const amphi::extent2 size{nx, ny};
  const amphi::box2 interior{{1, 1}, {nx - 1, ny - 1}};
  constexpr float k = 0.2f;

  const amphi::stream stream;
  const amphi::policy solver{.stream = stream};
  amphi::array<float> u(size.size()), v;
  amphi::parallel_for<start>(solver, size, field(u.write(solver).data(), size));
  v.copy_from(u);  // both buffers need the edge, which no step writes

  std::printf("%lld x %lld cells, %lld steps, backend %s\n", static_cast<long long>(nx),
              static_cast<long long>(ny), static_cast<long long>(steps),
              amphi::name(amphi::backend_in_use()));
  std::printf("  %6s %12s %12s  %s\n", "step", "launched, ms", "written, ms", "image");
  image_writer images(size, output);
  const double begin = seconds();
  for (std::int64_t step = 1; step <= steps; ++step) {
    amphi::parallel_for<heat_step>(solver, interior, k, const_field(u.read(solver).data(), size),
                                   field(v.read_write(solver).data(), size));
    u.swap(v);
    if (step % every == 0) images.put(step, u, solver, begin);
  }
  stream.synchronize();
  const double time = seconds() - begin;
  images.finish();
  std::printf("%.2f ms, %.1f million cells a second\n\n", 1000 * time,
              1e-6 * static_cast<double>(size.size() * steps) / time);
  print_plate(const_field(u.host_read().data(), size));

  if (!check) return 0;
  const std::vector<float> expected = serial_loop(size, steps, k);
  if (!example::same_bits<float>("heat_2d", expected, u.host_read())) return 1;
  std::printf("equal, bit by bit, to a serial loop\n");
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
