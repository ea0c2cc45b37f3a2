// SPDX-FileCopyrightText: 2026 The amphi authors
// SPDX-License-Identifier: BSD-3-Clause
//
// index_map: the debugging kernel that writes its own index. It draws which block and which thread does which
// pixel of an image that is neither square nor a multiple of the block, shows the usual slip (x and y
// exchanged) and the limits of blocks and grids, then does the same in three dimensions.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "amphi/core/error.hpp"
#include "amphi/core/integer.hpp"
#include "amphi/core/view.hpp"
#include "amphi/execution/parallel_for.hpp"
#include "amphi/memory/array.hpp"
#include "amphi/runtime/device.hpp"
#include "common/command_line.hpp"

namespace {

// What a thread knows about itself.
struct place {
  int block, thread, rank;
};

AMPHI_HOST_DEVICE inline place own_place() {
  const auto b = amphi::block_index(), grid = amphi::grid_extent();
  const auto t = amphi::thread_index(), extent = amphi::block_extent();
  return {static_cast<int>((b.z * grid.y + b.y) * grid.x + b.x),
          static_cast<int>((t.z * extent.y + t.y) * extent.x + t.x),
          static_cast<int>(amphi::global_thread_index())};
}

// One pixel a thread, as in CUDA: threads outside the image do nothing.
AMPHI_LAUNCHABLE void write_index(amphi::view2<place> image) {
  const auto b = amphi::block_index(), t = amphi::thread_index(), extent = amphi::block_extent();
  const std::int64_t x = std::int64_t{b.x} * extent.x + t.x, y = std::int64_t{b.y} * extent.y + t.y;
  if (x < image.extent().x && y < image.extent().y) image(x, y) = own_place();
}

AMPHI_LAUNCHABLE void write_index_3d(amphi::view3<place> volume) {
  const auto b = amphi::block_index(), t = amphi::thread_index(), extent = amphi::block_extent();
  const std::int64_t x = std::int64_t{b.x} * extent.x + t.x, y = std::int64_t{b.y} * extent.y + t.y,
                     z = std::int64_t{b.z} * extent.z + t.z;
  const amphi::extent3 size = volume.extent();
  if (x < size.x && y < size.y && z < size.z) volume(x, y, z) = own_place();
}

// The library's own loops over an extent, which need no such arithmetic.
AMPHI_LAUNCHABLE void write_row_major(int x, int y, amphi::extent2 size, int* out) {
  const auto i = y * size.x + x;
  out[i] = static_cast<int>(i);
}
AMPHI_LAUNCHABLE void write_exchanged(int x, int y, amphi::extent2 size, int* out) {
  const auto i = y * size.x + x;
  out[i] = static_cast<int>(x * size.y + y);  // the slip: right for x-major data only
}
AMPHI_LAUNCHABLE void write_row_major_3d(int x, int y, int z, amphi::extent3 size, int* out) {
  const auto i = (z * size.y + y) * size.x + x;
  out[i] = static_cast<int>(i);
}

AMPHI_LAUNCHABLE void nothing() {}

template <class Value>
void draw(const char* title, const amphi::extent2& size, Value&& value) {
  std::printf("\n%s\n", title);
  for (int y = 0; y < size.y; ++y) {
    std::printf("  ");
    for (int x = 0; x < size.x; ++x) std::printf(" %3d", value(x, y));
    std::printf("\n");
  }
}

bool equal(const char* what, int x, int y, int z, int actual, std::int64_t expected) {
  if (actual == expected) return true;
  std::printf("%s at (%d, %d, %d) is %d, expected %lld\n", what, x, y, z, actual,
              static_cast<long long>(expected));
  return false;
}

bool image(const amphi::extent2& size, const amphi::extent2& block) {
  const amphi::policy p{.grid = {amphi::ceil_div(size.x, block.x), amphi::ceil_div(size.y, block.y)},
                        .block = {block.x, block.y}};
  std::printf("an image of %lld x %lld pixels, a grid of %lld x %lld blocks of %lld x %lld threads\n",
              static_cast<long long>(size.x), static_cast<long long>(size.y),
              static_cast<long long>(p.grid.x), static_cast<long long>(p.grid.y),
              static_cast<long long>(block.x), static_cast<long long>(block.y));

  amphi::array<place> places(size.size());
  amphi::launch<write_index>(p, amphi::view2<place>(places.write(p), size));
  const amphi::view2<const place> seen(places.host_read(), size);
  draw("block that does a pixel", size, [&](int x, int y) { return seen(x, y).block; });
  draw("thread of that block", size, [&](int x, int y) { return seen(x, y).thread; });
  draw("global_thread_index()", size, [&](int x, int y) { return seen(x, y).rank; });

  amphi::array<int> row_major(size.size()), exchanged(size.size());
  amphi::parallel_for<write_row_major>(size, size, row_major.write());
  amphi::parallel_for<write_exchanged>(size, size, exchanged.write());
  const amphi::view2<const int> right(row_major.host_read(), size), wrong(exchanged.host_read(), size);
  draw("row-major index, y * width + x", size, [&](int x, int y) { return right(x, y); });
  draw("x and y exchanged, x * height + y: inside the image, and wrong", size,
       [&](int x, int y) { return wrong(x, y); });

  for (int y = 0; y < size.y; ++y) {
    for (int x = 0; x < size.x; ++x) {
      const std::int64_t in_block = (y % block.y) * block.x + x % block.x;
      const std::int64_t number = (y / block.y) * p.grid.x + x / block.x;
      if (!equal("the block", x, y, 0, seen(x, y).block, number) ||
          !equal("the thread", x, y, 0, seen(x, y).thread, in_block) ||
          !equal("the rank", x, y, 0, seen(x, y).rank, number * block.size() + in_block) ||
          !equal("the row-major index", x, y, 0, right(x, y), y * size.x + x))
        return false;
    }
  }
  return true;
}

bool volume(const amphi::extent3& size, const amphi::extent3& block) {
  const amphi::policy p{.grid = {amphi::ceil_div(size.x, block.x), amphi::ceil_div(size.y, block.y),
                                 amphi::ceil_div(size.z, block.z)},
                        .block = block};
  amphi::array<place> places(size.size());
  amphi::array<int> row_major(size.size());
  amphi::launch<write_index_3d>(p, amphi::view3<place>(places.write(p), size));
  amphi::parallel_for<write_row_major_3d>(size, size, row_major.write());
  const amphi::view3<const place> seen(places.host_read(), size);
  const amphi::view3<const int> index(row_major.host_read(), size);
  std::printf(
      "\na volume of %lld x %lld x %lld in blocks of %lld x %lld x %lld, block:thread of each element\n",
      static_cast<long long>(size.x), static_cast<long long>(size.y), static_cast<long long>(size.z),
      static_cast<long long>(block.x), static_cast<long long>(block.y), static_cast<long long>(block.z));
  for (int y = 0; y < size.y; ++y) {
    for (int z = 0; z < size.z; ++z) {
      std::printf("   ");
      for (int x = 0; x < size.x; ++x) std::printf(" %2d:%d", seen(x, y, z).block, seen(x, y, z).thread);
    }
    std::printf("\n");
  }
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        const std::int64_t number = ((z / block.z) * p.grid.y + y / block.y) * p.grid.x + x / block.x;
        const std::int64_t in_block = ((z % block.z) * block.y + y % block.y) * block.x + x % block.x;
        if (!equal("the block", x, y, z, seen(x, y, z).block, number) ||
            !equal("the thread", x, y, z, seen(x, y, z).thread, in_block) ||
            !equal("the row-major index", x, y, z, index(x, y, z), (z * size.y + y) * size.x + x))
          return false;
      }
    }
  }
  return true;
}

// Is the launch accepted, as it should be?
bool check_limit(const amphi::extent3& grid, const amphi::extent3& block, bool legal) {
  std::string answer = "accepted";
  try {
    amphi::launch<nothing>({.grid = grid, .block = block});
    amphi::synchronize();
  } catch (const amphi::launch_error& e) {
    answer = e.what();
  }
  std::printf("  grid %lld,%lld,%lld block %lld,%lld,%lld: %s\n", static_cast<long long>(grid.x),
              static_cast<long long>(grid.y), static_cast<long long>(grid.z), static_cast<long long>(block.x),
              static_cast<long long>(block.y), static_cast<long long>(block.z), answer.c_str());
  if ((answer == "accepted") == legal) return true;
  std::printf("  expected that it is %s\n", legal ? "accepted" : "refused");
  return false;
}

bool limits() {
  const amphi::device_limits limits = amphi::properties_of_current_device().limits;
  const std::int64_t threads = limits.threads_per_block;
  std::printf("\nlimits of compute capability %d: a warp is %d threads\n", limits.compute_capability,
              limits.warp_size);
  bool good = check_limit(1, limits.block.x, true);
  good &= check_limit(1, {32, threads / 32}, true);
  good &= check_limit(1, {32, threads / 32 + 1}, false);
  good &= check_limit(1, limits.block.x + 1, false);
  good &= check_limit(1, {1, 1, limits.block.z}, true);
  good &= check_limit(1, {1, 1, limits.block.z + 1}, false);
  good &= check_limit({1, limits.grid.y}, 1, true);
  good &= check_limit({1, limits.grid.y + 1}, 1, false);
  good &= check_limit({1, 1, limits.grid.z + 1}, 1, false);
  good &= check_limit(limits.grid.x + 1, 1, false);
  good &= check_limit({4, 0}, 32, false);
  return good;
}

}  // namespace

int main(int argc, char** argv) try {
  example::command_line options(argc, argv,
                                "draws which thread does which element, in two and three dimensions");
  const auto width = options.number("--width", 11, 1, 200, "pixels in x");
  const auto height = options.number("--height", 7, 1, 200, "pixels in y");
  const auto block_x = options.number("--block-x", 4, 1, 32, "threads of a block in x");
  const auto block_y = options.number("--block-y", 4, 1, 32, "threads of a block in y");
  options.finish();

  bool good = image({width, height}, {block_x, block_y});
  good &= volume({5, 4, 3}, {2, 2, 2});
  good &= limits();
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
